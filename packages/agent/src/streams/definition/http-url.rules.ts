/**
 * Addresses of streams that are fetched from a web server: `http://`, `https://`, and the media
 * servers' own words for the same, `tshttp://` and `tshttps://`. Pure.
 */
import { HostName } from '@trunkline/contract/text.schema'
import type { HttpEnd } from '../../commands/channel.command.ts'

/** Scheme, user with password, host, port, path, query. No percent signs, quotes or spaces. */
const HTTP =
  /^(?:ts)?(https?):\/\/(?:([A-Za-z0-9._~-]+(?::[A-Za-z0-9._~-]+)?)@)?([^:/?@]+)(?::(\d{1,5}))?(\/[A-Za-z0-9._~/:,@+=-]*)?(?:\?([A-Za-z0-9._~/:,@+=&-]*))?$/
const IS_HTTP = /^(ts)?https?:\/\//
/** Parameters whose values let somebody in. */
const SECRET_KEY = /token|key|secret|pass|auth|sig|session|credential/i
const USER = /^((?:ts)?https?:\/\/)([^/?@]+)@/
const PARAMETER = /([?&])([^=&?]+)=([^&]*)/g

export function isHttpUrl(url: string): boolean {
  return IS_HTTP.test(url)
}

/** Null for an address of another form. */
export function parseHttpUrl(url: string): HttpEnd | null {
  const match = HTTP.exec(url)
  if (!match) return null
  const [, scheme = '', user, host = '', port, path = '/', query] = match
  if (!HostName.safeParse(host).success) return null
  // A web server's port may be one below 1024, which ours never are.
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return null
  const place = `${user === undefined ? '' : `${user}@`}${host}${port === undefined ? '' : `:${port}`}`
  const plain = `${scheme}://${place}${path}${query === undefined ? '' : `?${query}`}`
  return { kind: 'http', url: plain, secrets: secretsOf(user, query ?? '') }
}

/** The address without user, password and what else lets somebody in. */
export function maskedHttpUrl(url: string, mask: string): string {
  return url
    .replace(USER, `$1${mask}@`)
    .replace(PARAMETER, (whole, mark: string, key: string) =>
      SECRET_KEY.test(key) ? `${mark}${key}=${mask}` : whole,
    )
}

/** As they may stand in a tool's own lines: together and alone. */
function secretsOf(user: string | undefined, query: string): string[] {
  const values = query
    .split('&')
    .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)] as const)
    .filter(([key]) => SECRET_KEY.test(key))
    .map(([, value]) => value)
  const password = user?.includes(':') ? [user, user.slice(user.indexOf(':') + 1)] : user
  return [password ?? [], values].flat().filter((value) => value !== '')
}
