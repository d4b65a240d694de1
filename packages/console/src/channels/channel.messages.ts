/** What the Channels pages say. The texts of the error catalogue are letter for letter. */
import { decimalText } from '@trunkline/contract/number-text.rules'
import type { EngineFailure } from './player/player.rules.ts'
import { LOCALE } from '../lib/locale/language.ts'

export const TITLE_UPDATED = 'Channel title updated successfully!'
export const TITLE_FAILED = 'Error updating channel title!'
export const RESTARTED = 'Server restarted successfully!'
export const RESTART_FAILED = 'Failed to restart the server!'
export const STATUS_UPDATED = 'Status updated successfully!'
export const STATUS_FAILED = 'Something went wrong! Please try again.'

/** Who loses the picture while the channel is off, or restarts. */
function whoLoses(pushes: number): string {
  if (pushes === 0) return 'Viewers lose the picture'
  return `Viewers and ${pushes === 1 ? '1 push output' : `${pushes} push outputs`} lose the picture`
}

export const RESTART_KEEP = 'Keep running'
export const RESTART_DO = 'Restart channel'
export const OFF_DO = 'Switch off'
export const OFF_KEEP = 'Keep it on'

/** `pushes`: how many push outputs are on. */
export function restartSentences(title: string, pushes: number): readonly string[] {
  return [`Restart ${title}.`, `${whoLoses(pushes)} for a few seconds.`]
}

export function offSentences(title: string, pushes: number): readonly string[] {
  return [`Switch off ${title}.`, `${whoLoses(pushes)} until it is switched on again.`]
}

export function pushOffSentences(title: string, url: string): readonly string[] {
  return [
    `Switch off a push output of ${title}.`,
    `${url} gets no stream until it is switched on again.`,
  ]
}

export function isOffText(what: string): string {
  return `${what} is off.`
}

export const TITLE_EMPTY = 'The title must not be empty. Type at least one character.'
export const STREAM_UNREAD = 'The stream could not be read, so it cannot be changed now.'
export const STREAM_GONE = 'The server does not list this stream any more.'
export const LIST_FAILED = 'The list of channels could not be read.'

/* The list, and Sync. */

/** CHAN-38. */
export const STREAMS_SAVED = 'Saved streams successfully!'
export const SAVE_FAILED = 'The streams could not be saved. Please try again.'
/** CHAN-34, DLG-09. */
export const FIELD_REQUIRED = 'This field is required'
export const SELECT_SERVER = 'Select a server'
export const SELECT_GROUP = 'Select a group'
export const SERVERS_FAILED = 'The servers could not be read. Close this and try again.'
export const NO_GROUP = 'You are in no group yet, and a channel belongs to a group. Ask an admin.'
export const NO_SERVER = {
  admin: 'There is no server of type channel yet. Add one under Servers.',
  manager: 'No server of type channel is shared with your groups. Ask an admin.',
} as const
export const SILENT_SERVER = 'The media server does not answer.'
export const SILENT_NOW = 'It does not answer at the moment.'
export const STREAMS_FAILED = 'Its streams could not be read.'
export const NOT_SAVABLE =
  'Cannot be a channel: its name may contain only letters, digits, - _ . and /.'

export function streamsFailed(server: string): string {
  return `The streams of ${server} could not be read`
}

export function noStreams(server: string): string {
  return `${server} has no streams`
}

export const NO_STREAMS = {
  admin: 'Create a stream on the media server; Sync then lists it here.',
  manager: 'It has none for your groups: channels of other groups are not listed here.',
} as const

/** Fewer seconds than these are no news. */
const SLOW_AFTER_S = 3

export function readingText(server: string, seconds: number): string {
  const asked = `Asking ${server} for its streams`
  return seconds < SLOW_AFTER_S ? `${asked} …` : `${asked} for ${seconds} s. It is slow to answer.`
}

export const SAVE_INERT = {
  reading: 'The streams have not been read yet.',
  failed: STREAMS_FAILED,
  none: 'There is no stream to save.',
  nothingTicked: 'Select at least one stream.',
} as const

function streamsText(count: number): string {
  return count === 1 ? '1 stream' : `${count.toLocaleString(LOCALE)} streams`
}

export function savedText(count: number): string {
  return `${streamsText(count)} in the list.`
}

export function tickedText(ticked: number, all: number): string {
  return `${ticked.toLocaleString(LOCALE)} of ${all.toLocaleString(LOCALE)} selected`
}

export function newText(count: number): string {
  return count === 0 ? 'none new' : `${count.toLocaleString(LOCALE)} new`
}

/** Before a refusal: what of a long list is saved all the same. */
export function savedBeforeText(count: number): string {
  return count === 0 ? 'Nothing is saved.' : `The first ${streamsText(count)} are saved.`
}

export function refusedText(count: number): string {
  const marked = count === 1 ? 'It is marked' : 'They are marked'
  return `${streamsText(count)} refused. ${marked} in the list.`
}

