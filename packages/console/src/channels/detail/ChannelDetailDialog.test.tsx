import { act, screen, within } from '@testing-library/react'
import { listAudit } from '@trunkline/contract/audit/audit.calls'
import {
  changeStreamStatus,
  listChannels,
  readPlayback,
  readStreams,
  selectInput,
} from '@trunkline/contract/channels/channel.calls'
import { CANNOT_SELECT_INPUT } from '@trunkline/contract/channels/channel.rules'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { LIVE_BEAT_MS } from '@trunkline/contract/fleet/fleet.schema'
import { NOT_AUTHORIZED, type Role } from '@trunkline/contract/roles'
import { listServers } from '@trunkline/contract/servers/server.calls'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lineOf } from '../../test/audit.samples.ts'
import { channelOf, streamOf } from '../../test/channel.samples.ts'
import { type FakeApi, refuse } from '../../test/fake-api.ts'
import { snapshotOf } from '../../test/fake-stream.ts'
import { FOUND_WITHIN_MS } from '../../test/limits.ts'
import {
  answerQuestion,
  chooseToBeAsked,
  renderConsole,
  resetConsole,
} from '../../test/render-console.tsx'
import type { EngineEvents } from '../player/hls.client.ts'

const PLAYLIST = { segments: 6, segmentS: 2, renditions: 1, ladder: '0', renditionLines: 0 }

/** What the player loads in this test: which addresses, and whether they are still in use. */
const engines: { address: string; events: EngineEvents; isDestroyed: boolean }[] = []

