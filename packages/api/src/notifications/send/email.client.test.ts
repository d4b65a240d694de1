/** E-mail to a real SMTP server program. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import tls from 'node:tls'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from '../../testing/folder.ts'
import { testMessage } from '../message.rules.ts'
import { openSmtpServer } from '../receivers.fixture.ts'
import { sendEmail } from './email.client.ts'

const RULE = { title: 'Night shift', language: 'en' } as const
const SENT = { id: 'delivery1', message: testMessage(RULE, 0) }
const HOW = { config: { allowLocalHosts: true }, signal: new AbortController().signal }
const TARGET = {
  kind: 'email' as const,
  host: 'localhost',
  security: 'none' as const,
  user: '',
  password: '',
  from: 'alarms@trunkline.example',
  to: ['night@trunkline.example', 'day@trunkline.example'],
}

async function certificate() {
  const folder = await makeFolder()
  onTestFinished(async () => folder[Symbol.asyncDispose]())
  const [key, cert] = [join(folder.path, 'key.pem'), join(folder.path, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key]
  await promisify(execFile)('openssl', [...made, '-out', cert, ...subject])
  return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
}

test('a message reaches all recipients, with an id that stays the same', async () => {
  const { port, mails } = await openSmtpServer()
  const answer = await sendEmail({ ...TARGET, port }, SENT, HOW)
  expect(answer).toContain('250')
  expect(mails).toMatchObject([
    {
      from: 'alarms@trunkline.example',
      to: TARGET.to,
      source: expect.stringContaining('Subject: [Trunkline] Test of Night shift') as string,
    },
  ])
  expect(mails[0]?.source).toContain('Message-ID: <delivery1@trunkline.example>')
  expect(mails[0]?.source).toContain('This is a test of the notification rule')
})

test('design 9 a mail in French has a French subject and text, and names its language', async () => {
  const { port, mails } = await openSmtpServer()
  const message = testMessage({ title: 'Équipe de nuit', language: 'fr' }, 0)
  await sendEmail({ ...TARGET, port }, { id: 'delivery1', message }, HOW)
  const [mail] = mails
  expect(mail?.source).toContain('Content-Language: fr')
  expect(mail?.subject).toBe('[Trunkline] Test de Équipe de nuit')
  expect(mail?.text).toContain('Ceci est un test de la règle de notification Équipe de nuit')
  expect(mail?.text).toContain('le 01/01/1970 à 00:00:00 UTC')
})

test('a recipient that the server refuses is named in the answer, and the others get it', async () => {
  const { port, mails } = await openSmtpServer({
    onRcptTo({ address }, _, done) {
      done(address.startsWith('day') ? new Error('No such user') : null)
    },
  })
  const answer = await sendEmail({ ...TARGET, port }, SENT, HOW)
  expect(answer).toContain('Refused for day@trunkline.example.')
  expect(mails[0]?.to).toEqual(['night@trunkline.example'])
})

test('it signs in over STARTTLS and TLS, and says when user or password are wrong', async () => {
  const pair = await certificate()
  const trusted = tls.getCACertificates('default')
  onTestFinished(() => tls.setDefaultCACertificates(trusted))
  tls.setDefaultCACertificates([...trusted, pair.cert])
  for (const security of ['starttls', 'tls'] as const) {
    const { port, mails } = await openSmtpServer({
      ...pair,
      secure: security === 'tls',
      disabledCommands: [],
      authOptional: false,
      onAuth({ username, password }, _, done) {
        if (username === 'alarms' && password === 'right') done(null, { user: 'alarms' })
        else done(new Error('Authentication failed'))
      },
    })
    const target = { ...TARGET, port, security, user: 'alarms' }
    await sendEmail({ ...target, password: 'right' }, SENT, HOW)
    expect(mails).toHaveLength(1)
    const wrong = sendEmail({ ...target, password: 'wrong' }, SENT, HOW)
    await expect(wrong).rejects.toThrow(/Authentication failed.*Check user and password\.$/)
  }
})

test.each([
  ['starttls', 'has a certificate that is not trusted'],
  ['tls', 'has a certificate that is not trusted'],
] as const)('with %s a certificate that is not trusted is refused', async (security, sentence) => {
  const secure = security === 'tls'
  const pair = await certificate()
  const { port, mails } = await openSmtpServer({ ...pair, secure, disabledCommands: [] })
  const sending = sendEmail({ ...TARGET, port, security }, SENT, HOW)
  await expect(sending).rejects.toThrow(sentence)
  expect(mails).toEqual([])
})

test('STARTTLS that the server does not offer is a failure, not a mail in clear', async () => {
  const { port, mails } = await openSmtpServer()
  const sending = sendEmail({ ...TARGET, port, security: 'starttls' }, SENT, HOW)
  await expect(sending).rejects.toThrow('STARTTLS is usual on port 587')
  expect(mails).toEqual([])
})

test.each([
  ['tls', false, 'does not use TLS on this port. Check the port and the encryption.'],
  ['none', true, 'does not answer as a mail server. Check the encryption: STARTTLS is usual'],
  ['starttls', true, 'does not answer as a mail server. Check the encryption: STARTTLS is usual'],
] as const)(
  'encryption %s to a server whose TLS is %s fails with the remedy',
  async (security, secure, text) => {
    const { port } = await openSmtpServer({ ...(await certificate()), secure })
    const how = { ...HOW, greetingLimitMs: 50 }
    await expect(sendEmail({ ...TARGET, port, security }, SENT, how)).rejects.toThrow(
      `localhost:${port} ${text}`,
    )
  },
)

test.each([
  [530, 'Must issue a STARTTLS command first', /first\. Check the encryption/],
  [530, 'Authentication required', /required\. Check user and password\.$/],
  [550, 'Sender unknown', /unknown\. Check the sender and the recipients\.$/],
])('a server that answers %i %s', async (responseCode, text, sentence) => {
  const { port } = await openSmtpServer({
    onMailFrom: (_address, _session, done) =>
      done(Object.assign(new Error(text), { responseCode })),
  })
  await expect(sendEmail({ ...TARGET, port }, SENT, HOW)).rejects.toThrow(sentence)
})

test('a server that is not there, or in a private network, is named with the remedy', async () => {
  const sending = sendEmail({ ...TARGET, port: 1 }, SENT, HOW)
  await expect(sending).rejects.toThrow('localhost:1 refuses the connection. Check the port')
  const guarded = { ...HOW, config: { allowLocalHosts: false } }
  await expect(sendEmail({ ...TARGET, port: 1 }, SENT, guarded)).rejects.toThrow(
    'TRUNKLINE_ALLOW_LOCAL_HOSTS=1',
  )
})
