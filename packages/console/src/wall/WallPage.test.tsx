import { act, screen, waitFor, within } from '@testing-library/react'
import { listChannels, readPlayback, readStreams } from '@trunkline/contract/channels/channel.calls'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { listAllEncoders, readThumbnail } from '@trunkline/contract/encoders/encoder.calls'
import { ROLES, type Role } from '@trunkline/contract/roles'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { EngineEvents, EngineUse } from '../channels/player/hls.client.ts'
import { readSession } from '../lib/session.ts'
import { storage } from '../lib/storage.ts'
import { openedDialog } from '../test/opened-dialog.ts'
import { channelOf, streamOf, streamStatusOf } from '../test/channel.samples.ts'
import { type FakeApi, refuse } from '../test/fake-api.ts'
import { makeFakePainting } from '../test/fake-painting.ts'
import { makeFakeSight } from '../test/fake-sight.ts'
import { snapshotOf } from '../test/fake-stream.ts'
import { renderConsole, resetConsole } from '../test/render-console.tsx'
import { encoderOf, statusOf } from '../test/samples.ts'

/** What the players load in this test, and whether it is still in use. */
const engines: { address: string; use: EngineUse; events: EngineEvents; isDestroyed: boolean }[] =
  []

// The test's browser has no Media Source Extensions; the real one stands in the browser tests.
vi.mock('../channels/player/hls.client.ts', () => ({
  canPlay: () => true,
  createHlsEngine: (address: string, _token: unknown, events: EngineEvents, use: EngineUse) => {
    const engine = { address, use, events, isDestroyed: false }
    engines.push(engine)
    return {
      attach: () => undefined,
      secondsBehind: () => 4.24,
      goToLive: () => undefined,
      destroy: () => {
        engine.isDestroyed = true
      },
    }
  },
}))

const PLAYBACK = {
  status: true,
  direct: 'http://127.0.0.1:8081/x/index.m3u8',
  directExpiresAt: null,
  relayed: '/api/channel/id-a/hls/index.m3u8',
} as const

let isMoving = true
let frames = 0

beforeEach(() => {
  isMoving = true
  // Nor has it decoders: the test says whether pictures come.
  Object.assign(HTMLVideoElement.prototype, {
    getVideoPlaybackQuality: () => ({ totalVideoFrames: isMoving ? (frames += 1) : frames }),
  })
})

afterEach(() => {
  resetConsole()
  engines.length = 0
})

interface Site {
  channels: readonly string[]
  streams: readonly StreamDetail[]
  encoders: readonly string[]
  role: Role
  prepare: (api: FakeApi) => void
}

async function open(parts: Partial<Site>) {
  const { channels = ['a', 'b'], encoders = ['e'], role = 'admin' } = parts
  const { streams = channels.map((name) => streamOf(name)) } = parts
  const sight = makeFakeSight()
  const scene = renderConsole({
    path: '/dashboard/wall',
    role,
    prepare: (api) => {
      api.on(listChannels).answer(({ body }) => {
        const { ids } = listChannels.body.parse(body)
        const all = channels.map((name) => channelOf(name))
        const data = all.filter(({ id }) => ids?.includes(id) ?? true)
        return { status: true, data, total: data.length }
      })
      api.on(readPlayback).answer(({ path }) => ({
        status: true,
        direct: 'http://127.0.0.1:8081/x/index.m3u8',
        directExpiresAt: null,
        relayed: `${path.replace('playback', 'hls')}/index.m3u8`,
      }))
      api.on(readStreams).answer(() => ({ status: true, streamDetail: streamOf('a') }))
      const result = encoders.map((id) => encoderOf(id))
      api.on(listAllEncoders).answer(() => ({ status: true, result, total: result.length }))
      api.on(readThumbnail).answer(() => ({
        status: true,
        data: { jpegBase64: 'AAAA', takenAtMs: Date.now() },
      }))
      parts.prepare?.(api)
    },
  })
  await waitFor(() => expect(scene.api.stream.isConnected()).toBe(true))
  scene.api.stream.push(
    snapshotOf({
      streams: streams.map(streamStatusOf),
      programs: encoders.map((id) => statusOf(id)),
    }),
  )
  const tile = async (title: string) => screen.findByRole('article', { name: title })
  const see = async (title: string, isInSight: boolean) => {
    const shown = await tile(title)
    act(() => sight.set(shown, isInSight))
    return shown
  }
  return { ...scene, tile, see }
}

