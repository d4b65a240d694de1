/** A link to a channel server that requires playback tokens: shown, and renewed under a player that plays. */
import { act, screen, within } from '@testing-library/react'
import { listChannels, readPlayback, readStreams } from '@trunkline/contract/channels/channel.calls'
import { listServers } from '@trunkline/contract/servers/server.calls'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { channelOf, streamOf } from '../../test/channel.samples.ts'
import { FOUND_WITHIN_MS } from '../../test/limits.ts'
import { renderConsole, resetConsole } from '../../test/render-console.tsx'
import type { EngineEvents, MediaRequest } from './hls.client.ts'

const PLAYLIST = { segments: 6, segmentS: 2, renditions: 1, ladder: '0', renditionLines: 0 }
const FOLDER = 'http://198.51.100.4:8081/a'

const engines: {
  address: string
  requestFor: (url: string) => MediaRequest
  events: EngineEvents
  isDestroyed: boolean
}[] = []

// The test's browser has no Media Source Extensions; the real one stands in the browser tests.
vi.mock('./hls.client.ts', () => ({
  canPlay: () => true,
  createHlsEngine: (
    address: string,
    requestFor: (url: string) => MediaRequest,
    events: EngineEvents,
  ) => {
    const engine = { address, requestFor, events, isDestroyed: false }
    engines.push(engine)
    return {
      attach: () => undefined,
      secondsBehind: () => null,
      goToLive: () => undefined,
      destroy: () => {
        engine.isDestroyed = true
      },
    }
  },
}))

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  let frames = 0
  Object.assign(HTMLVideoElement.prototype, {
    getVideoPlaybackQuality: () => ({ totalVideoFrames: (frames += 1) }),
  })
})

afterEach(() => {
  resetConsole()
  engines.length = 0
})

async function pass(ms: number) {
  await act(async () => vi.advanceTimersByTimeAsync(ms))
}

/** The detail of a channel whose link carries the token that `token` answers. */
async function openDetail(token: () => string) {
  const { user } = renderConsole({
    path: '/dashboard/channel',
    role: 'monitor',
    prepare: (api) => {
      const data = [channelOf('a')]
      api.on(listChannels).answer(() => ({ status: true, data, total: 1 }))
      api.on(listServers).answer(() => ({ status: true, data: [], total: 0 }))
      api.on(readStreams).answer(() => ({ status: true, streamDetail: streamOf('a') }))
      api.on(readPlayback).answer(() => ({
        status: true,
        direct: `${FOLDER}/index.m3u8?token=${token()}`,
        directExpiresAt: new Date(2026, 0, 2, 8, 0).toISOString(),
        relayed: '/api/channel/id-a/hls/index.m3u8',
      }))
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Channel a' }))
  return screen.findByRole('dialog', { name: 'Channel a' })
}

test('a playback link is renewed before it expires, and the player goes on with the new one', async () => {
  let token = 'first'
  const dialog = await openDetail(() => token)
  await pass(4000)
  await vi.waitFor(() => expect(engines).toHaveLength(1), FOUND_WITHIN_MS)
  const [engine] = engines
  engine?.events.onPlaylist('1 a.ts', PLAYLIST)
  expect(engine?.address).toBe(`${FOLDER}/index.m3u8`)
  const asked = (file: string) => engine?.requestFor(`${FOLDER}/${file}`)
  const address = `${FOLDER}/index.m3u8?token=first`
  expect(asked('index.m3u8')).toEqual({ address, sessionToken: '' })
  const output = within(dialog).getByRole('region', { name: 'Output' })
  within(output).getByText('Link valid until 08:00 UTC')
  within(output).getByText('…/a/index.m3u8?…')
  within(output).getByTitle(address)

  token = 'second'
  await pass(60_000)
  await vi.waitFor(
    () => expect(asked('a1.ts?token=first')?.address).toBe(`${FOLDER}/a1.ts?token=second`),
    FOUND_WITHIN_MS,
  )
  expect(engines.map((engine) => engine.isDestroyed)).toEqual([false])
  within(output).getByTitle(`${FOLDER}/index.m3u8?token=second`)
})
