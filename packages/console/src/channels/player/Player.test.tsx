import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { EngineEvents } from './hls.client.ts'
import { Player } from './Player.tsx'

const engines: EngineEvents[] = []

// The test's browser has no Media Source Extensions; the real one stands in the browser tests.
vi.mock('./hls.client.ts', () => ({
  canPlay: () => true,
  createHlsEngine: (_address: string, _token: unknown, events: EngineEvents) => {
    engines.push(events)
    return {
      attach: () => undefined,
      secondsBehind: () => null,
      goToLive: () => undefined,
      destroy: () => undefined,
    }
  },
}))

beforeEach(() => {
  vi.useFakeTimers()
  Object.assign(HTMLVideoElement.prototype, {
    play: async () => undefined,
    getVideoPlaybackQuality: () => ({ totalVideoFrames: 0 }),
  })
})
afterEach(() => {
  cleanup()
  engines.length = 0
  vi.useRealTimers()
})

const PLAYLIST = { segments: 6, segmentS: 2, renditions: 1, ladder: '0', renditionLines: 0 }
const UNPLAYABLE = 'The picture is MPEG-2, which browsers cannot play. Choose a template.'

async function pass(ms: number): Promise<void> {
  await act(async () => vi.advanceTimersByTimeAsync(ms))
}

test.each([UNPLAYABLE, ''])(
  'CHAN-24 no picture ever came: why, where the server knows (%j)',
  async (unplayable) => {
    render(<Player title="a" sources={['/a.m3u8']} direct="" isAlive unplayable={unplayable} />)
    engines[0]?.onPlaylist('1', PLAYLIST)
    await pass(1000)
    // A browser that can play gets no message before it has tried.
    expect(screen.getByText('Loading')).toBeDefined()
    await pass(6000)
    engines.at(-1)?.onPlaylist('3', PLAYLIST)
    await pass(3000)
    expect(screen.getByText(unplayable || 'Loading')).toBeDefined()
  },
)
