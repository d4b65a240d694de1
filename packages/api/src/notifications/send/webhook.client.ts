/** Sends a message as a webhook, signed as Standard Webhooks specifies. Redirects are not followed. */
import { createHmac } from 'node:crypto'
import { PRODUCT_NAME } from '@trunkline/contract/product'
import type { TargetDraft } from '@trunkline/contract/notifications/notification.schema'
import { Agent, request } from 'undici'
import type { Config } from '../../config.ts'
import { addressGuard } from '../../security/host-guard.ts'
import { webhookBodyOf } from '../message.rules.ts'
import { connectionFault, DeliveryFault } from './delivery-fault.ts'
import type { Sent } from './send.ts'

type WebhookTarget = Extract<TargetDraft, { kind: 'webhook' }>

interface How {
  config: Pick<Config, 'allowLocalHosts'>
  signal: AbortSignal
}

const SECRET_PREFIX = 'whsec_'
/** So much of an answer is read, and kept in the log. */
const ANSWER_BYTES = 2048
const ANSWER_CHARACTERS = 200

/** The headers of a message that is sent at that moment. */
function signedHeaders(
  secret: string,
  id: string,
  body: string,
  nowMs: number,
): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}

/** @returns status and beginning of the answer; throws a DeliveryFault unless it is 2xx */
export async function sendWebhook(
  { url, secret }: WebhookTarget,
  { id, message }: Sent,
  { config, signal }: How,
): Promise<string> {
  const { hostname, host } = new URL(url)
  const guard = addressGuard(config)
  const refusal = guard.refusalOf(hostname)
  if (refusal !== null) throw refusal
  const body = JSON.stringify(webhookBodyOf(message))
  const agent = new Agent({ connect: { lookup: guard.lookup }, maxResponseSize: -1 })
  try {
    const answer = await request(url, {
      method: 'POST',
      dispatcher: agent,
      signal,
      headers: {
        'content-type': 'application/json',
        'user-agent': PRODUCT_NAME,
        // The time is that of this try: a receiver refuses old ones.
        ...signedHeaders(secret, `msg_${id}`, body, Date.now()),
      },
      body,
    })
    const text = await beginningOf(answer.body)
    const status = `HTTP ${answer.statusCode}${text === '' ? '' : `: ${text}`}`
    if (answer.statusCode >= 200 && answer.statusCode < 300) return status
    throw new DeliveryFault(`${host} answered ${status}. ${remedyOf(answer.statusCode)}`)
  } catch (error) {
    signal.throwIfAborted()
    throw connectionFault(error, host) ?? error
  } finally {
    await agent.destroy()
  }
}

/** What comes after that is not read: the connection is closed. */
async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    parts.push(part)
    bytes += part.length
    if (bytes >= ANSWER_BYTES) break
  }
  return Buffer.concat(parts)
    .toString('utf8')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, ANSWER_CHARACTERS)
}

function remedyOf(status: number): string {
  if (status >= 300 && status < 400) return 'Redirects are not followed. Enter the final address.'
  if (status === 401 || status === 403) return 'Check that it has the same secret.'
  if (status === 404 || status === 410) return 'Check the address.'
  return 'Look into its log.'
}
