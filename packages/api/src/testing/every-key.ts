/** Keys of everything that the site has, whoever may see it: what a browser could ask for at most. */
import { CountedKind } from '@trunkline/contract/fleet/fleet.schema'
import {
  countsKey,
  hostKey,
  programKey,
  streamKey,
} from '@trunkline/contract/fleet/watch-key.rules'
import type { Context } from '../context.ts'

export function everyKey({ board, hosts, programs }: Context): string[] {
  return [
    ...[...programs.allWanted()].map(({ kind, id }) => programKey(kind, id)),
    ...hosts.records().map(({ kind, id }) => hostKey(kind, id)),
    ...board.streams.channels().map(({ status }) => streamKey(status.serverId, status.streamName)),
    ...CountedKind.options.map((kind) => countsKey(kind, '')),
  ]
}
