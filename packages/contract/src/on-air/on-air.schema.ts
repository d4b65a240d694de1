/** What is on air: put so by a person, at once or for a time span, and guarded by the API until it is over. */
import { z } from 'zod'

/** What can be on air: whatever has a signal path of its own. */
export const OnAirKind = z.enum(['encoder', 'feeder', 'input', 'output', 'channel'])
export type OnAirKind = z.infer<typeof OnAirKind>

/** Open marks of a site, scheduled ones included: every browser is sent those that its viewer may see. */
export const ON_AIR_MARKS_AT_MOST = 500
export const ON_AIR_NOTE_CHARACTERS = 200

export const OnAirMark = z.object({
  kind: OnAirKind,
  /** A feeder goes by its name. */
  id: z.string(),
  /** Milliseconds since 1970, API clock. */
  fromMs: z.number(),
  /** Null: until it is taken off air. */
  untilMs: z.number().nullable(),
  /** Whether it has begun, by the API's clock. */
  isOnAir: z.boolean(),
  /** Of the mark, for the next change of it. */
  version: z.number(),
})
export type OnAirMark = z.infer<typeof OnAirMark>

/** As the live stream carries it: all open marks that this person may see. */
export const OnAirMarks = z.object({ marks: z.array(OnAirMark) })
export type OnAirMarks = z.infer<typeof OnAirMarks>

export const OnAirRecord = OnAirMark.extend({
  _id: z.string(),
  title: z.string(),
  note: z.string(),
  /** Who put it on air, as they were called. */
  by: z.string(),
})
export type OnAirRecord = z.infer<typeof OnAirRecord>

/**
 * What a change would do to an object that is on air. dark: it loses its signal; cut: its signal is
 * cut off behind it.
 */
export const OnAirEffect = z.object({
  kind: OnAirKind,
  id: z.string(),
  title: z.string(),
  effect: z.enum(['dark', 'cut']),
})
export type OnAirEffect = z.infer<typeof OnAirEffect>

/** More are counted, not listed: whoever confirms the first of them confirms all. */
export const ON_AIR_LISTED = 10

/** Beside a refusal with the code 'on_air'. */
export const OnAirRefusal = z.object({
  /** Of those that this person may see, the first `ON_AIR_LISTED`; those that lose the stream come first. */
  effects: z.array(OnAirEffect).max(ON_AIR_LISTED),
  /** Further ones that this person may see. */
  more: z.number(),
  /** Of others' groups, or of a kind that this role does not see. With any of them only an admin may go on. */
  hidden: z.number(),
  mayOverride: z.boolean(),
})
export type OnAirRefusal = z.infer<typeof OnAirRefusal>
