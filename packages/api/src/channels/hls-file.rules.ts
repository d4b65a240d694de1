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
/** Addresses stand on lines of their own, or in tags as URI="…". */
const TAG_ADDRESS = /URI="([^"]*)"/gi

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

/**
 * The first address in a playlist that is no file beside or below it; null when all are. A player follows
 * whatever a playlist names, so a media server could send it anywhere (quality.md T14).
 */
export function strayAddress(playlist: string): string | null {
  const addresses = playlist.split(/\r?\n|\r/).flatMap((line) => {
    const text = line.trim()
    if (text.startsWith('#')) return [...text.matchAll(TAG_ADDRESS)].map((match) => match[1] ?? '')
    return text === '' ? [] : [text]
  })
  return addresses.find((address) => hlsFile(withoutQuery(address)) === null) ?? null
}

/** A query is never passed on to the server, so it may stand there. */
function withoutQuery(address: string): string {
  return address.split('?')[0] ?? ''
}
