/** Sends a message to the target of a rule, by e-mail, webhook or SNMP. */
import type { Context } from '../../context.ts'
import { OutOfBounds } from '../../security/host-guard.ts'
import type { Delivery } from '../delivery.store.ts'
import { Secrets, type RuleRecord } from '../notification-rule.store.ts'
import { DeliveryFault } from './delivery-fault.ts'
import { sendEmail } from './email.client.ts'
import { sendSnmp } from './snmp.client.ts'
import { snmpEngineIdOf } from './snmp-engine.store.ts'
import { sendWebhook } from './webhook.client.ts'

/** Of one try: longer is as good as no answer. */
export const SEND_LIMIT_MS = 20_000

/** What a client sends: the key against duplicates is the id of the delivery. */
export type Sent = Pick<Delivery, 'id' | 'message'>

type SendContext = Pick<Context, 'db' | 'config' | 'keys' | 'log'>

/** `answer`: of the other side, or why it was not reached. Rejects only when `signal` ends it. */
export async function sendTo(
  ctx: SendContext,
  rule: RuleRecord,
  sent: Sent,
  signal: AbortSignal = new AbortController().signal,
): Promise<{ isSent: boolean; answer: string }> {
  const limit = AbortSignal.timeout(SEND_LIMIT_MS)
  try {
    const answer = await sendWithin(ctx, rule, sent, AbortSignal.any([signal, limit]))
    return { isSent: true, answer }
  } catch (error) {
    signal.throwIfAborted()
    if (limit.aborted) {
      const seconds = SEND_LIMIT_MS / 1000
      return {
        isSent: false,
        answer: `No answer within ${seconds} seconds. Check the host, the port and the firewall.`,
      }
    }
    if (error instanceof DeliveryFault || error instanceof OutOfBounds) {
      return { isSent: false, answer: error.message }
    }
    ctx.log.error({ err: error, ruleId: rule.id }, 'A notification could not be sent.')
    const reason = error instanceof Error ? error.message : String(error)
    return { isSent: false, answer: `Could not be sent: ${reason}` }
  }
}

async function sendWithin(
  ctx: SendContext,
  { target, secretsSealed }: RuleRecord,
  sent: Sent,
  signal: AbortSignal,
): Promise<string> {
  const secrets =
    secretsSealed === null ? {} : Secrets.parse(JSON.parse(ctx.keys.open(secretsSealed)))
  const { config } = ctx
  switch (target.kind) {
    case 'email':
      return sendEmail({ ...target, password: secrets['password'] ?? '' }, sent, { config, signal })
    case 'webhook':
      return sendWebhook({ ...target, secret: secrets['secret'] ?? '' }, sent, { config, signal })
    case 'snmp': {
      const { community = '', authPassword = '', privPassword = '' } = secrets
      const whole = { ...target, community, authPassword, privPassword }
      const engineId = await snmpEngineIdOf(ctx.db)
      return sendSnmp(whole, sent, { config, signal, engineId })
    }
  }
}
