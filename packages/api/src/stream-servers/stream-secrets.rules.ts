/**
 * The addresses of a stream's inputs and pushes without their secrets. Media servers answer them in
 * clear; nobody is shown them, whatever their role (decisions.md 17).
 */
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'

const MASK = '***'
/** `scheme://user:password@host`; up to the last @, since a password may hold anything. */
const USER = /(:\/\/)[^?\s]+@/g
/** Server, application, and the stream key as the last part of the path. */
const RTMP = /^(rtmps?:\/\/[^/?#]+(?:\/[^/?#]+)+\/)\S+$/i
/** A setting wherever it stands: `?passphrase=…`, `#!::pass=…`, ` password=…`. */
const SETTING = /([A-Za-z0-9_.%-]+)=/g
const SECRET_NAME =
  /(pass|passwd|password|passphrase|pwd|secret|token|key|auth|authorization|credentials?|signature|sign?|hash)$/

/** The address as answers show it; unlike ones may look alike then. Also for texts that quote one. */
export function publicUrl(url: string): string {
  return withoutSettings(url.replace(USER, `$1${MASK}@`)).replace(
    RTMP,
    (_whole, server: string) => server + MASK,
  )
}

export function publicStream(stream: StreamDetail): StreamDetail {
  return {
    ...stream,
    inputs: stream.inputs.map((input) => ({ ...input, url: publicUrl(input.url) })),
    pushes: stream.pushes.map((push) => ({ ...push, url: publicUrl(push.url) })),
  }
}

/** A secret may hold any character but '&', so it is cut up to there. */
function withoutSettings(url: string): string {
  return url.split('&').map(withoutSecret).join('&')
}

function withoutSecret(part: string): string {
  for (const match of part.matchAll(SETTING)) {
    if (!isSecret(match[1] ?? '')) continue
    return part.slice(0, match.index + match[0].length) + MASK
  }
  return part
}

function isSecret(name: string): boolean {
  return SECRET_NAME.test(decoded(name).toLowerCase().replace(/[-_.]/g, ''))
}

/** `pass%70hrase` is the same name to the server. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