function titles() {
  return screen
    .getAllByRole('article')
    .map((article) => within(article).getByRole('heading').textContent)
}

function inUse() {
  return engines
    .filter((engine) => !engine.isDestroyed)
    .map((engine) => engine.address.split('/').at(-3))
}

function remember(keys: string[], userId = 'user-admin') {
  storage.wallTiles.write([[userId, keys]])
}

test.each(ROLES)('%s opens the wall, and the Channels tab is lit', async (role) => {
  const { tile } = await open({ role })
  await tile('Channel a')
  const [nav] = screen.getAllByRole('navigation', { name: 'Main' })
  const lit = nav && within(nav).getByRole('link', { current: 'page' })
  expect(lit?.textContent).toContain('Channels')
})

test('first time: the channels and encoders of the own group', async () => {
  const { tile, api } = await open({})
  await tile('Channel a')
  expect(titles()).toEqual(['Channel a', 'Channel b', 'Camera e'])
  expect(api.askedOf(listAllEncoders)[0]?.body).toMatchObject({ group: 'north' })
})

test('what was picked is remembered by user, and only what is still there is shown', async () => {
  remember(['encoder:e', 'channel:id-gone', 'channel:id-b', 'rubbish', 'encoder:gone'])
  const { tile, api } = await open({})
  await tile('Channel b')
  expect(titles()).toEqual(['Camera e', 'Channel b'])
  // A machine that is busy has asked again by now.
  const [asked] = api.askedOf(listChannels)
  expect(asked?.body).toEqual({ ids: ['id-b', 'id-gone'] })
})

test('STORE-09 another user’s wall is not this one’s', async () => {
  remember(['channel:id-b'], 'user-editor')
  const { tile } = await open({})
  await tile('Channel a')
  expect(titles()).toEqual(['Channel a', 'Channel b', 'Camera e'])
})

test('an empty wall says what it is, and Choose fills it', async () => {
  remember([])
  const { user, tile } = await open({})
  const stage = (await screen.findByText('Nothing on the wall')).parentElement
  await user.click(within(stage ?? document.body).getByRole('button', { name: 'Choose' }))
  const dialog = await screen.findByRole('dialog', { name: /Choose tiles/ })
  await user.click(await within(dialog).findByRole('checkbox', { name: /Channel b/ }))
  await user.click(await within(dialog).findByRole('checkbox', { name: /Camera e/ }))
  await user.click(within(dialog).getByRole('button', { name: 'Show 2 tiles' }))
  await tile('Channel b')
  expect(titles()).toEqual(['Channel b', 'Camera e'])
  expect(storage.wallTiles.read()).toEqual([['user-admin', ['channel:id-b', 'encoder:e']]])
})

test('nothing can be chosen before the tiles of the wall are read', async () => {
  await open({
    prepare: (api) =>
      api.on(listChannels).answer(async () => Promise.withResolvers<never>().promise),
  })
  const choose = await screen.findByRole('button', { name: 'Choose' })
  expect(choose.getAttribute('aria-disabled')).toBe('true')
})

test('all channels of a group are added by the button that has the focus first', async () => {
  remember(['encoder:e'])
  const { user } = await open({ channels: ['b'] })
  await screen.findByRole('article')
  await user.click(screen.getByRole('button', { name: 'Choose' }))
  const dialog = await screen.findByRole('dialog', { name: /Choose tiles/ })
  const add = await within(dialog).findByRole('button', { name: 'Add its channel' })
  await waitFor(() => expect(document.activeElement).toBe(add))
  await user.keyboard('{Enter}')
  within(dialog).getByRole('button', { name: 'Show 2 tiles' })
})

