/** Pushes that would come back as the stream itself, round and round at full speed. Pure. */
import type { IngestSource, PushTarget } from '../../commands/channel.command.ts'
import { StreamRefused } from './stream.refusal.ts'
import type { StoredStream } from './stream.schema.ts'
import { parseInputUrl, parsePushUrl } from './stream-url.rules.ts'

interface Place {
  host: string
  port: number
}

/** What every channel server used before each had a network of its own. */
const OLD_NETWORK = '239.78'
const THIS_HOST = /^(|0\.0\.0\.0|localhost|127(\.\d{1,3}){3})$/

/** `busNetworks`: groups between the programs of this host's streams. Throws StreamRefused with the field at fault. */
export function refuseLoops(
  { inputs, pushes }: Pick<StoredStream, 'inputs' | 'pushes'>,
  busNetworks: readonly string[],
): void {
  const kept = new Set([OLD_NETWORK, ...busNetworks])
  const arrivals = inputs.map(({ url }) => placeOf(parseInputUrl(url), 'listen'))
  arrivals.forEach((place, at) => refuseBus(`inputs.${at}.url`, place, kept))
  for (const [at, { url }] of pushes.entries()) {
    const target = placeOf(parsePushUrl(url), 'call')
    refuseBus(`pushes.${at}.url`, target, kept)
    const back = arrivals.findIndex((place) => isSamePlace(place, target))
    if (back < 0) continue
    throw new StreamRefused(
      `pushes.${at}.url`,
      `sends the stream back into its own input ${back + 1}. Choose another address.`,
    )
  }
}

/** '239.78' of '239.78.0.1'. */
export function networkOf(ip: string): string {
  return ip.split('.').slice(0, 2).join('.')
}

function refuseBus(field: string, place: Place | null, kept: ReadonlySet<string>): void {
  const network = networkOf(place?.host ?? '')
  if (!kept.has(network)) return
  throw new StreamRefused(
    field,
    `has a group of ${network}.0.0, which this server keeps for its own programs. Choose another.`,
  )
}

/** Where an input is sent to, or a push sends: links that are made the other way round have none. */
function placeOf(end: IngestSource | PushTarget, mode: 'listen' | 'call'): Place | null {
  if (end.kind === 'udp') return end
  return end.kind === 'link' && end.leg.mode === mode ? end.leg : null
}

function isSamePlace(arrival: Place | null, target: Place | null): boolean {
  if (arrival === null || target === null || arrival.port !== target.port) return false
  const isHere = THIS_HOST.test(arrival.host) && THIS_HOST.test(target.host)
  return isHere || arrival.host === target.host
}
