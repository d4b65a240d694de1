/** The connected peer as an operator sees it: address, and what SRT negotiated with it. */
import type { PeerFacts } from '@trunkline/contract/fleet/observed.schema'
import { peerOf, type Program } from './program.ts'

const NOTHING: Omit<PeerFacts, 'sinceMs'> = {
  address: '',
  latencyMs: null,
  latencyOf: 'stream',
  encryption: '',
  srtVersion: '',
}

interface PeerBefore {
  facts: PeerFacts | null
  /** Since when there is a peer. */
  peerSinceMs: number
}

/** Null while there is no peer, or nothing is known of it. Over a start of ours they go on. */
export function peerFactsOf(program: Program, before: PeerBefore, nowMs: number): PeerFacts | null {
  if (peerOf(program) !== 'connected' || program.unit.output === 'ffmpeg') return null
  const known = before.facts
  const seen = program.unit.output === 'srt' ? srtFacts(program) : ristFacts(program)
  if (known === null) {
    return seen.address === '' && seen.latencyMs === null
      ? null
      : { ...seen, sinceMs: before.peerSinceMs }
  }
  const areBothKnown = known.address !== '' && seen.address !== ''
  if (areBothKnown && known.address !== seen.address) return { ...seen, sinceMs: nowMs }
  return {
    sinceMs: known.sinceMs,
    address: seen.address || known.address,
    latencyMs: seen.latencyMs ?? known.latencyMs,
    latencyOf: seen.latencyMs === null ? known.latencyOf : seen.latencyOf,
    encryption: seen.encryption || known.encryption,
    srtVersion: seen.srtVersion || known.srtVersion,
  }
}

function srtFacts(program: Program): Omit<PeerFacts, 'sinceMs'> {
  const { handshake } = program.peer
  return {
    address: handshake?.address ?? '',
    ...srtLatency(program),
    encryption: handshake?.encryption ?? '',
    srtVersion: handshake?.version ?? '',
  }
}

/**
 * SRT negotiates a latency for each direction, the larger of what both ends ask for. The tool
 * reports that of what it receives alone. What it sends: a listener learns what its caller asks for.
 */
function srtLatency(program: Program): Pick<PeerFacts, 'latencyMs' | 'latencyOf'> {
  const { spec, unit, peer } = program
  if (unit.direction === 'receive') return { latencyMs: peer.latencyMs, latencyOf: 'stream' }
  const asked = peer.handshake?.peerLatencyMs ?? null
  const own = spec === null || spec.kind === 'encoder' ? null : ownLatency(spec.outer)
  return asked === null || own === null
    ? { latencyMs: peer.latencyMs, latencyOf: 'return' }
    : { latencyMs: Math.max(own, asked), latencyOf: 'stream' }
}

type Outer = Extract<NonNullable<Program['spec']>, { kind: 'sender' }>['outer']

/** Null where advanced parameters set one for each direction. */
function ownLatency(outer: Outer): number | null {
  if (outer.protocol !== 'srt') return null
  const isPlain = outer.advanced.every(({ key }) => !key.toLowerCase().endsWith('latency'))
  return isPlain ? outer.latencyMs : null
}

/** RIST negotiates nothing that its tools report. */
function ristFacts({ unit, peer, reading }: Program): Omit<PeerFacts, 'sinceMs'> {
  const paths = (reading?.kind === 'link' && reading.paths) || []
  const alive = paths.filter((path) => path.isAlive).map((path) => path.address)
  const called = unit.argv.flatMap((word) =>
    [...word.matchAll(/rist:\/\/([^@?/][^?/]*)/g)].map((match) => match[1] ?? ''),
  )
  const addresses = [alive, called, peer.addresses].find((list) => list.length > 0) ?? []
  return { ...NOTHING, address: addresses.filter((candidate) => candidate !== '').join(', ') }
}
