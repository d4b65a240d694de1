/** A signal path as it is now: what is configured, read now and then, with the live state of each hop. */
import { type UseQueryResult } from '@tanstack/react-query'
import { readingOfStream } from '@trunkline/contract/channels/stream-view.rules'
import { sourcesOf } from '@trunkline/contract/channels/channel.rules'
import { takenPortsOf } from '@trunkline/contract/channels/stream-address.rules'
import { hostKey, programKey, streamKey } from '@trunkline/contract/fleet/watch-key.rules'
import { withDelivery } from '@trunkline/contract/paths/delivery.rules'
import { factsOfHop, stateOfHop, type HopEvidence } from '@trunkline/contract/paths/hop-state.rules'
import type {
  HiddenHop,
  HopFact,
  ShownHop,
  SignalPath,
} from '@trunkline/contract/paths/path.schema'
import type { PathGraph } from '@trunkline/contract/paths/first-bad-hop.rules'
import type { JudgedHop } from '@trunkline/contract/paths/hop-reason.rules'
import { graphOf, verdictOf, type Verdict } from '@trunkline/contract/paths/verdict.rules'
import { useFreshness, useHosts, usePrograms, useStreams } from '../lib/live/live-hooks.ts'
import { signalPathQuery, type PathObject } from './path.queries.ts'
import { usePageQuery } from '../shared/page/page-query.hook.ts'

export type LiveHop = HiddenHop | (ShownHop & JudgedHop & { facts: HopFact[] })

export interface LivePath {
  hops: ReadonlyMap<string, LiveHop>
  graph: PathGraph
  verdict: Verdict
  isCut: boolean
}

/** `path` null: not read yet, or not to be had. `answer`: what is configured, as it was read last. */
export function useSignalPath(object: PathObject): {
  path: LivePath | null
  failure: unknown
  retry: () => void
  answer: UseQueryResult<SignalPath>
} {
  const answer = usePageQuery(signalPathQuery(object))
  const { data, error, refetch } = answer
  const path = useLivePath(data ?? NOTHING)
  return {
    path: data === undefined ? null : path,
    failure: data === undefined ? error : null,
    retry: () => void refetch(),
    answer,
  }
}

const NOTHING: SignalPath = { hops: [], edges: [], isCut: false }

/** Any path that was read, as it is now. */
export function useLivePath({ hops, edges, isCut }: SignalPath): LivePath {
  const shown = hops.filter((hop) => hop.isShown)
  const programKeys = shown.flatMap(programKeysOf)
  const channels = shown.filter(({ kind }) => kind === 'channel')
  const streamKeys = channels.map(streamKeyOf)
  const serverKeys = [...new Set(channels.map(serverKeyOf))]
  const programs = usePrograms(programKeys)
  const streams = useStreams(streamKeys)
  const servers = useHosts(serverKeys)
  const freshness = useFreshness([...programKeys, ...streamKeys])
  const evidenceOf = (hop: ShownHop): HopEvidence => {
    const [key = ''] = programKeysOf(hop)
    const isOfStream = hop.kind === 'channel' || hop.kind === 'push'
    const stream = isOfStream ? streams.get(streamKeyOf(hop)) : undefined
    const server = isOfStream ? (servers.get(serverKeyOf(hop)) ?? null) : null
    const reading = stream === undefined ? ('unread' as const) : readingOfStream(stream, server)
    const status = programs.get(key) ?? null
    return { status, reading, readAtMs: stream?.readAtMs ?? null, server, freshness }
  }
  const judged = hops.map((hop) => (hop.isShown ? liveHop(hop, evidenceOf(hop)) : hop))
  const live = withDelivery(judged, edges, isCut)
  const graph = graphOf(live, edges)
  return {
    hops: new Map(live.map((hop) => [hop.key, hop])),
    graph,
    verdict: verdictOf(live, graph),
    isCut,
  }
}

function liveHop(hop: ShownHop, evidence: HopEvidence): LiveHop {
  const { reading, status } = evidence
  const source = typeof reading === 'string' ? null : sourcesOf(reading)
  const error = (source?.current ?? source?.standby[0])?.stats?.error
  return {
    ...hop,
    state: stateOfHop(hop, evidence),
    facts: factsOfHop(hop, evidence),
    status,
    sourceError: error ?? '',
    takenPorts: typeof reading === 'string' ? [] : takenPortsOf(reading),
  }
}

function programKeysOf({ kind, id }: ShownHop): string[] {
  const isProgram = kind !== 'channel' && kind !== 'destination' && kind !== 'push'
  return isProgram ? [programKey(kind, id)] : []
}

function streamKeyOf({ serverId, streamName }: ShownHop): string {
  return streamKey(serverId, streamName)
}

function serverKeyOf({ serverId }: ShownHop): string {
  return hostKey('server', serverId)
}