test('more than sixteen tiles are refused with the reason', async () => {
  remember(['encoder:e'])
  const channels = Array.from({ length: 17 }, (_, index) => `c${index}`)
  const { user } = await open({ channels })
  await screen.findByRole('article')
  await user.click(screen.getByRole('button', { name: 'Choose' }))
  const dialog = await screen.findByRole('dialog', { name: /Choose tiles/ })
  await user.click(await within(dialog).findByRole('button', { name: /Add all 17 channels/ }))
  within(dialog).getByText(/at most 16 tiles.*18 are chosen: untick 2\./)
  const show = within(dialog).getByRole('button', { name: 'Show 18 tiles' })
  expect(show.getAttribute('aria-disabled')).toBe('true')
  await user.click(show)
  expect(storage.wallTiles.read()).toEqual([['user-admin', ['encoder:e']]])
})

test('a failed read of encoders is not shown as an empty list', async () => {
  remember(['channel:id-a'])
  const { user, api } = await open({})
  await screen.findByRole('article')
  api.on(listAllEncoders).answer(() => refuse(500, 'The database is locked.'))
  await user.click(screen.getByRole('button', { name: 'Choose' }))
  const dialog = await screen.findByRole('dialog', { name: /Choose tiles/ })
  await within(dialog).findByText(/^The encoders could not be read\./)
  expect(within(dialog).queryByText(/no encoder/)).toBeNull()
})

test('only visible tiles have a player, which ends when they are scrolled out of view', async () => {
  const { see } = await open({})
  await see('Channel a', true)
  await waitFor(() => expect(inUse()).toEqual(['id-a']))
  expect(engines[0]?.use).toBe('tile')
  await see('Channel b', true)
  await waitFor(() => expect(inUse()).toEqual(['id-a', 'id-b']))
  await see('Channel a', false)
  await waitFor(() => expect(inUse()).toEqual(['id-b']))
})

test('a hidden page has no players, and has them again when it is shown', async () => {
  const { see } = await open({})
  await see('Channel a', true)
  await waitFor(() => expect(inUse()).toEqual(['id-a']))
  const shown = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  await waitFor(() => expect(inUse()).toEqual([]))
  shown.mockRestore()
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  await waitFor(() => expect(inUse()).toEqual(['id-a']))
})

test('an address that could not be read is read again without a click', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  let isUp = false
  const { see } = await open({
    channels: ['a'],
    prepare: (api) =>
      api.on(readPlayback).answer(() => (isUp ? PLAYBACK : refuse(500, 'The database is locked.'))),
  })
  const shown = await see('Channel a', true)
  await within(shown).findByText(/^The address of the picture could not be read/)
  isUp = true
  await act(async () => vi.advanceTimersByTimeAsync(10_000))
  await waitFor(() => expect(inUse()).toEqual(['id-a']))
  // Players take turns on one timer, which must end on the clock that it began on.
  await act(async () => vi.advanceTimersByTimeAsync(1000))
})

test('leaving the wall leaves no player behind', async () => {
  const { see, router } = await open({})
  await see('Channel a', true)
  await waitFor(() => expect(inUse()).toEqual(['id-a']))
  await act(async () => router.navigate({ to: '/dashboard/channel' }))
  await waitFor(() => expect(inUse()).toEqual([]))
})

test('CHAN-30 off: no player; switched on elsewhere: its picture comes by itself', async () => {
  const { see, api } = await open({ streams: [streamOf('a', { disabled: true }), streamOf('b')] })
  const shown = await see('Channel a', true)
  await within(shown).findByText('Channel is off')
  expect(engines).toHaveLength(0)
  api.stream.push({ event: 'stream', data: streamStatusOf(streamOf('a')) })
  await waitFor(() => expect(inUse()).toEqual(['id-a']))
})

test('a tile with a problem shows its cause and since when, and the header counts it', async () => {
  const lastMs = Date.now() - 42_000
  const dead = streamOf('a', { stats: { alive: false, last_dts_at: lastMs } })
  const { tile } = await open({ streams: [dead, streamOf('b')] })
  const shown = await tile('Channel a')
  await within(shown).findByText('no media')
  expect(shown.getAttribute('data-f')).toBe('bad')
  within(shown).getByText('Offline')
  within(shown).getByText(/^0:4\d$|^[1-9]:\d\d$/)
  screen.getByText('1 needs attention')
  within(shown).getByRole('button', { name: /^Open Channel a: Offline, no media/ })
})

