/** Real receivers of notifications on loopback: an SMTP server program and an HTTP server. */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'

interface Mail {
  from: string
  to: string[]
  /** Headers and body as they were sent. */
  source: string
  subject: string
  text: string
}

/** Ends with the test. `answer`: how many of the next mails are refused for now. */
export async function openSmtpServer(more: SMTPServerOptions = {}) {
  const mails: Mail[] = []
  const state = { refusals: 0 }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        if (state.refusals > 0) {
          state.refusals -= 1
          done(Object.assign(new Error('Try again later'), { responseCode: 451 }))
          return
        }
        const { mailFrom, rcptTo } = session.envelope
        const source = Buffer.concat(parts).toString('utf8')
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          source,
          ...decodedMail(source),
        })
        done(null)
      })
    },
    ...more,
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  onTestFinished(async () => new Promise((resolve) => server.close(() => resolve())))
  return { port, mails, state }
}

/** RFC 2045 and 2047: a text of one part, with a transfer encoding, and encoded words in its subject. */
function decodedMail(source: string): { subject: string; text: string } {
  const end = source.indexOf('\r\n\r\n')
  const headers = source.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ')
  const [, rawSubject = ''] = /^Subject: (.*)$/m.exec(headers) ?? []
  const [, encoding = ''] = /^Content-Transfer-Encoding: (.*)$/m.exec(headers) ?? []
  const words = rawSubject.replaceAll(/\?= =\?/g, '?==?')
  return {
    subject: words.replaceAll(/=\?utf-8\?([qb])\?(.*?)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b' ? ofBase64(word) : ofQuotedPrintable(word.replaceAll('_', ' ')),
    ),
    text: decodedText(source.slice(end + 4), encoding.trim()),
  }
}

function decodedText(body: string, encoding: string): string {
  if (encoding === 'base64') return ofBase64(body)
  return encoding === 'quoted-printable' ? ofQuotedPrintable(body) : body
}

function ofBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8')
}

function ofQuotedPrintable(text: string): string {
  const bytes = text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

interface Received {
  headers: Record<string, string>
  body: string
}

/** Ends with the test. `statuses`: of the next answers; 204 after them. */
export async function openHttpReceiver() {
  const received: Received[] = []
  const statuses: number[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const headers = request.headers as Record<string, string>
      received.push({ headers, body: Buffer.concat(parts).toString('utf8') })
      const status = statuses.shift() ?? 204
      if (status === 302) response.setHeader('location', '/elsewhere')
      response.writeHead(status).end(status === 204 ? '' : 'As the receiver says')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${port}/alarms`, received, statuses }
}
