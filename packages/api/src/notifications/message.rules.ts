/**
 * What a notification says, as a subject and plain text, and as the body of a webhook: in the language
 * that its rule had when the message was made. Pure.
 */
import { RULES, compareSeverity } from '@trunkline/contract/alarms/alarm.rules'
import { AlarmRule, Severity } from '@trunkline/contract/alarms/open-alarms.schema'
import { ObservedKind } from '@trunkline/contract/fleet/observed-kind.schema'
import { type Translator, translatorOf } from '@trunkline/contract/language/translator.rules'
import type { NotificationRuleDraft } from '@trunkline/contract/notifications/notification.schema'
import { PRODUCT_NAME } from '@trunkline/contract/product'
import { Language } from '@trunkline/contract/session/language.schema'
import { z } from 'zod'
import * as texts from './message-texts.rules.ts'
import { KIND_WORDS, SEVERITY_WORDS, SORT_TEXTS, type Sort } from './message-texts.rules.ts'

/** An alarm as it was when the message was made. */
export const AlarmNote = z.object({
  alarmId: z.string(),
  objectKind: ObservedKind,
  /** '' where the rule's groups do not see the object, as its title. */
  objectId: z.string(),
  title: z.string(),
  rule: AlarmRule,
  severity: Severity,
  /** English, as the alarm has it. */
  sentence: z.string(),
  /** ISO 8601, UTC. */
  raisedAt: z.string(),
  clearedAt: z.string().nullable(),
  /** How many alarms this one causes; webhooks and stored messages have it by this name. */
  behind: z.number(),
})
export type AlarmNote = z.infer<typeof AlarmNote>

/** Alarms beyond the limit of a message are counted in `omitted`. */
export const NotificationMessage = z.object({
  ruleTitle: z.string(),
  language: Language,
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
const SORTS: readonly Sort[] = ['raised', 'reminders', 'cleared']

type Notes = Pick<NotificationMessage, Sort>
type SendingRule = Pick<NotificationRuleDraft, 'title' | 'language'>

/** Worst first; as many of each sort as a message lists. */
export function messageOf(rule: SendingRule, nowMs: number, all: Notes): NotificationMessage {
  const { raised, reminders, cleared } = all
  const omitted = (notes: readonly AlarmNote[]) => Math.max(0, notes.length - LISTED_AT_MOST)
  return {
    ruleTitle: rule.title,
    language: rule.language,
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

export function testMessage(rule: SendingRule, nowMs: number): NotificationMessage {
  const nothing = { raised: [], reminders: [], cleared: [] }
  return { ...messageOf(rule, nowMs, nothing), isTest: true }
}

function worstOf(notes: readonly AlarmNote[]): AlarmNote[] {
  return notes.toSorted((a, b) => compareSeverity(a.severity, b.severity)).slice(0, LISTED_AT_MOST)
}

export function subjectOf(message: NotificationMessage): string {
  const { omitted, isTest, ruleTitle } = message
  const translator = translatorOf(message.language)
  if (isTest) return translator.text(texts.TEST_SUBJECT, PRODUCT_NAME, ruleTitle)
  const { raised, reminders, cleared } = translatedNotes(message)
  const [first] = [...raised, ...reminders, ...cleared]
  const counts = SORTS.map((sort) => ({
    count: message[sort].length + omitted[sort],
    ...SORT_TEXTS[sort],
  })).filter(({ count }) => count > 0)
  const [only, ...others] = counts
  if (only?.count === 1 && others.length === 0 && first !== undefined) {
    const severity = translator.text(SEVERITY_WORDS[first.severity])
    return translator.text(only.subject, PRODUCT_NAME, severity, headOf(first, translator))
  }
  const list = counts
    .map(({ count, single, several }) => translator.text(count === 1 ? single : several, count))
    .join(', ')
  const worst = worstOf([...raised, ...reminders])[0]
  if (worst === undefined) return translator.text(texts.ALARMS_SUBJECT, PRODUCT_NAME, list)
  const severity = translator.text(SEVERITY_WORDS[worst.severity])
  return translator.text(texts.WORST_SUBJECT, PRODUCT_NAME, severity, list)
}

/** 'Camera 1: Not running (and 300 caused by this)'. */
function headOf({ title, objectKind, rule, behind }: AlarmNote, { text }: Translator): string {
  const name = title === '' ? text(texts.OTHER_GROUP, text(KIND_WORDS[objectKind])) : title
  const more = behind === 0 ? '' : text(texts.CONSEQUENCES, behind)
  return text(texts.HEAD, name, text(RULES[rule].title), more)
}

export function textOf(message: NotificationMessage): string {
  const { omitted, isTest, ruleTitle, at, language } = message
  const translator = translatorOf(language)
  const { text, moment } = translator
  if (isTest) return `${text(texts.TEST_TEXT, ruleTitle, PRODUCT_NAME, moment(at))}\n`
  const notes = translatedNotes(message)
  const parts = SORTS.filter((sort) => notes[sort].length > 0).map((sort) => {
    const more = omitted[sort] === 0 ? [] : [text(texts.OMITTED, omitted[sort])]
    const listed = notes[sort].map((note) => noteText(note, translator))
    return [text(SORT_TEXTS[sort].heading), ...listed, ...more].join('\n\n')
  })
  const sentBy = text(texts.SENT_BY, ruleTitle, PRODUCT_NAME, moment(at))
  return `${[...parts, sentBy].join('\n\n')}\n`
}

function noteText(note: AlarmNote, translator: Translator): string {
  const { severity, objectKind, sentence, raisedAt, clearedAt } = note
  const { text, moment } = translator
  const kind = text(KIND_WORDS[objectKind])
  return [
    `${text(SEVERITY_WORDS[severity])} ${headOf(note, translator)}`,
    sentence,
    clearedAt === null
      ? text(texts.RAISED_AT, kind, moment(raisedAt))
      : text(texts.CLEARED_AT, kind, moment(raisedAt), moment(clearedAt)),
  ].join('\n')
}

/** The notes of each sort, what people read of them in the language of the message. */
export function translatedNotes(message: NotificationMessage): Notes {
  const { sentence, text } = translatorOf(message.language)
  const translated = (notes: readonly AlarmNote[]) =>
    notes.map((note) => ({
      ...note,
      // Parts of the console have names of ours, all else has names of people's own.
      title: note.objectKind === 'console' ? text(note.title) : note.title,
      sentence: sentence(note.sentence),
    }))
  return {
    raised: translated(message.raised),
    reminders: translated(message.reminders),
    cleared: translated(message.cleared),
  }
}

/** The body of a webhook: type, time and data, as Standard Webhooks recommends. */
export function webhookBodyOf(message: NotificationMessage): object {
  const { at, isTest, ruleTitle, language, omitted } = message
  const subject = subjectOf(message)
  return {
    type: isTest ? 'alarms.test' : 'alarms.changed',
    timestamp: at,
    data: { rule: ruleTitle, language, subject, ...translatedNotes(message), omitted },
  }
}
