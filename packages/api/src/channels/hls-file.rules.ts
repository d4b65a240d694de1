/** Which files of a stream are relayed, and what a playlist may lead to. Nothing but plain names. */

const TYPES = {
  m3u8: 'application/vnd.apple.mpegurl',
  ts: 'video/mp2t',
  m4s: 'video/iso.segment',
  mp4: 'video/mp4',
} as const

/** No slash, no dot but the last, no percent sign: such a name leads nowhere else. */
const FILE = /^[A-Za-z0-9_-]{1,200}\.(m3u8|ts|m4s|mp4)$/
/** Addresses stand on lines of their own, or in tags as URI="…". */
const TAG_ADDRESS = /URI="([^"]*)"/gi

export interface HlsFile {
  name: string
  contentType: string
  kind: 'playlist' | 'media'
}

/** null for a name that is not relayed. */
export function hlsFile(name: string): HlsFile | null {
  const extension = FILE.exec(name)?.[1] as keyof typeof TYPES | undefined
  if (extension === undefined) return null
  const kind = extension === 'm3u8' ? 'playlist' : 'media'
  return { name, contentType: TYPES[extension], kind }
}

/**
 * The first address in a playlist that is no file beside it; null when all are. A player follows
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
