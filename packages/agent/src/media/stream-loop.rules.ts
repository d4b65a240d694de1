/** Pushes that would come back as the stream itself, round and round at full speed. Pure. */
import type { IngestSource, PushTarget } from '../commands/channel.command.ts'
import { StreamRefused } from './stream.refusal.ts'
import type { StoredStream } from './stream.schema.ts'
import { parseInputUrl, parsePushUrl } from './stream-url.rules.ts'

interface Place {
  host: string
  port: number
}

/** Groups between the programs of this host's streams. */
export const BUS_NETWORK = '239.78'
const THIS_HOST = /^(|0\.0\.0\.0|localhost|127(\.\d{1,3}){3})$/

/** Throws StreamRefused with the field at fault. */
export function refuseLoops({ inputs, pushes }: Pick<StoredStream, 'inputs' | 'pushes'>): void {
  const arrivals = inputs.map(({ url }) => placeOf(parseInputUrl(url), 'listen'))
  arrivals.forEach((place, at) => refuseBus(`inputs.${at}.url`, place))
  for (const [at, { url }] of pushes.entries()) {
    const target = placeOf(parsePushUrl(url), 'call')
    refuseBus(`pushes.${at}.url`, target)
    const back = arrivals.findIndex((place) => isSamePlace(place, target))
    if (back < 0) continue
    throw new StreamRefused(
      `pushes.${at}.url`,
      `sends the stream back into its own input ${back + 1}. Choose another address.`,
    )
  }
}

function refuseBus(field: string, place: Place | null): void {
  if (!place?.host.startsWith(`${BUS_NETWORK}.`)) return
  throw new StreamRefused(
    field,
    `has a group of ${BUS_NETWORK}.0.0, which this server keeps for its own programs. Choose another.`,
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
