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
}

/** @returns the server's answer; throws a DeliveryFault when no recipient was taken */
export async function sendEmail(target: EmailTarget, sent: Sent, { config, signal }: How) {
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
  const known = connectionFault(causeOf(error), where)
  if (known !== null) return known
  const { message, code } =
    error instanceof Error ? withCode(error) : { message: String(error), code: '' }
  const remedy = REMEDIES[code] ?? ''
  return new DeliveryFault(
    `${where}: ${message}${/[.!?]$/.test(message) ? '' : '.'} ${remedy}`.trim(),
  )
}

/** nodemailer names its own codes, and keeps the socket's in the cause or the text. */
function causeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (error.cause instanceof Error) return error.cause
  const [, code] =
    /\b(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|EPIPE)\b/.exec(error.message) ?? []
  if (code !== undefined) return Object.assign(new Error(error.message), { code })
  if (/self-signed certificate|unable to (verify|get)/.test(error.message)) {
    return Object.assign(new Error(error.message), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  }
  return error
}

function withCode(error: Error): { message: string; code: string } {
  return { message: error.message, code: 'code' in error ? String(error.code) : '' }
}

const REMEDIES: Readonly<Record<string, string>> = {
  EAUTH: 'Check user and password.',
  ETLS: 'Check the encryption: STARTTLS is usual on port 587, TLS on port 465.',
  EENVELOPE: 'Check the sender and the recipients.',
}
