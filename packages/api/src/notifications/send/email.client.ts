/** Sends a message as an e-mail over SMTP (nodemailer). */
import { PRODUCT_NAME } from '@trunkline/contract/product'
import type { TargetDraft } from '@trunkline/contract/notifications/notification.schema'
import { createTransport } from 'nodemailer'
import type { Config } from '../../config.ts'
import { allowedAddressOf } from '../../security/host-guard.ts'
import { subjectOf, textOf } from '../message.rules.ts'
import { connectionFault, DeliveryFault } from './delivery-fault.ts'
import type { Sent } from './send.ts'

type EmailTarget = Extract<TargetDraft, { kind: 'email' }>

interface How {
  config: Pick<Config, 'allowLocalHosts'>
  signal: AbortSignal
  greetingLimitMs?: number
}

/** Within SEND_LIMIT_MS: a server under TLS waits in silence for whoever speaks without it. */
const GREETING_LIMIT_MS = 15_000

/** @returns the server's answer; throws a DeliveryFault when no recipient was taken */
export async function sendEmail(target: EmailTarget, sent: Sent, how: How) {
  const { config, signal, greetingLimitMs = GREETING_LIMIT_MS } = how
  const { host, port, security, user, password, from, to } = target
  // Connected to as it was looked up, so that no other answer of a name server comes between.
  const address = await allowedAddressOf(config, host)
  signal.throwIfAborted()
  const transport = createTransport({
    host: address,
    port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    greetingTimeout: greetingLimitMs,
    tls: { servername: host },
    ...(user === '' ? {} : { auth: { user, pass: password } }),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(new Error('Aborted.'))
  signal.addEventListener('abort', abort)
  try {
    const sending = transport.sendMail({
      from: { name: PRODUCT_NAME, address: from },
      to: [...to],
      subject: subjectOf(sent.message),
      text: textOf(sent.message),
      // The same in each try: a mailbox that sorts by it shows the message once.
      messageId: `<${sent.id}@${from.split('@')[1] ?? 'localhost'}>`,
      headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': sent.message.language },
    })
    const { response, rejected } = await Promise.race([sending, aborted.promise])
    return answerOf(response, rejected)
  } catch (error) {
    signal.throwIfAborted()
    throw faultOf(error, `${host}:${port}`)
  } finally {
    signal.removeEventListener('abort', abort)
    transport.close()
  }
}

function answerOf(response: string, rejected: readonly unknown[] | undefined): string {
  const refused = (rejected ?? []).map(String)
  return refused.length === 0 ? response : `${response}. Refused for ${refused.join(', ')}.`
}

function faultOf(error: unknown, where: string): DeliveryFault {
  const { message, code } = withCode(error)
  if (message === 'Greeting never received') return new DeliveryFault(`${where} ${NO_GREETING}`)
  const known = connectionFault(causeOf(error), where)
  if (known !== null) return known
  const sentence = `${message}${/[.!?]$/.test(message) ? '' : '.'}`
  return new DeliveryFault(`${where}: ${sentence} ${remedyOf(message, code)}`.trim())
}

/** nodemailer names its own codes, and keeps the socket's in the cause or the text. */
function causeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (error.cause instanceof Error) return error.cause
  const { message } = error
  const [, socketCode] =
    /\b(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|EPIPE)\b/.exec(message) ?? []
  const code = socketCode ?? TLS_CODES.find(({ pattern }) => pattern.test(message))?.code
  return code === undefined ? error : Object.assign(new Error(message), { code })
}

/** Of OpenSSL's texts. */
const TLS_CODES = [
  {
    pattern: /self-signed certificate|unable to (verify|get)/,
    code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
  },
  { pattern: /SSL routines.*wrong version number/, code: 'ERR_SSL_WRONG_VERSION_NUMBER' },
]

function withCode(error: unknown): { message: string; code: string } {
  if (!(error instanceof Error)) return { message: String(error), code: '' }
  return { message: error.message, code: 'code' in error ? String(error.code) : '' }
}

function remedyOf(message: string, code: string): string {
  // Servers answer so to the sign-in as well as to the sender.
  if (/\bSTARTTLS\b/.test(message)) return ENCRYPTION
  // RFC 4954 6: the server wants a sign-in first.
  if (/\b530\b/.test(message)) return SIGN_IN
  return REMEDIES[code] ?? ''
}

const ENCRYPTION = 'Check the encryption: STARTTLS is usual on port 587, TLS on port 465.'
const SIGN_IN = 'Check user and password.'
const NO_GREETING = `does not answer as a mail server. ${ENCRYPTION}`

const REMEDIES: Readonly<Record<string, string>> = {
  EAUTH: SIGN_IN,
  ETLS: ENCRYPTION,
  EENVELOPE: 'Check the sender and the recipients.',
  EPROTOCOL: 'Check the port: this is no mail server.',
}
