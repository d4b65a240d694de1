/** The Channels page in front of a fake API, with the streams of its channels pushed. */
import { screen, waitFor } from '@testing-library/react'
import { listChannels } from '@trunkline/contract/channels/channel.calls'
import { linkHistory } from '@trunkline/contract/contributions/history.calls'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import type { HostStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { Role } from '@trunkline/contract/roles'
import { listServers } from '@trunkline/contract/servers/server.calls'
import type { Server } from '@trunkline/contract/servers/server.schema'
import { expect } from 'vitest'
import { channelOf, streamOf, streamStatusOf } from '../test/channel.samples.ts'
import type { FakeApi } from '../test/fake-api.ts'
import { snapshotOf } from '../test/fake-stream.ts'
import { serverOf } from '../test/place.samples.ts'
import { renderConsole } from '../test/render-console.tsx'

export interface ChannelSite {
  channels: readonly Channel[]
  /** Those that are pushed. */
  streams: readonly StreamDetail[]
  servers: readonly Server[]
  hosts: readonly HostStatus[]
  role: Role
  path: string
  prepare: (api: FakeApi) => void
}

export const streamServer = serverOf('stream-01', { title: 'stream-01', serverType: 'channel' })

export async function openChannels(parts: Partial<ChannelSite>) {
  const { streams = [streamOf('a')], servers = [streamServer], hosts = [] } = parts
  // What the list answers; a test changes it as the API would.
  const known = { channels: parts.channels ?? [channelOf('a')] }
  const scene = renderConsole({
    path: parts.path ?? '/dashboard/channel',
    role: parts.role ?? 'admin',
    prepare: (api) => {
      api.on(listChannels).answer(({ body }) => {
        const { ids, page, rowsPerPage } = listChannels.body.parse(body)
        const all = known.channels.filter(({ id }) => ids?.includes(id) ?? true)
        const data = rowsPerPage === 0 ? all : all.slice(page * rowsPerPage).slice(0, rowsPerPage)
        return { status: true, data: [...data], total: all.length }
      })
      api
        .on(listServers)
        .answer(() => ({ status: true, data: [...servers], total: servers.length }))
      api
        .on(linkHistory)
        .answer(() => ({ status: true, fromMs: 0, toMs: 0, stepMs: 1, series: [] }))
      parts.prepare?.(api)
    },
  })
  await waitFor(() => expect(scene.api.stream.isConnected()).toBe(true))
  scene.api.stream.push(snapshotOf({ streams: streams.map(streamStatusOf), hosts: [...hosts] }))
  const row = async (name: RegExp) => screen.findByRole('row', { name })
  return { ...scene, known, row }
}

export function bodiesOf(api: FakeApi, route: Parameters<FakeApi['askedOf']>[0]) {
  return api.askedOf(route).map((item) => item.body)
}