test('a frozen picture is reported although its server says that it is alive', async () => {
  const { see } = await open({})
  const shown = await see('Channel a', true)
  await within(shown).findByText('4.2 s behind live edge')
  expect(shown.getAttribute('data-f')).toBe('ok')
  isMoving = false
  await within(shown).findByText('frozen picture')
  expect(shown.getAttribute('data-f')).toBe('warn')
  isMoving = true
  await within(shown).findByText('4.2 s behind live edge')
})

test('an encoder’s tile shows its newest picture', async () => {
  const painting = makeFakePainting()
  const { see } = await open({})
  const shown = await see('Camera e', true)
  const picture = await within(shown).findByRole('img', { name: 'Picture of Camera e' })
  await waitFor(() => expect(painting.on(picture)).toBe(atob('AAAA')))
  within(shown).getByText('1,846')
})

test('a click opens the channel’s detail; the tile’s player gives way meanwhile', async () => {
  const { see, user } = await open({})
  const shown = await see('Channel a', true)
  await waitFor(() => expect(inUse()).toEqual(['id-a']))
  const [own] = engines
  await user.click(within(shown).getByRole('button', { name: /^Open Channel a/ }))
  const dialog = await openedDialog()
  expect(own?.isDestroyed).toBe(true)
  await user.click(within(dialog).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(inUse()).toEqual(['id-a']))
})

test('an encoder’s tile opens its card, and from there its log: one dialog at a time', async () => {
  const { tile, user } = await open({})
  const shown = await tile('Camera e')
  await user.click(within(shown).getByRole('button', { name: /^Open Camera e/ }))
  const dialog = await screen.findByRole('dialog', { name: 'Encoder' })
  await user.click(within(dialog).getByRole('button', { name: /Log/ }))
  await screen.findByRole('dialog', { name: /Encoder logs/ })
  await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1))
})

test('by keys alone: arrows walk, with Shift they move the tile, Enter opens, m lets hear', async () => {
  const { see, user } = await open({})
  await see('Channel a', true)
  const b = await see('Channel b', true)
  const isMuted = (tile: HTMLElement) => tile.querySelector('video')?.muted
  await user.keyboard('{ArrowRight}')
  expect(document.activeElement?.getAttribute('data-tile')).toBe('channel:id-a')
  await user.keyboard('{ArrowRight}m')
  expect(document.activeElement?.getAttribute('data-tile')).toBe('channel:id-b')
  expect(isMuted(b)).toBe(false)
  await user.keyboard('{Shift>}{ArrowLeft}{/Shift}')
  expect(titles()).toEqual(['Channel b', 'Channel a', 'Camera e'])
  expect(document.activeElement?.getAttribute('data-tile')).toBe('channel:id-b')
  // One at a time.
  await user.keyboard('{ArrowRight}m')
  expect(isMuted(b)).toBe(true)
  await user.keyboard('{Enter}')
  await openedDialog()
})

test('Arrange: tiles are moved and removed by buttons, and the order is stored', async () => {
  const { tile, user } = await open({})
  await tile('Channel a')
  await user.click(screen.getByRole('button', { name: 'Arrange' }))
  await user.click(screen.getByRole('button', { name: 'Move Channel a right' }))
  expect(titles()).toEqual(['Channel b', 'Channel a', 'Camera e'])
  await user.click(screen.getByRole('button', { name: 'Remove Channel b from the wall' }))
  expect(titles()).toEqual(['Channel a', 'Camera e'])
  expect(storage.wallTiles.read()).toEqual([['user-admin', ['channel:id-a', 'encoder:e']]])
  await user.click(screen.getByRole('button', { name: 'Done' }))
  expect(screen.queryByRole('button', { name: 'Move Channel a right' })).toBeNull()
})

test('full screen hides the header, and gives it back', async () => {
  const { tile, user } = await open({})
  await tile('Channel a')
  await user.keyboard('f')
  expect(document.documentElement.hasAttribute('data-bare')).toBe(true)
  await user.click(screen.getByRole('button', { name: 'Leave full screen' }))
  expect(document.documentElement.hasAttribute('data-bare')).toBe(false)
})

test('the calls of the wall carry the viewer’s token', async () => {
  const { tile, api } = await open({ role: 'monitor' })
  await tile('Channel a')
  const asked = api.askedOf(readPlayback)[0]
  expect(asked?.headers.get('authorization')).toBe(`Bearer ${readSession()?.token}`)
})
