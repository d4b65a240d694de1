/** What the wall says. */
import { MAX_TILES } from './wall.rules.ts'

export const TITLE = 'Wall'
export const FROZEN = 'frozen picture'
export const NO_NEW_PICTURE = 'no new picture'
export const CHANNEL_OFF = 'Channel is off'
export const NO_SUCH_STREAM = 'The server lists no such stream'
export const SERVER_SILENT = 'No picture: the server does not answer'
export const NO_MEDIA = 'No picture: no media arrives'
export const LOADING = 'Loading'
export const PAUSED = 'Stopped while the detail is open'
export const FAULTS = {
  'cannot play': 'This browser cannot play live streams',
  'not loaded': 'The player could not be loaded. Reload the page.',
}
export const NO_ADDRESS =
  'The address of the picture could not be read. It is read again once the console server answers.'
export const LISTS_FAILED = 'The channels and encoders of the wall could not be read.'
export const READING = 'Reading'
export const CHOICES_FAILED = {
  channels: 'The channels could not be read. Close this and try again.',
  encoders: 'The encoders could not be read. Close this and try again.',
}
export const NOTHING_TO_ARRANGE = 'There is nothing on the wall to arrange.'
export const IS_FIRST = 'Already first.'
export const IS_LAST = 'Already last.'

export const EMPTY = {
  title: 'Nothing on the wall',
  what: 'The wall shows live pictures of channels and the newest pictures of encoders side by side, each in the colour of its state. Choose what you want to keep an eye on; this browser remembers it.',
  choose: 'Choose',
}

export const NOTHING_TO_CHOOSE = {
  channels: 'There is no channel that you may see.',
  encoders: 'There is no encoder that you may see.',
}

/** Null where all channels of a group can be added: `read` of `total`. */
export function groupDisabledReason(read: number, total: number): string | null {
  if (total === 0) return 'There is no channel in this group.'
  if (read === total) return null
  return `A wall shows at most ${MAX_TILES} tiles. Tick single channels below.`
}

/** Beside the group that is chosen, or 'All groups'. */
export function addAllText(channels: number): string {
  return channels === 1 ? 'Add its channel' : `Add all ${channels} channels`
}

export function tooMany(count: number): string {
  return `A wall shows at most ${MAX_TILES} tiles, so that each stays large enough and the browser keeps up. ${count} are chosen: untick ${count - MAX_TILES}.`
}

export function tilesText(count: number): string {
  return count === 1 ? '1 tile' : `${count} tiles`
}

/** @param troubles a sentence of each tile that is in trouble */
export function troubleText(troubles: readonly string[]): string {
  if (troubles.length === 0) return 'All tiles are OK.'
  const who = troubles.length === 1 ? '1 tile needs' : `${troubles.length} tiles need`
  return `${who} attention: ${troubles.join('; ')}.`
}

export function attentionText(count: number): string {
  return count === 1 ? '1 needs attention' : `${count} need attention`
}