// The test's browser has no Media Source Extensions; the real one stands in the browser tests.
vi.mock('../player/hls.client.ts', () => ({
  canPlay: () => true,
  createHlsEngine: (address: string, _token: unknown, events: EngineEvents) => {
    const engine = { address, events, isDestroyed: false }
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

let isMoving = false
let frames = 0

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  isMoving = false
  // Nor has it decoders: the test says whether pictures come.
  Object.assign(HTMLVideoElement.prototype, {
    getVideoPlaybackQuality: () => ({ totalVideoFrames: isMoving ? (frames += 1) : frames }),
  })
})

afterEach(() => {
  resetConsole()
  engines.length = 0
})

/** As `pass`, with a live stream that beats: without one every row asks by itself (Q132). */
async function passLive(api: FakeApi, ms: number) {
  for (let leftMs = ms; leftMs > 0; leftMs -= LIVE_BEAT_MS) {
    act(() => api.stream.push({ event: 'beat', data: { atMs: Date.now() } }))
    await pass(Math.min(leftMs, LIVE_BEAT_MS))
  }
}

interface Site {
  stream: () => StreamDetail
  role: Role
  prepare: (api: FakeApi) => void
}

async function pass(ms: number) {
  await act(async () => vi.advanceTimersByTimeAsync(ms))
}

async function open(parts: Partial<Site>) {
  const { stream = () => streamOf('a'), role = 'admin' } = parts
  const scene = renderConsole({
    path: '/dashboard/channel',
    role,
    prepare: (api) => {
      const data = [channelOf('a')]
      api.on(listChannels).answer(() => ({ status: true, data, total: 1 }))
      api.on(listServers).answer(() => ({ status: true, data: [], total: 0 }))
      api.on(readStreams).answer(() => ({ status: true, streamDetail: stream() }))
      api.on(readPlayback).answer(() => ({
        status: true,
        direct: 'http://127.0.0.1:8081/a/index.m3u8',
        directExpiresAt: null,
        relayed: '/api/channel/id-a/hls/index.m3u8',
      }))
      parts.prepare?.(api)
    },
  })
  const title = await screen.findByRole('button', { name: 'Channel a' })
  title.focus()
  await scene.user.keyboard('{Enter}')
  const dialog = await screen.findByRole('dialog', { name: 'Channel a' })
  await within(dialog).findAllByText(/Loads in|Channel is off|Reading the stream/)
  return { ...scene, dialog }
}

function bodiesOf(api: FakeApi) {
  return api.askedOf(changeStreamStatus).map((item) => item.body)
}

const pushes = [
  { url: 'rtmp://198.51.100.40/live/south', disabled: false, stats: { status: 'running' } },
  { url: 'rtmp://192.0.2.18/live/fans', disabled: true, stats: { status: 'finished' } },
  { url: 'rtmp://192.0.2.19/live/third', disabled: false, stats: { status: 'running' } },
]

test('CHAN-23 CHAN-25 CHAN-26 the detail shows its parts', async () => {
  const { dialog } = await open({})
  await within(dialog).findByText('Online')
  const current = within(dialog).getByRole('region', { name: 'Current source' })
  within(current).getByText('srt://203.0.113.20:7016')
  const standby = within(dialog).getByRole('region', { name: 'Standby source' })
  within(standby).getByText('udp://239.10.4.16:5000')
  const settings = within(dialog).getByRole('region', { name: 'Settings' })
  expect(settings.textContent).toContain('DVROn')
  const output = within(dialog).getByRole('region', { name: 'Output' })
  await within(output).findByText('…/a/index.m3u8')
  const input = within(dialog).getByRole('region', { name: 'Input' })
  expect(input.textContent).toContain('4,523 kbit/s')
})

test('CHAN-31 the address is set 3 s after the data, not before', async () => {
  const { dialog } = await open({})
  await within(dialog).findByText('Online')
  within(dialog).getByText('Loads in 3 s')
  await pass(2000)
  within(dialog).getByText('Loads in 1 s')
  expect(engines).toHaveLength(0)
  await pass(1000)
  await vi.waitFor(() => expect(engines).toHaveLength(1), FOUND_WITHIN_MS)
  expect(engines[0]?.address).toMatch(/\/api\/channel\/id-a\/hls\/index\.m3u8$/)
  expect(within(dialog).getByLabelText<HTMLVideoElement>('Channel a').muted).toBe(true)
})

test('CHAN-30 while the channel is off there is no address, nor once it is switched off', async () => {
  let disabled = true
  const stream = () => streamOf('a', { disabled })
  const { dialog, user } = await open({
    stream,
    prepare: (fake) =>
      fake.on(changeStreamStatus).answer(() => {
        disabled = !disabled
        return { status: true, data: { stream: stream() } }
      }),
  })
  await within(dialog).findByText('Channel is off')
  await pass(10_000)
  expect(engines).toHaveLength(0)
  const turn = within(dialog).getByRole('switch', { name: 'Channel a on' })
  await user.click(turn)
  await pass(4000)
  await vi.waitFor(() => expect(engines).toHaveLength(1), FOUND_WITHIN_MS)
  await user.click(turn)
  await within(dialog).findByText('Channel is off')
  await pass(10_000)
  expect(engines.map((engine) => engine.isDestroyed)).toEqual([true])
})

test('CHAN-29 CHAN-33 CONST-08 the detail is read every 10 s while open, and the player is not touched', async () => {
  let rate = 4_000_000
  const stream = () => streamOf('a', { stats: { alive: true, inputs_bandwidth: (rate += 1e6) } })
  const { dialog, api, user } = await open({ stream })
  await passLive(api, 4000)
  await vi.waitFor(() => expect(engines).toHaveLength(1), FOUND_WITHIN_MS)
  engines[0]?.events.onPlaylist('1 a.ts', PLAYLIST)
  isMoving = true
  const before = api.askedOf(readStreams).length
  await passLive(api, 20_000)
  expect(api.askedOf(readStreams).length - before).toBe(2)
  expect(engines.map((engine) => engine.isDestroyed)).toEqual([false])

  await user.click(within(dialog).getByRole('button', { name: 'Close' }))
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), FOUND_WITHIN_MS)
  const atClose = api.askedOf(readStreams).length
  expect(engines.every((engine) => engine.isDestroyed)).toBe(true)
  await passLive(api, 25_000)
  expect(api.askedOf(readStreams).length).toBe(atClose)
})

test('a missing playlist shows a message and is retried', async () => {
  const { dialog } = await open({})
  await pass(4000)
  await vi.waitFor(() => expect(engines).toHaveLength(1), FOUND_WITHIN_MS)
  act(() => engines[0]?.events.onFailure({ kind: 'playlist', httpStatus: 404 }))
  await within(dialog).findByText('No playlist yet: no media has arrived at the channel server')
  await pass(2500)
  expect(engines).toHaveLength(2)
})