/** Channels that a Sync cannot bring up to date: their stream is not there (Q129). */
export function goneText(titles: readonly string[]): string {
  const [first = '', second] = titles
  if (second === undefined) return `${first} is in the list, but not on this server any more.`
  const others = titles.length - 2
  const more = others === 0 ? '' : ` and ${others.toLocaleString(LOCALE)} more`
  return `${first}${others === 0 ? ' and ' : ', '}${second}${more} are in the list, but not on this server any more.`
}

/** Leaving the list of streams with ticks taken off. */
export function leaveSyncText(unticked: number): string {
  return `${streamsText(unticked)} deselected, not saved.`
}

export const REMOVED = 'Channel removed from the list'
export const REMOVE_FAILED = 'The channel could not be removed from the list.'
export const TAKE_OUT = 'Remove from list…'

export function removeSentences(title: string, name: string, server: string): readonly string[] {
  return [
    `Remove ${title} from the list.`,
    `Its stream ${name} keeps running on ${server}. Sync adds it again, under the title of the stream.`,
  ]
}

/** Why there is no picture, and what happens next. */
export function noPictureText(failure: EngineFailure): { cause: string; next: string } {
  return { cause: causeOf(failure), next: 'Retrying every 2 s. The picture returns by itself.' }
}

function causeOf(failure: EngineFailure): string {
  if (failure.kind === 'media') return 'The picture could not be decoded'
  const part = failure.kind === 'playlist' ? 'playlist' : 'media'
  const { httpStatus } = failure
  if (httpStatus === 0) return `The ${part} could not be reached`
  if (httpStatus === 404) return 'No playlist yet: no media has arrived at the channel server'
  if (httpStatus === 401 || httpStatus === 403) return `The server refused the ${part}`
  return `The server could not deliver the ${part} (answer ${httpStatus})`
}

/* The detail. */

export const SWITCHED_OFF = 'The channel is off. Switch it on first.'
export const SOURCE_SWITCHED = 'Source switched'
/** Its media server takes it as soon as it is well, or has not said so yet. */
export const SOURCE_CHOSEN = 'Source chosen, the server switches to it as soon as it can'
export const SOURCE_FAILED = 'The source could not be switched.'
export const SOURCE_DO = 'Switch source'
export const SOURCE_KEEP = 'Keep the source'

interface SourceQuestion {
  title: string
  /** Null: none carries a picture. */
  from: string | null
  to: string
  isReady: boolean
}

/** The object, and what viewers see of it. */
export function sourceSentences({ title, from, to, isReady }: SourceQuestion): readonly string[] {
  const now = from === null ? `${title} shows no source now.` : `${title} shows ${from}.`
  const then = isReady
    ? `It changes to ${to} at once; viewers and push outputs may see a short jump.`
    : `It changes to ${to}, which is not ready: the current picture stays until that source is ready.`
  return [now, then]
}

/** Why the input's rate and that of the playlist differ. */
export const WITH_STUFFING = 'with stuffing'
export const WITHOUT_STUFFING = 'without stuffing'

/** Behind the newest that the playlist offers; how old that is, nobody measures. */
export function behindText(seconds: number): string {
  return `${decimalText(seconds, 1)} s behind live edge`
}

/** Media come, and show or sound nothing. */
export const FINDING = {
  black: { says: 'Black', sentence: 'The picture is black' },
  frozen: { says: 'Frozen', sentence: 'The picture is frozen' },
  silent: { says: 'Silent', sentence: 'The audio is silent' },
} as const

/** The signal path, hop by hop. */
export const PATH = {
  label: 'Signal path',
  source: 'Source',
  server: 'Media server',
  transcoder: 'Transcoder',
  playlist: 'Playlist',
  here: 'Player',
  unknown: 'Unknown',
  reading: 'Reading',
  waits: 'Waiting',
  off: 'Off',
  on: 'On',
  none: 'None',
  active: 'Active',
  noSource: 'No source',
  noMedia: 'No media',
  silent: 'No answer',
  noStream: 'No such stream',
  answers: 'Answers',
  passedOn: 'Passed through',
  singleSize: '1 size',
  sizes: (count: number) => `${count} sizes`,
  noPlaylist: 'Not read',
  newest: (seconds: string) => `${seconds} s old`,
  late: 'No new segment',
  direct: 'From the server',
  relayed: 'via the console',
  moving: 'Moving',
  behind: behindText,
  paused: 'Paused',
  loading: 'Loading',
  frozen: (duration: string) => `Frozen ${duration}`,
  noPicture: 'No picture',
  allWell: 'Every hop carries the picture.',
  allOff: 'The channel is off.',
  waiting: 'Not every hop is known yet.',
  unseen: 'The current state is not known.',
  firstBad: ({ kind, says, cause }: { kind: string; says: string; cause: string }) =>
    `First bad hop: ${kind}. ${sentence(cause || says)}`,
} as const

function sentence(words: string): string {
  return words.endsWith('.') ? words : `${words}.`
}

/** Its server lists a picture and no sound with it. */
export const NO_SOUND = 'No audio in the stream'

export const NO_CHANGES = 'Nobody has changed this channel yet.'
export const CHANGES_FAILED = 'The record of activity could not be read.'
