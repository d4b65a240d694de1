/** Rows without the live stream: they ask by themselves, and leave asking to the open detail. */
import { act, screen, waitFor, within } from '@testing-library/react'
import { listChannels, readPlayback, readStreams } from '@trunkline/contract/channels/channel.calls'
import { listServers } from '@trunkline/contract/servers/server.calls'
import { afterEach, expect, test, vi } from 'vitest'
import { readLive } from '../lib/live/live-store.ts'
import { channelOf, streamOf } from '../test/channel.samples.ts'
import { refuse } from '../test/fake-api.ts'
import { renderConsole, resetConsole } from '../test/render-console.tsx'

afterEach(resetConsole)

/** The live stream ends before it has brought anything. */
async function openWithoutLive(answer: () => ReturnType<typeof streamOf> | 'silent') {
  const scene = renderConsole({
    path: '/dashboard/channel',
    role: 'monitor',
    prepare: (api) => {
      api.on(listChannels).answer(() => ({ status: true, data: [channelOf('a')], total: 1 }))
      api.on(listServers).answer(() => ({ status: true, data: [], total: 0 }))
      api.on(readStreams).answer(() => {
        const streamDetail = answer()
        if (streamDetail === 'silent') return refuse(504, 'No answer.')
        return { status: true, streamDetail }
      })
      api.on(readPlayback).answer(() => ({
        status: true,
        direct: 'http://h/a',
        directExpiresAt: null,
        relayed: '/a',
      }))
    },
  })
  await waitFor(() => expect(scene.api.stream.isConnected()).toBe(true))
  expect(scene.api.askedOf(readStreams)).toEqual([])
  scene.api.stream.end()
  await waitFor(() => expect(readLive().connection.state).toBe('retrying'))
  return { ...scene, row: await screen.findByRole('row', { name: /Channel a/ }) }
}

async function pass(ms: number) {
  await act(async () => vi.advanceTimersByTimeAsync(ms))
}

test('Q132 a row that is missing in the live stream is requested, and does not stay Reading', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  let now: ReturnType<typeof streamOf> | 'silent' = streamOf('a')
  const { row } = await openWithoutLive(() => now)
  await within(row).findByText('Online')
  // For as long as nothing is pushed, and never called stale meanwhile.
  now = streamOf('a', { disabled: true })
  await pass(31_000)
  await within(row).findByText('Disabled')
  await pass(25_000)
  expect(within(row).queryByText('stale')).toBeNull()
})

/** Of the detail's 10 s: closer together come only the requests of two that do not know of each other. */
const TOO_CLOSE_MS = 5000
/** Of the row's 30 s. */
const AS_A_ROW_MS = 20_000

test('CHAN-29 CHAN-31 the detail polls by itself, and the row does not poll as well', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  // By the clock of the test, which goes on while a busy machine draws.
  const askedAtMs: number[] = []
  const { row, user } = await openWithoutLive(() => {
    askedAtMs.push(Date.now())
    return streamOf('a')
  })
  await within(row).findByText('Online')
  within(row).getByRole('button', { name: 'Channel a' }).focus()
  await user.keyboard('{Enter}')
  const dialog = await screen.findByRole('dialog', { name: 'Channel a' })
  await within(dialog).findByText(/^Loads in/)
  const first = askedAtMs.length
  const untilAsked = async (count: number) => {
    while (askedAtMs.length < count) await pass(500)
  }
  const gapsMs = () => askedAtMs.slice(1).map((atMs, index) => atMs - (askedAtMs[index] ?? 0))
  await untilAsked(first + 4)
  for (const gapMs of gapsMs().slice(first - 1)) {
    expect(gapMs).toBeGreaterThan(TOO_CLOSE_MS)
    expect(gapMs).toBeLessThan(AS_A_ROW_MS)
  }
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await untilAsked(askedAtMs.length + 1)
  expect(gapsMs().at(-1)).toBeGreaterThan(AS_A_ROW_MS)
})