test('CHAN-27 at most two push outputs, each with its address, state and switch', async () => {
  const { dialog } = await open({ stream: () => streamOf('a', { pushes }) })
  const panel = await within(dialog).findByRole('region', { name: 'Push outputs' })
  await within(panel).findByText('rtmp://198.51.100.40/live/south')
  within(panel).getByText('Running')
  within(panel).getByText('Disabled')
  within(panel).getByText('2 of 3 shown')
  expect(within(panel).getAllByRole('switch')).toHaveLength(2)
})

test('CHAN-28 Q130 a push switch sends the whole list, the others as they were', async () => {
  const { dialog, api, user } = await open({
    stream: () => streamOf('a', { pushes }),
    prepare: (fake) =>
      fake
        .on(changeStreamStatus)
        .answer(() => ({ status: true, data: { stream: streamOf('a', { pushes: [] }) } })),
  })
  await user.click(await within(dialog).findByRole('switch', { name: 'Push output 2' }))
  await screen.findByText('Status updated successfully!')
  expect(bodiesOf(api)).toEqual([
    {
      serverId: 'stream-01',
      streamName: 'a',
      data: {
        pushes: [
          { url: 'rtmp://198.51.100.40/live/south', disabled: false },
          { url: 'rtmp://192.0.2.18/live/fans', disabled: false },
          { url: 'rtmp://192.0.2.19/live/third', disabled: false },
        ],
      },
      pushIndex: 1,
    },
  ])
  await within(dialog).findByText('No push outputs.')
})

test('CHAN-21 ERR-02 a push switch that fails goes back, with the server’s sentence', async () => {
  const { dialog, user } = await open({
    stream: () => streamOf('a', { pushes }),
    prepare: (fake) => fake.on(changeStreamStatus).answer(() => refuse(502, 'No answer.')),
  })
  const knob = await within(dialog).findByRole('switch', { name: 'Push output 1' })
  await user.click(knob)
  await screen.findByText('No answer.')
  expect(knob.getAttribute('aria-checked')).toBe('true')
})

test('CHAN-22 a monitor sees the push switches, but may not use them', async () => {
  const { dialog, api, user } = await open({
    role: 'monitor',
    stream: () => streamOf('a', { pushes }),
  })
  await user.click(await within(dialog).findByRole('switch', { name: 'Push output 1' }))
  await screen.findByText(NOT_AUTHORIZED)
  expect(bodiesOf(api)).toEqual([])
})

test('a server that stops answering: Offline, and old data is not shown as current', async () => {
  let isUp = true
  const { dialog } = await open({
    prepare: (fake) =>
      fake
        .on(readStreams)
        .answer(() =>
          isUp ? { status: true, streamDetail: streamOf('a') } : refuse(502, 'No answer.'),
        ),
  })
  await within(dialog).findByText('Online')
  isUp = false
  await pass(10_500)
  await within(dialog).findByText('Offline')
  expect(within(dialog).getByText('server silent')).toBeDefined()
})

test('Escape closes, and the focus is back on the row', async () => {
  const { user } = await open({})
  await user.keyboard('{Escape}')
  await pass(500)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement?.textContent).toBe('Channel a')
})

const standbyUrl = 'udp://239.10.4.16:5000'

function bySelection(current: string) {
  return streamOf('a', {
    inputs: [
      { url: standbyUrl, stats: { active: current === standbyUrl, bitrate: 4790 } },
      { url: 'srt://203.0.113.20:7016', stats: { active: current !== standbyUrl, bitrate: 4812 } },
    ],
  })
}

test('CHAN-25 source readiness uses the API’s clock, in the panel and in the question', async () => {
  const serverNowMs = Date.now() + 3_600_000
  const silent = { url: standbyUrl, stats: { last_dts_at: serverNowMs - 60_000 } }
  const current = { url: 'srt://203.0.113.20:7016', stats: { active: true } }
  const stream = () => streamOf('a', { inputs: [silent, current] })
  const { dialog, user, api } = await open({ stream })
  act(() => api.stream.push(snapshotOf({ atMs: serverNowMs })))
  await within(dialog).findByText('Not ready')
  chooseToBeAsked()
  await user.click(within(dialog).getByRole('button', { name: /^Switch to this: udp/ }))
  await screen.findByText(/which is not ready/)
  await answerQuestion('Keep the source')
  expect(api.askedOf(selectInput), 'decisions 40: whoever chose so is asked').toEqual([])
})

