/** The whole fleet in three counts, from the live store. */
import type { ProgramStatus, StreamStatus } from '@trunkline/contract/fleet/fleet.schema'
import {
  isStale,
  stateView,
  tallyOf,
  type Family,
  type Freshness,
  type Tally,
} from '@trunkline/contract/fleet/state-view.rules'
import { useFreshness, useHosts, usePrograms, useStreams } from '../lib/live-hooks.ts'
import { familyOfHost } from '../shared/state/host-family.rules.ts'

/** Null until the first picture of the fleet is there. */
export function useFleetTally(): Tally | null {
  const programs = usePrograms()
  const streams = useStreams()
  const hosts = useHosts()
  const freshness = useFreshness()
  if (!freshness.isLoaded) return null
  return tallyOf([
    ...[...programs.values()].map((program) => familyOfProgram(program, freshness)),
    ...[...streams.values()].map((stream) => familyOfStream(stream, freshness)),
    // An encoder's host is not counted beside its encoder, which may be off on purpose.
    ...[...hosts.values()]
      .filter(({ kind }) => kind === 'server')
      .map((host) => familyOfHost(host, freshness)),
  ])
}

/** What nobody wants to run cannot be in trouble: a switched-off thing on a silent host is off. */
export function familyOfProgram(status: ProgramStatus, freshness: Freshness): Family {
  if (status.wanted === 'stopped' && status.state !== 'running') return 'off'
  const known = { isEnabled: true, isConfigured: true, inputType: null }
  return stateView({ ...known, kind: status.kind, status, freshness }).family
}

function familyOfStream({ stream }: StreamStatus, freshness: Freshness): Family {
  if (isStale(freshness)) return 'blind'
  if (stream === null) return 'blind'
  if (stream.disabled === true) return 'off'
  return stream.stats.alive === true ? 'ok' : 'bad'
}
