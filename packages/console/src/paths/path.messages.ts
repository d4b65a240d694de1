import type { Shape } from '@trunkline/contract/fleet/state-view.rules'
import type { HiddenHop, HopFact, HopKind } from '@trunkline/contract/paths/path.schema'
import { agoText, durationText } from '../shared/format.ts'
import { LOCALE } from '../lib/locale/language.ts'

export const PATH = 'Signal path'
export const PATHS = 'Signal paths'
export const PATHS_FAILED = 'The signal paths could not be read.'
export const PATHS_NONE = 'No signal paths yet'
export const PATHS_NONE_WHY = 'A path begins with an encoder, an input or a channel.'
export const PATHS_WELL = 'No path needs attention'
export const PATHS_FOOT = 'Worst first. Each path starts at the first hop that you can see.'
export const ALL_PATHS = 'All signal paths'
export const UPSTREAM = 'Signal path before the source'

export const KIND_WORDS: Readonly<Record<HopKind, string>> = {
  encoder: 'Encoder',
  feeder: 'Feeder',
  input: 'Input',
  output: 'Output',
  destination: 'Destination',
  channel: 'Channel',
  push: 'Push output',
}

export const HIDDEN_WORDS: Readonly<Record<HiddenHop['why'], string>> = {
  group: 'In another group',
  role: 'Not visible to your role',
}

export const HEALTH_WORDS: Readonly<Record<HiddenHop['family'], string>> = {
  bad: 'Critical',
  blind: 'Unreachable',
  warn: 'Warning',
  move: 'Starting',
  off: 'Off',
  ok: 'Well',
}

export const HEALTH_SHAPES = {
  bad: 'octagon',
  blind: 'diamond-question',
  warn: 'triangle',
  move: 'arc',
  off: 'square',
  ok: 'disc',
} as const satisfies Record<HiddenHop['family'], Shape>

export const FACT_WORDS: Readonly<Record<HopFact['name'], string>> = {
  process: 'Process',
  link: 'Link',
  media: 'Media',
  delivery: 'Delivery',
}

/** 'Link: Connected to 192.0.2.7:5000, for 1:02:11, read 2 s ago'. */
export function evidenceText({ name, text, sinceMs, readAtMs }: HopFact, nowMs: number): string {
  const since = sinceMs === null ? '' : `, for ${durationText(nowMs - sinceMs)}`
  const read = readAtMs === null ? '' : `, read ${agoText(nowMs - readAtMs)}`
  return `${FACT_WORDS[name]}: ${text}${since}${read}`
}

export const PATH_FAILED = 'The signal path could not be read.'
/** Where no reason came with the failure. */
export const PATH_FAILED_FIX = 'Try again in a moment.'
export const PATH_GONE = 'There is no such object, or you may not see it.'
export const PATH_CUT = 'This path has more hops than are shown here. Open the path of a later hop.'
export const ALONE = 'Nothing is configured before or behind it.'
export const FIRST_BAD = 'First bad hop'

export function foldedText(count: number, isOpen: boolean): string {
  const hops = count === 1 ? '1 hop' : `${count} hops`
  return isOpen ? `Hide ${hops} behind it` : `Show ${hops} behind it`
}

/** '2 more' of the hops side by side that a line has no room for. */
export function moreText(count: number): string {
  return `${count.toLocaleString(LOCALE)} more`
}