test('CHAN-25 decisions 40 switching the source acts at once, and Undo switches back', async () => {
  const { dialog, api, user } = await open({
    stream: () => bySelection('srt'),
    prepare: (fake) =>
      fake.on(selectInput).answer(({ body }) => {
        const { url } = body as { url: string }
        return { status: true, data: { stream: bySelection(url) } }
      }),
  })
  const standby = await within(dialog).findByRole('region', { name: 'Standby source' })
  await within(standby).findByText('4,790 kbit/s')
  const button = within(standby).getByRole('button', { name: `Switch to this: ${standbyUrl}` })
  await user.click(button)
  await screen.findByText('Source switched')
  expect(api.askedOf(selectInput).map((item) => item.body)).toEqual([
    { serverId: 'stream-01', streamName: 'a', index: 0, url: standbyUrl },
  ])
  const current = within(dialog).getByRole('region', { name: 'Current source' })
  within(current).getByText(standbyUrl)
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await within(current).findByText('srt://203.0.113.20:7016')
  expect(api.askedOf(selectInput)[1]?.body).toMatchObject({ index: 1 })
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('CHAN-22 below manager level no source is switched', async () => {
  const { dialog, api, user } = await open({ role: 'editor', stream: () => bySelection('srt') })
  await user.click(await within(dialog).findByRole('button', { name: /Switch to this: udp/ }))
  await screen.findByText(NOT_AUTHORIZED)
  expect(api.askedOf(selectInput)).toEqual([])
  expect(screen.queryByRole('button', { name: 'Switch source' })).toBeNull()
})

test('CHAN-25 a server that cannot switch sources says so, and is not asked again', async () => {
  const { dialog, api, user } = await open({
    stream: () => bySelection('srt'),
    prepare: (fake) => fake.on(selectInput).answer(() => refuse(400, CANNOT_SELECT_INPUT)),
  })
  const button = await within(dialog).findByRole('button', { name: /Switch to this: udp/ })
  await user.click(button)
  await within(screen.getByRole('region', { name: 'Notices' })).findByText(CANNOT_SELECT_INPUT)
  await vi.waitFor(() => expect(button.getAttribute('aria-disabled')).toBe('true'), FOUND_WITHIN_MS)
  await user.click(button)
  expect(api.askedOf(selectInput)).toHaveLength(1)
})

test('CHAN-25 every standby source can be chosen', async () => {
  const inputs = ['a', 'b', 'c', 'd'].map((name, at) => ({
    url: `srt://198.51.100.1/${name}`,
    stats: { active: at === 0 },
  }))
  const { dialog } = await open({ stream: () => streamOf('a', { inputs }) })
  await within(dialog).findAllByText('srt://198.51.100.1/a')
  expect(within(dialog).getAllByRole('button', { name: /^Switch to this: srt/ })).toHaveLength(3)
})

test('CHAN-27 a push that cannot connect shows the cause', async () => {
  const stats = { status: 'retry', last_error: 'connection refused', retries: 3 }
  const url = 'rtmp://192.0.2.18/live/fans'
  const { dialog } = await open({ stream: () => streamOf('a', { pushes: [{ url, stats }] }) })
  expect(await within(dialog).findByText('connection refused, tried 4 times')).toBeDefined()
})

test('the last changes of the channel, read once for those who may read the record', async () => {
  const { dialog, api } = await open({
    prepare: (fake) =>
      fake.on(listAudit).answer(() => ({
        status: true,
        data: [lineOf('l', { call: 'channels.restart', result: 'failed', reason: 'a: no answer' })],
        total: 1,
      })),
  })
  const panel = await within(dialog).findByRole('region', { name: 'Last changes' })
  await within(panel).findByText('Restart, failed')
  within(panel).getByText('by Night Desk')
  expect(api.askedOf(listAudit).map(({ query }) => query.get('objectId'))).toEqual(['id-a'])
})

test('a role that may not read the activity sees no last changes, and it is not requested', async () => {
  const { dialog, api } = await open({ role: 'manager' })
  await within(dialog).findByText('Online')
  expect(within(dialog).queryByRole('region', { name: 'Last changes' })).toBeNull()
  expect(api.askedOf(listAudit)).toEqual([])
})
