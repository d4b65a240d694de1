/** What feeds a channel: its media server says where the channel takes its picture from. */
import type { ChannelSource } from '../fleet/streams/stream-links.ts'
import { isReached } from './hop-edges.rules.ts'
import * as channelEdgeStore from './channel-edges.store.ts'
import type { ListeningOutput, SenderAt } from './channel-edges.store.ts'
import type { HopEdge } from './hop-edges.store.ts'
import type { PathSource } from './path-source.ts'

/** The feeders and outputs before these channels. */
export async function beforeChannels(
  source: PathSource,
  channelIds: readonly string[],
): Promise<HopEdge[]> {
  const sources = channelIds.flatMap((id) => source.board.streams.links.sourcesOf(id))
  const [listening, calling] = [
    sources.filter(({ mode }) => mode === 'listen'),
    sources.filter(({ mode }) => mode === 'call'),
  ]
  const wanted = new Set(channelIds)
  const edges = [...(await callers(source, listening)), ...(await called(source, calling))]
  // Others may take their picture from the same address.
  return edges.filter(({ behind }) => wanted.has(behind.id))
}

/** The channels that take their picture from one of these feeders and outputs. */
export async function behindSenders(
  source: PathSource,
  { feederIds, outputIds }: { feederIds: readonly string[]; outputIds: readonly string[] },
): Promise<HopEdge[]> {
  const senders = [
    ...(await channelEdgeStore.feedersToStreams(source.db, { of: 'senders', ids: feederIds })),
    ...(await channelEdgeStore.outputsToStreams(source.db, { of: 'senders', ids: outputIds })),
  ]
  const outputs = await channelEdgeStore.listeningOutputs(source.db, {
    of: 'outputs',
    ids: outputIds,
  })
  return [...edgesOfSenders(source, senders), ...(await edgesOfOutputs(source, outputs))]
}

async function callers(source: PathSource, sources: readonly ChannelSource[]): Promise<HopEdge[]> {
  if (sources.length === 0) return []
  const by = {
    of: 'servers',
    ids: [...new Set(sources.map(({ serverId }) => serverId))],
    ports: [...new Set(sources.map(({ port }) => port))],
  } as const
  const senders = [
    ...(await channelEdgeStore.feedersToStreams(source.db, by)),
    ...(await channelEdgeStore.outputsToStreams(source.db, by)),
  ]
  return edgesOfSenders(source, senders)
}

async function called(source: PathSource, sources: readonly ChannelSource[]): Promise<HopEdge[]> {
  if (sources.length === 0) return []
  const outputs = await channelEdgeStore.listeningOutputs(source.db, {
    of: 'addresses',
    ids: [...new Set(sources.map(({ host }) => host))],
    ports: [...new Set(sources.map(({ port }) => port))],
  })
  return edgesOfOutputs(source, outputs)
}

function edgesOfSenders(source: PathSource, senders: readonly SenderAt[]): HopEdge[] {
  return senders.flatMap(({ sender, serverId, protocol, port }) => {
    const channelIds = source.board.streams.links.listening(serverId, protocol, port)
    return channelIds.map((id) => ({ before: sender, behind: { kind: 'channel' as const, id } }))
  })
}

async function edgesOfOutputs(
  source: PathSource,
  outputs: readonly ListeningOutput[],
): Promise<HopEdge[]> {
  const { links } = source.board.streams
  const found = outputs.flatMap((output) => {
    const ids = links.calling(output.protocol, output.address, output.port)
    return ids.map((channelId) => ({ ...output, channelId }))
  })
  const serverOf = (channelId: string) => links.sourcesOf(channelId)[0]?.serverId ?? ''
  const hosts = await channelEdgeStore.hostKeysOf(source.db, [
    ...new Set(found.map(({ channelId }) => serverOf(channelId))),
  ])
  return found
    .filter(({ address, listenerHost, channelId }) => {
      const callerHost = hosts.get(serverOf(channelId)) ?? ''
      return isReached({ address, callerHost, listenerHost })
    })
    .map(({ outputId, channelId }) => ({
      before: { kind: 'output', id: outputId },
      behind: { kind: 'channel', id: channelId },
    }))
}
