/** Which files of a stream are relayed, and what a playlist may lead to: nothing beside the stream. */

const TYPES = {
  m3u8: 'application/vnd.apple.mpegurl',
  ts: 'video/mp2t',
  m4s: 'video/iso.segment',
  mp4: 'video/mp4',
} as const

/**
 * Plain names with single dots within, no percent sign: such a name leads nowhere else. Slashes only
 * in the folders that media servers document for the tracks of a stream and for the minute of a
 * segment, since a stream's name may hold slashes, too: `tracks-v1a1/`, `2026/03/22/08/06/`.
 */
const FILE =
  /^((?:tracks-[A-Za-z0-9]{1,40}\/)?(?:\d{4}(?:\/\d{2}){4}\/)?)[A-Za-z0-9_-]{1,200}(?:\.[A-Za-z0-9_-]{1,40}){0,2}\.(m3u8|ts|m4s|mp4)$/
/** Addresses in tags, as players find them: quoted or not, with spaces before the sign. */
const TAG_ADDRESS = /URI\s{0,20}=\s{0,20}(?:"([^"]*)"?|([^,]*))/gi
/**
 * Tags that players need of a live stream. Others may hold addresses of their own (ads, other servers
 * to steer to, variables to put addresses together from), and so they are left out.
 */
const TAG =
  /^#(?:EXTM3U|EXT-X-(?:VERSION|TARGETDURATION|MEDIA-SEQUENCE|DISCONTINUITY-SEQUENCE|DISCONTINUITY|ENDLIST|PLAYLIST-TYPE|I-FRAMES-ONLY|INDEPENDENT-SEGMENTS|START|BYTERANGE|KEY|MAP|PROGRAM-DATE-TIME|GAP|BITRATE|MEDIA|STREAM-INF|I-FRAME-STREAM-INF|SESSION-KEY|SERVER-CONTROL|PART-INF|PART|PRELOAD-HINT|RENDITION-REPORT|SKIP|ALLOW-CACHE))(?::|$)/
/** Its title is of no use, and a player may take what it cannot read in such a line for an address. */
const DURATION = /^#EXTINF:\s{0,20}(\d{1,10}(?:\.\d{1,20})?)(?:,|$)/
/** Between what ends a line for any player: it does not for another. */
// oxlint-disable-next-line no-control-regex
const LINE = /[^\u0000-\u0008\u000a-\u001f\u0085\u2028\u2029]+/g

/**
 * A media server could keep the API, which reads playlists in its one thread, busy with a larger one. Every
 * expression here looks at a character a bounded number of times, so these bound the time too. Two hours of
 * segments of one second have 14,400 lines.
 */
export const PLAYLIST_LIMITS = {
  bytes: 1024 * 1024,
  lines: 20_000,
  lineCharacters: 10_000,
} as const
/** Each follows 'the playlist'. */
export const IS_TOO_LARGE = 'is larger than 1 MB'
const HAS_TOO_MANY_LINES = 'has more than 20,000 lines'
const HAS_TOO_LONG_A_LINE = 'has a line of more than 10,000 characters'

export interface HlsFile {
  /** With its folders. */
  name: string
  /** Each folder with those above it, from the stream's own on: ['tracks-v1', 'tracks-v1/2026', …]. */
  folders: string[]
  contentType: string
  kind: 'playlist' | 'media'
}

/** null for a name that is not relayed. */
export function hlsFile(name: string): HlsFile | null {
  const match = FILE.exec(name)
  if (match === null) return null
  const [, path = ''] = match
  const extension = match[2] as keyof typeof TYPES
  const parts = path.split('/').slice(0, -1)
  const folders = parts.map((_, at) => parts.slice(0, at + 1).join('/'))
  const kind = extension === 'm3u8' ? 'playlist' : 'media'
  return { name, folders, contentType: TYPES[extension], kind }
}

/** `stray`: the first address that is no file of the stream; `excess`: which limit it is beyond. */
export type OwnPlaylist = { text: string } | { stray: string } | { excess: string }

/**
 * The playlist as it is handed on, or the first address in it that is no file beside or below it. A
 * player follows whatever a playlist names, so a media server could send it anywhere (quality.md
 * T14): only lines whose every reading is known are handed on.
 */
export function ownPlaylist(playlist: string): OwnPlaylist {
  if (playlist.length > PLAYLIST_LIMITS.bytes) return { excess: IS_TOO_LARGE }
  const lines: string[] = []
  let count = 0
  // One by one: what lies behind a refused line is not looked at.
  for (const [line] of playlist.matchAll(LINE)) {
    count += 1
    if (count > PLAYLIST_LIMITS.lines) return { excess: HAS_TOO_MANY_LINES }
    if (line.length > PLAYLIST_LIMITS.lineCharacters) return { excess: HAS_TOO_LONG_A_LINE }
    const text = line.trim()
    const stray = addressesIn(text).find((address) => hlsFile(withoutQuery(address)) === null)
    if (stray !== undefined) return { stray }
    const own = ownLine(text)
    if (own !== null) lines.push(own)
  }
  return { text: `${lines.join('\n')}\n` }
}

function addressesIn(text: string): string[] {
  if (text === '') return []
  if (!text.startsWith('#')) return [text]
  if (!TAG.test(text)) return []
  return [...text.matchAll(TAG_ADDRESS)].map((match) => match[1] ?? match[2] ?? '')
}

/** null for what is left out. */
function ownLine(text: string): string | null {
  const duration = DURATION.exec(text)?.[1]
  if (duration !== undefined) return `#EXTINF:${duration},`
  return text !== '' && (!text.startsWith('#') || TAG.test(text)) ? text : null
}

/** A query is never passed on to the server, so it may stand there. */
function withoutQuery(address: string): string {
  const [file = '', ...query] = address.split('?')
  return /[\s"\\]/.test(query.join('?')) ? '' : file
}

/** Of which names a stream would have this stream among its files: folders that the name lies in. */
export function namesAround(name: string): string[] {
  const parts = name.split('/')
  const around = parts.slice(1).map((_, at) => parts.slice(0, at + 1).join('/'))
  return around.filter((other) => hlsFile(`${name.slice(other.length + 1)}/index.m3u8`) !== null)
}
