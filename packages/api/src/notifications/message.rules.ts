/** What a notification says, as a subject and plain text, and as the body of a webhook. Pure. */
import { RULES, compareSeverity } from '@trunkline/contract/alarms/alarm.rules'
import { AlarmRule, Severity } from '@trunkline/contract/alarms/open-alarms.schema'
import { ObservedKind } from '@trunkline/contract/fleet/observed-kind.schema'
import { PRODUCT_NAME } from '@trunkline/contract/product'
import { z } from 'zod'

/** An alarm as it was when the message was made. */
export const AlarmNote = z.object({
  alarmId: z.string(),
  objectKind: ObservedKind,
  /** '' where the rule's groups do not see the object, as its title. */
  objectId: z.string(),
  title: z.string(),
  rule: AlarmRule,
  severity: Severity,
  sentence: z.string(),
  /** ISO 8601, UTC. */
  raisedAt: z.string(),
  clearedAt: z.string().nullable(),
  /** Alarms that this one causes. */
  behind: z.number(),
})
export type AlarmNote = z.infer<typeof AlarmNote>

/** Alarms beyond the limit of a message are counted in `omitted`. */
export const NotificationMessage = z.object({
  ruleTitle: z.string(),
  isTest: z.boolean(),
  /** ISO 8601, UTC. */
  at: z.string(),
  raised: z.array(AlarmNote),
  /** Open for longer, and neither acknowledged nor muted. */
  reminders: z.array(AlarmNote),
  cleared: z.array(AlarmNote),
  omitted: z.object({ raised: z.number(), reminders: z.number(), cleared: z.number() }),
})
export type NotificationMessage = z.infer<typeof NotificationMessage>

/** Of each sort: more are counted, so that a message stays readable in a storm. */
const LISTED_AT_MOST = 20

type Sorts = Pick<NotificationMessage, 'raised' | 'reminders' | 'cleared'>

/** Worst first; as many of each sort as a message lists. */
export function messageOf(ruleTitle: string, nowMs: number, all: Sorts): NotificationMessage {
  const { raised, reminders, cleared } = all
  const omitted = (notes: readonly AlarmNote[]) => Math.max(0, notes.length - LISTED_AT_MOST)
  return {
    ruleTitle,
    isTest: false,
    at: new Date(nowMs).toISOString(),
    raised: worstOf(raised),
    reminders: worstOf(reminders),
    cleared: worstOf(cleared),
    omitted: {
      raised: omitted(raised),
      reminders: omitted(reminders),
      cleared: omitted(cleared),
    },
  }
}

export function testMessage(ruleTitle: string, nowMs: number): NotificationMessage {
  const nothing = { raised: [], reminders: [], cleared: [] }
  return { ...messageOf(ruleTitle, nowMs, nothing), isTest: true }
}

function worstOf(notes: readonly AlarmNote[]): AlarmNote[] {
  return notes.toSorted((a, b) => compareSeverity(a.severity, b.severity)).slice(0, LISTED_AT_MOST)
}

export function subjectOf(message: NotificationMessage): string {
  const { raised, reminders, cleared, omitted, isTest, ruleTitle } = message
  if (isTest) return `[${PRODUCT_NAME}] Test of ${ruleTitle}`
  const [first] = [...raised, ...reminders, ...cleared]
  const counts = [
    { count: raised.length + omitted.raised, word: 'raised' },
    { count: reminders.length + omitted.reminders, word: 'still open' },
    { count: cleared.length + omitted.cleared, word: 'cleared' },
  ].filter(({ count }) => count > 0)
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  if (total === 1 && first !== undefined) {
    const sort = raised.length > 0 ? '' : reminders.length > 0 ? 'STILL OPEN ' : 'CLEARED '
    return `[${PRODUCT_NAME}] ${sort}${first.severity.toUpperCase()} ${headOf(first)}`
  }
  const worst = worstOf([...raised, ...reminders])[0]
  const word = worst === undefined ? '' : `${worst.severity.toUpperCase()} `
  const list = counts.map(({ count, word: sort }) => `${count} ${sort}`).join(', ')
  return `[${PRODUCT_NAME}] ${word}alarms: ${list}`
}

/** 'Camera 1: Not running (300 more alarms behind it)'. */
function headOf({ title, objectKind, rule, behind }: AlarmNote): string {
  const name = title === '' ? `${objectKind} of another group` : title
  return `${name}: ${RULES[rule].title}${behindText(behind)}`
}

function behindText(behind: number): string {
  return behind === 0 ? '' : ` (and ${behind} behind it)`
}

export function textOf(message: NotificationMessage): string {
  const { raised, reminders, cleared, omitted, isTest, ruleTitle, at } = message
  if (isTest) {
    return `This is a test of the notification rule ${ruleTitle}, sent by ${PRODUCT_NAME} at ${at}. Nothing is wrong.\n`
  }
  const parts = [
    partOf('Raised', raised, omitted.raised),
    partOf('Still open, not acknowledged', reminders, omitted.reminders),
    partOf('Cleared', cleared, omitted.cleared),
  ].filter((part) => part !== '')
  return `${parts.join('\n\n')}\n\nSent by the notification rule ${ruleTitle} of ${PRODUCT_NAME} at ${at}.\n`
}

function partOf(title: string, notes: readonly AlarmNote[], omitted: number): string {
  if (notes.length === 0) return ''
  const more = omitted === 0 ? [] : [`and ${omitted} more. See the page Alarms.`]
  return [`${title}:`, ...notes.map(noteText), ...more].join('\n\n')
}

function noteText(note: AlarmNote): string {
  const { severity, objectKind, sentence, raisedAt, clearedAt } = note
  const until = clearedAt === null ? '' : `, cleared at ${clearedAt}`
  return [
    `${severity.toUpperCase()} ${headOf(note)}`,
    sentence,
    `${objectKind}, raised at ${raisedAt}${until}`,
  ].join('\n')
}

/** The body of a webhook: type, time and data, as Standard Webhooks recommends. */
export function webhookBodyOf(message: NotificationMessage): object {
  const { at, isTest, ruleTitle, raised, reminders, cleared, omitted } = message
  return {
    type: isTest ? 'alarms.test' : 'alarms.changed',
    timestamp: at,
    data: { rule: ruleTitle, subject: subjectOf(message), raised, reminders, cleared, omitted },
  }
}
