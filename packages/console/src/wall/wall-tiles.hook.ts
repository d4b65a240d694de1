/** What this operator has on the wall: remembered by user, and only what is still there. */
import { useQuery } from '@tanstack/react-query'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { useMemo, useState } from 'react'
import { channelsQuery } from '../channels/channel.queries.ts'
import { encodersQuery, pickedEncodersQuery } from '../encoders/encoder.queries.ts'
import { useSession } from '../lib/session.ts'
import { storage } from '../lib/storage.ts'
import { firstTiles, idsOf, MAX_TILES, tileKey, type TileKey } from './wall.rules.ts'

export type WallTile =
  | { key: TileKey; kind: 'channel'; channel: Channel }
  | { key: TileKey; kind: 'encoder'; encoder: Encoder }

/** More cannot be on the first wall of somebody who has chosen nothing. */
const FIRST_LOOK_ROWS = 12
/** Desks are shared by a shift or two. */
const USERS_KEPT = 32

export function useWallTiles() {
  const session = useSession()
  const userId = session?.user._id ?? ''
  const [chosen, setChosen] = useState(() => remembered(userId))
  const ownGroup = session?.user.groups[0]?._id ?? ''
  const firstChannels = useQuery({
    ...channelsQuery({
      serverId: '',
      groupId: ownGroup,
      searchValue: '',
      page: 0,
      rowsPerPage: FIRST_LOOK_ROWS,
    }),
    enabled: chosen === null,
  })
  const firstEncoders = useQuery({
    ...encodersQuery({ page: 0, rows: FIRST_LOOK_ROWS, search: '', group: ownGroup }),
    enabled: chosen === null,
  })
  // Settled once, or the wall would change under who looks at it.
  if (chosen === null && firstChannels.data !== undefined && firstEncoders.data !== undefined) {
    setChosen(
      firstTiles(
        firstChannels.data.data.map(({ id }) => id),
        firstEncoders.data.result.map(({ _id }) => _id),
      ),
    )
  }
  const keys = chosen ?? NONE
  const channelIds = useMemo(() => idsOf('channel', keys).toSorted(), [keys])
  const channels = useQuery({
    ...channelsQuery({ ids: channelIds }),
    enabled: channelIds.length > 0,
  })
  const encoderIds = useMemo(() => idsOf('encoder', keys).toSorted(), [keys])
  const encoders = useQuery({
    ...pickedEncodersQuery(encoderIds),
    enabled: encoderIds.length > 0,
  })
  const tiles = useMemo(
    () => tilesOf(keys, channels.data?.data ?? [], encoders.data ?? []),
    [keys, channels.data, encoders.data],
  )
  const areChannelsKnown = channelIds.length === 0 || channels.data !== undefined
  const areEncodersKnown = encoderIds.length === 0 || encoders.data !== undefined
  const firstError = firstChannels.error ?? firstEncoders.error
  return {
    tiles,
    ownGroup,
    isLoading: chosen === null || !areChannelsKnown || !areEncodersKnown,
    error: channels.error ?? encoders.error ?? (chosen === null ? firstError : null),
    refetch: () => {
      const asked = chosen === null ? [firstChannels, firstEncoders] : [channels, encoders]
      void Promise.all(asked.map(async ({ refetch }) => refetch()))
    },
    choose: (next: readonly TileKey[]) => {
      remember(userId, next)
      setChosen(next)
    },
  }
}

const NONE: readonly TileKey[] = []

function tilesOf(
  keys: readonly TileKey[],
  channels: readonly Channel[],
  encoders: readonly Encoder[],
): WallTile[] {
  const known = new Map<string, WallTile>()
  for (const channel of channels) {
    const key = tileKey('channel', channel.id)
    known.set(key, { key, kind: 'channel', channel })
  }
  for (const encoder of encoders) {
    const key = tileKey('encoder', encoder._id)
    known.set(key, { key, kind: 'encoder', encoder })
  }
  return keys.flatMap((key) => known.get(key) ?? []).slice(0, MAX_TILES)
}

function remembered(userId: string): readonly TileKey[] | null {
  const keys = storage.wallTiles.read()?.find(([id]) => id === userId)?.[1]
  if (keys === undefined) return null
  return [...new Set(keys.filter((key): key is TileKey => /^(channel|encoder):./.test(key)))]
}

function remember(userId: string, keys: readonly TileKey[]): void {
  const others = (storage.wallTiles.read() ?? []).filter(([id]) => id !== userId)
  storage.wallTiles.write([...others.slice(1 - USERS_KEPT), [userId, [...keys]]])
}
