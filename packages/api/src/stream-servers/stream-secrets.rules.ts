/**
 * The addresses and sentences of a media server without their secrets, and short enough to show.
 * Media servers answer them in clear; nobody is shown them, whatever their role (decisions.md 17).
 * An answer may be made to hurt: every step here takes time by the length of the text, no more.
 */
import type { MediaTrack, StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { seenText } from '@trunkline/contract/text.schema'

const MASK = '***'
/** A setting wherever it stands: `?passphrase=…`, `#!::pass=…`, ` password=…`. From a word's begin only. */
const SETTING = /(?<![A-Za-z0-9_.%-])([A-Za-z0-9_.%-]+)=/g
/** As sentences and JSON quote one: `password: …`, `"token":"…"`, `passphrase '…'`. */
const QUOTED = /(?<![A-Za-z0-9_.-])([A-Za-z0-9_.-]+)["']?\s{0,2}[:'"]/g
const BEARER = /\b(bearer|basic|digest)\s{1,3}\S+/gi
const SECRET_NAME =
  /(pass|passwd|password|passphrase|pwd|secret|psk|token|jwt|key|auth|authorization|credentials?|signature|sign?|hmac|hash|md5|hdnts|hdnea)$/
/** An address in an address is encoded, perhaps once more in another one. */
const MAX_DECODINGS = 3

/** What is looked at of a text; its end may be the middle of an address. */
const READ_CHARACTERS = 2000
/** What a call takes of an address of a push (channel.calls.ts); nobody reads longer ones. */
const MAX_ADDRESS_CHARACTERS = 500
const MAX_TEXT_CHARACTERS = 300
/** As titles of channels are. */
const MAX_TITLE_CHARACTERS = 120
const MAX_WORD_CHARACTERS = 64

/** The address as answers show it; unlike ones may look alike then. Of an answer of its own it makes the same. */
export function publicUrl(url: string): string {
  return masked(headOf(url), 0).slice(0, MAX_ADDRESS_CHARACTERS)
}

/** A sentence of the server's, which may quote addresses and settings. */
export function publicText(text: string): string {
  const shown = masked(headOf(text), 0).replace(BEARER, `$1 ${MASK}`)
  return cutAfterSecret(shown, QUOTED).slice(0, MAX_TEXT_CHARACTERS)
}

export function publicStream(stream: StreamDetail): StreamDetail {
  const { title, template, stats } = stream
  return {
    ...stream,
    ...withShort(stream, 'title', title, MAX_TITLE_CHARACTERS),
    ...withShort(stream, 'template', template ?? undefined, MAX_TITLE_CHARACTERS),
    inputs: stream.inputs.map(publicInput),
    pushes: stream.pushes.map(publicPush),
    stats: {
      ...stats,
      ...withShort(stats, 'status', stats.status, MAX_WORD_CHARACTERS),
      ...withSentence(stats, 'unplayable'),
      ...withMedia(stats),
    },
  }
}

function publicInput(input: StreamDetail['inputs'][number]): StreamDetail['inputs'][number] {
  const { url, stats } = input
  if (stats === undefined) return { ...input, url: publicUrl(url) }
  const sentences = { ...withSentence(stats, 'error'), ...withSentence(stats, 'unplayable') }
  return { ...input, url: publicUrl(url), stats: { ...stats, ...sentences, ...withMedia(stats) } }
}

function publicPush(push: StreamDetail['pushes'][number]): StreamDetail['pushes'][number] {
  const { url, stats } = push
  if (stats === undefined) return { ...push, url: publicUrl(url) }
  const error = withSentence(stats, 'last_error')
  const status = withShort(stats, 'status', stats.status, MAX_WORD_CHARACTERS)
  return { ...push, url: publicUrl(url), stats: { ...stats, ...status, ...error } }
}

function withMedia({ media_info: media }: { media_info?: StreamDetail['stats']['media_info'] }) {
  return media === undefined ? {} : { media_info: { tracks: media.tracks.map(publicTrack) } }
}

function publicTrack(track: MediaTrack): MediaTrack {
  const { codec, language, track_id: id } = track
  return {
    ...track,
    content: short(track.content, MAX_WORD_CHARACTERS),
    ...withShort(track, 'codec', codec, MAX_WORD_CHARACTERS),
    ...withShort(track, 'language', language, MAX_WORD_CHARACTERS),
    ...withShort(track, 'track_id', id, MAX_WORD_CHARACTERS),
  }
}

/** A field that was left out stays left out. */
function withSentence<const K extends string>(
  of: { [key in K]?: string | undefined },
  key: K,
): { [key in K]?: string } {
  const text = of[key]
  return (text === undefined ? {} : { [key]: publicText(text) }) as { [key in K]?: string }
}

/** The same for what is no sentence. */
function withShort<const K extends string>(
  _of: { [key in K]?: unknown },
  key: K,
  text: string | undefined,
  maxCharacters: number,
): { [key in K]?: string } {
  return (text === undefined ? {} : { [key]: short(text, maxCharacters) }) as {
    [key in K]?: string
  }
}

function short(text: string, maxCharacters: number): string {
  return masked(headOf(text), 0).slice(0, maxCharacters)
}

/** Where it is cut an @ may follow, which makes what stands before it a password. */
function headOf(text: string): string {
  if (text.length <= READ_CHARACTERS) return seenText(text)
  return `${seenText(text.slice(0, READ_CHARACTERS))}@`
}

function masked(text: string, decodings: number): string {
  const named = text.replace(/[^?\s]+/g, withoutUser)
  const parts = named.split('&').map((part) => withoutSecret(part, decodings))
  return parts.join('&').replace(/\S+/g, withoutStreamKey)
}

/** `scheme://user:password@host`; up to the last @, since a password may hold anything. */
function withoutUser(run: string): string {
  const from = run.indexOf('://') + 3
  const to = run.lastIndexOf('@')
  return from < 3 || to <= from ? run : run.slice(0, from) + MASK + run.slice(to)
}

/** RTMP: server, application, and the stream key as the last part of the path. */
function withoutStreamKey(run: string): string {
  const scheme = /rtmp\w{0,3}:\/\//i.exec(run)
  if (scheme === null) return run
  const from = scheme.index + scheme[0].length
  const [path = ''] = run.slice(from).split(/[?#]/, 1)
  const parts = path.split('/')
  if (parts.length < 3) return run
  const empty = parts.indexOf('')
  const kept = parts.slice(0, empty === -1 ? -1 : Math.max(1, empty))
  const to = from + kept.join('/').length + 1
  return to >= run.length ? run : run.slice(0, to) + MASK
}

/** A secret may hold any character but '&', so it is cut up to there. */
function withoutSecret(part: string, decodings: number): string {
  if (!part.includes('=') && !part.includes('%')) return part
  const shown = cutAfterSecret(part, SETTING)
  if (shown !== part || decodings === MAX_DECODINGS) return shown
  const inClear = decoded(part)
  if (inClear === part || masked(inClear, decodings + 1) === inClear) return part
  return part.slice(0, part.indexOf('%')) + MASK
}

function cutAfterSecret(text: string, settings: RegExp): string {
  for (const match of text.matchAll(settings)) {
    if (!isSecret(match[1] ?? '')) continue
    return text.slice(0, match.index + match[0].length) + MASK
  }
  return text
}

/** `pass%70hrase` is the same name to the server. Longer ones are no names. */
function isSecret(name: string): boolean {
  return SECRET_NAME.test(decoded(name.slice(-100)).toLowerCase().replace(/[-_.]/g, ''))
}

/** Plain characters only, which is what names and separators are; what is encoded wrongly stays. */
function decoded(text: string): string {
  return text.replace(/%([2-7][0-9a-f])/gi, (_whole, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}
