import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { listChannels, readStreams, saveChannels } from '@trunkline/contract/channels/channel.calls'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { listGroups } from '@trunkline/contract/groups/group.calls'
import { ROLES } from '@trunkline/contract/roles'
import { listServers } from '@trunkline/contract/servers/server.calls'
import { afterEach, expect, test, vi } from 'vitest'
import { storage } from '../lib/storage.ts'
import { channelOf, streamOf } from '../test/channel.samples.ts'
import { type FakeApi, refuse, refuseOddly } from '../test/fake-api.ts'
import { hostOf } from '../test/place.samples.ts'
import { resetConsole } from '../test/render-console.tsx'
import { groupOf } from '../test/samples.ts'
import { bodiesOf, type ChannelSite, openChannels, streamServer } from './channels.fixture.ts'

afterEach(() => {
  resetConsole()
  vi.restoreAllMocks()
})

interface SyncSite extends ChannelSite {
  /** What the media server lists. */
  listed: readonly StreamDetail[]
}

async function openSync(parts: Partial<SyncSite> = {}) {
  const { listed = [streamOf('a'), streamOf('b'), streamOf('c')] } = parts
  const scene = await openChannels({
    ...parts,
    prepare: (api) => {
      api.on(readStreams).answer(() => ({
        status: true,
        streams: { streams: [...listed], estimated_count: listed.length },
      }))
      api.on(saveChannels).answer(() => ({ status: true, data: [] }))
      parts.prepare?.(api)
    },
  })
  const { user } = scene
  await user.click((await screen.findAllByRole('button', { name: 'Sync' }))[0] as HTMLElement)
  await screen.findByRole('dialog', { name: /^Sync channels/ })
  const button = (name: string) => inside().getByRole('button', { name })
  const goOn = async () => {
    await inside().findByRole('option', { name: 'stream-01' })
    await user.selectOptions(inside().getByRole('combobox', { name: 'Server' }), 'stream-01')
    await user.click(button('Continue'))
  }
  return { ...scene, button, goOn }
}

/** The dialog's second step is another dialog than its first. */
function inside() {
  const dialog = screen.getAllByRole('dialog').at(-1)
  if (dialog === undefined) throw new Error('No dialog is open.')
  return within(dialog)
}

async function fieldOf(name: string) {
  return inside().findByRole<HTMLSelectElement>('combobox', { name })
}

async function tickOf(name: RegExp) {
  return screen.findByRole<HTMLInputElement>('checkbox', { name })
}

function savedNames(api: FakeApi): string[][] {
  return bodiesOf(api, saveChannels).map((body) =>
    (body as { name: string }[]).map(({ name }) => name),
  )
}

const ONE_GROUP = (api: FakeApi) =>
  api
    .on(listGroups)
    .answer(() => ({ status: true, data: [groupOf('north', 'Sports North')], total: 1 }))

test.each(ROLES)('CHAN-02 %s: Sync is there at manager level, and absent below', async (role) => {
  const { row, user } = await openChannels({ role })
  await row(/Channel a/)
  const isThere = ['superadmin', 'admin', 'manager'].includes(role)
  expect(screen.queryAllByRole('button', { name: 'Sync' })).toHaveLength(isThere ? 1 : 0)
  await user.keyboard('n')
  if (isThere) await screen.findByRole('dialog', { name: /Sync/ })
  else expect(screen.queryByRole('dialog')).toBeNull()
})

test('CHAN-34 Q125 an admin chooses a server of type channel, and no group', async () => {
  const { button, user, api, goOn } = await openSync()
  const field = await fieldOf('Server')
  expect(field.selectedOptions[0]?.textContent).toBe('Select a server')
  expect(inside().queryByRole('combobox', { name: 'Group' })).toBeNull()
  await user.click(button('Continue'))
  await inside().findByText('This field is required')
  expect(document.activeElement).toBe(field)
  expect(api.askedOf(readStreams)).toHaveLength(0)
  expect(api.askedOf(listServers).every(({ query }) => query.get('type') === 'channel')).toBe(true)
  await goOn()
  await tickOf(/^b/)
  const [asked] = api.askedOf(readStreams)
  expect(Object.fromEntries(asked?.query ?? [])).toEqual({ serverId: 'stream-01' })
})

test('CHAN-34 a manager of several groups chooses one, the first being chosen', async () => {
  const { button, user, api, goOn } = await openSync({ role: 'manager' })
  const field = await fieldOf('Group')
  await waitFor(() => expect(field.selectedOptions[0]?.textContent).toBe('Sports North'))
  await user.selectOptions(field, 'Select a group')
  await goOn()
  await inside().findByText('This field is required')
  expect(api.askedOf(readStreams)).toHaveLength(0)
  await user.selectOptions(field, 'Sports South')
  await user.click(button('Continue'))
  await tickOf(/^b/)
  await user.click(button('Save'))
  await screen.findByText('Saved streams successfully!')
  const [body] = bodiesOf(api, saveChannels)
  expect(body).toHaveLength(3)
  for (const draft of body as object[]) expect(draft).toMatchObject({ groupIds: ['south'] })
})

test('CHAN-34 Q125 a manager of one group is not asked for it', async () => {
  const { button, user, api, goOn } = await openSync({
    role: 'manager',
    prepare: ONE_GROUP,
  })
  await waitFor(() => expect(inside().queryByRole('combobox', { name: 'Group' })).toBeNull())
  await goOn()
  await tickOf(/^b/)
  await user.click(button('Save'))
  await screen.findByText('Saved streams successfully!')
  expect((bodiesOf(api, saveChannels)[0] as object[])[1]).toMatchObject({ groupIds: ['north'] })
})

test('the server that the page shows is the one to begin with', async () => {
  storage.channelServerId.write('stream-01')
  await openSync()
  const field = await fieldOf('Server')
  await waitFor(() => expect(field.selectedOptions[0]?.textContent).toBe('stream-01'))
})

test.each([
  ['admin', 'There is no server of type channel yet. Add one under Servers.'],
  ['manager', 'No server of type channel is shared with your groups. Ask an admin.'],
] as const)('without a channel server Sync tells the %s what to do', async (role, sentence) => {
  const { button, user, api } = await openSync({ role, servers: [] })
  await screen.findByText(sentence)
  await user.click(button('Continue'))
  expect(api.askedOf(readStreams)).toHaveLength(0)
})

test('a list of servers that fails is said at the field', async () => {
  await openSync({
    prepare: (api) => api.on(listServers).answer(() => refuse(500, 'The database is locked.')),
  })
  await inside().findByText('The servers could not be read. Close this and try again.')
})

test('a silent server is told of before it is asked', async () => {
  const cause = 'The media server 203.0.113.20:8080 refuses the connection.'
  const { user } = await openSync({
    hosts: [hostOf('stream-01', { online: false, cause })],
  })
  await inside().findByRole('option', { name: 'stream-01' })
  await user.selectOptions(inside().getByRole('combobox', { name: 'Server' }), 'stream-01')
  await inside().findByText(`It does not answer at the moment. ${cause}`)
})

test('CHAN-35 all streams are ticked; new and known ones say so, with title, state and media', async () => {
  const { goOn } = await openSync({
    channels: [channelOf('a', { title: 'Evening news' })],
    listed: [streamOf('a'), streamOf('b', { title: 'Morning', stats: { alive: false } })],
  })
  await goOn()
  const saved = await tickOf(/^Evening news/)
  const fresh = await tickOf(/^Morning/)
  expect([saved.checked, fresh.checked]).toEqual([true, true])
  const texts = inside()
    .getAllByRole('listitem')
    .map((item) => item.textContent)
  expect(texts[0]).toMatch(/^Morning b ?New.*Offline.*no media/)
  expect(texts[1]).toMatch(
    /^Evening news a ?In the list.*Online.*h264 1920×1080 FHD, aac 256, 4,523 kbps/,
  )
  await screen.findByText('2 of 2 ticked, 1 new')
})

test('CHAN-36 the tick for all: off clears all, on ticks all, mixed between', async () => {
  const { goOn, user, button, api } = await openSync()
  await goOn()
  const one = await tickOf(/^Channel a/)
  const all = await tickOf(/^Select all/)
  expect([all.checked, all.indeterminate]).toEqual([true, false])
  await user.click(one)
  expect([all.checked, all.indeterminate]).toEqual([false, true])
  await user.click(all)
  expect([all.checked, one.checked]).toEqual([true, true])
  await user.click(all)
  const ticks = screen.getAllByRole<HTMLInputElement>('checkbox')
  expect(ticks.map(({ checked }) => checked)).toEqual([false, false, false, false])
  await screen.findByText('0 of 3 ticked, 2 new')
  await user.click(button('Save'))
  await user.hover(button('Save'))
  await screen.findByText('Tick at least one stream.')
  expect(api.askedOf(saveChannels)).toHaveLength(0)
})

test('CHAN-38 CHAN-39 Save sends the ticked ones only, known ones under their title', async () => {
  const { goOn, user, button, api } = await openSync({
    channels: [channelOf('a', { title: 'Evening news' })],
    listed: [streamOf('a', { title: 'cam 1' }), streamOf('b'), streamOf('c', { title: 'Third' })],
    servers: [{ ...streamServer, groupIds: ['north', 'south'] }],
  })
  await goOn()
  await user.click(await tickOf(/^b/))
  const lists = api.askedOf(listChannels).length
  await user.click(button('Save'))
  await screen.findByText('Saved streams successfully!')
  expect(bodiesOf(api, saveChannels)).toEqual([
    [
      { name: 'c', title: 'Third', serverId: 'stream-01', groupIds: ['north', 'south'] },
      { name: 'a', title: 'Evening news', serverId: 'stream-01', groupIds: ['north'] },
    ],
  ])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(api.askedOf(listChannels).length).toBeGreaterThan(lists))
})

test('CHAN-37 Close saves nothing', async () => {
  const { goOn, user, api } = await openSync()
  await goOn()
  await user.click(await tickOf(/^b/))
  const closers = inside().getAllByRole('button', { name: 'Close' })
  await user.click(closers.at(-1) as HTMLElement)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.askedOf(saveChannels)).toHaveLength(0)
})

test('Escape with ticks taken off asks first, inside the dialog', async () => {
  const { goOn, user, api, button } = await openSync()
  await goOn()
  const tick = await tickOf(/^b/)
  await user.click(tick)
  await user.keyboard('{Escape}')
  await screen.findByText('You took the tick off 1 stream, and nothing is saved.')
  expect(document.activeElement).toBe(button('Keep choosing'))
  await user.keyboard('{Enter}')
  expect((await tickOf(/^b/)).checked).toBe(false)
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'Close without saving' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.askedOf(saveChannels)).toHaveLength(0)
})

test('Escape closes at once while nothing was changed', async () => {
  const { goOn, user } = await openSync()
  await goOn()
  await tickOf(/^b/)
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('a link asks, too, while ticks are taken off', async () => {
  const { goOn, user, router, pathname } = await openSync()
  await goOn()
  await user.click(await tickOf(/^b/))
  void router.navigate({ to: '/dashboard/contribution' })
  await user.click(await screen.findByRole('button', { name: 'Keep choosing' }))
  expect(pathname()).toBe('/dashboard/channel')
  void router.navigate({ to: '/dashboard/contribution' })
  await user.click(await screen.findByRole('button', { name: 'Close without saving' }))
  await waitFor(() => expect(pathname()).toBe('/dashboard/contribution'))
})

test('Back leads to the first step as it was filled', async () => {
  const { goOn, user, button } = await openSync()
  await goOn()
  await tickOf(/^b/)
  await user.click(button('Back'))
  await inside().findByRole('button', { name: 'Continue' })
  const field = await fieldOf('Server')
  expect(field.selectedOptions[0]?.textContent).toBe('stream-01')
})

test('a server without streams says so, and nothing can be saved', async () => {
  const { goOn, user, button, api } = await openSync({ listed: [] })
  await goOn()
  await screen.findByText('stream-01 has no streams')
  await user.click(button('Save'))
  expect(api.askedOf(saveChannels)).toHaveLength(0)
})

test('a silent server: its reason, and Retry', async () => {
  let isUp = false
  const { goOn, user, button, api } = await openSync({
    prepare: (fake) =>
      fake
        .on(readStreams)
        .answer(() =>
          isUp
            ? { status: true, streams: { streams: [streamOf('b')], estimated_count: 1 } }
            : refuse(502, 'The media server does not answer within 5 s.'),
        ),
  })
  await goOn()
  await screen.findByText('The streams of stream-01 could not be read')
  await screen.findByText('The media server does not answer within 5 s.')
  await user.click(button('Save'))
  expect(api.askedOf(saveChannels)).toHaveLength(0)
  isUp = true
  await user.click(button('Retry'))
  expect((await tickOf(/^b/)).checked).toBe(true)
})

test('a slow server: it is said who is asked, and nothing can be saved yet', async () => {
  const answer = Promise.withResolvers<void>()
  const { goOn, user, button, api } = await openSync({
    prepare: (fake) =>
      fake.on(readStreams).answer(async () => {
        await answer.promise
        return { status: true, streams: { streams: [streamOf('b')], estimated_count: 1 } }
      }),
  })
  await goOn()
  await screen.findByText('Asking stream-01 for its streams …')
  await screen.findByText(/^Asking stream-01 for its streams for \d+ s\. It is slow to answer\.$/)
  await user.click(button('Save'))
  expect(api.askedOf(saveChannels)).toHaveLength(0)
  answer.resolve()
  await tickOf(/^b/)
})

test('a stream of another group is refused at its row, and can be left out', async () => {
  const sentence = 'The stream b is a channel of another group. Leave it out.'
  let isRefused = true
  const { goOn, user, button, api } = await openSync({
    prepare: (fake) =>
      fake.on(saveChannels).answer(() => {
        if (!isRefused) return { status: true, data: [] }
        const body = { status: false, error: sentence, msg: sentence, code: 'conflict' }
        return refuseOddly(409, { ...body, field: '0.name' })
      }),
  })
  await goOn()
  await tickOf(/^b/)
  await user.click(button('Save'))
  await screen.findByText(sentence)
  const [first] = inside().getAllByRole('listitem')
  expect(first?.textContent).toContain(sentence)
  await screen.findByText('Nothing is saved. 1 stream refused. It is marked in the list.')
  isRefused = false
  await user.click(button('Leave it out'))
  expect(screen.queryByText(sentence)).toBeNull()
  await user.click(button('Save'))
  await screen.findByText('Saved streams successfully!')
  expect(savedNames(api)).toEqual([
    ['b', 'c', 'a'],
    ['c', 'a'],
  ])
})

test('a save that fails says why, and keeps the ticks', async () => {
  const { goOn, user, button } = await openSync({
    prepare: (fake) => fake.on(saveChannels).answer(() => refuse(500, 'The database is locked.')),
  })
  await goOn()
  await user.click(await tickOf(/^c/))
  await user.click(button('Save'))
  await screen.findByText('Nothing is saved. The database is locked.')
  expect((await tickOf(/^c/)).checked).toBe(false)
})

test('while it saves nothing is sent twice, and Escape does not close', async () => {
  const answer = Promise.withResolvers<void>()
  const { goOn, user, button, api } = await openSync({
    prepare: (fake) =>
      fake.on(saveChannels).answer(async () => {
        await answer.promise
        return { status: true, data: [] }
      }),
  })
  await goOn()
  await tickOf(/^b/)
  await user.click(button('Save'))
  await waitFor(() => expect(button('Save').getAttribute('aria-busy')).toBe('true'))
  await user.click(button('Save'))
  await user.keyboard('{Escape}')
  await tickOf(/^b/)
  answer.resolve()
  await screen.findByText('Saved streams successfully!')
  expect(api.askedOf(saveChannels)).toHaveLength(1)
})

test('a name that no channel may have cannot be ticked, and is not sent', async () => {
  const { goOn, user, button, api } = await openSync({
    listed: [streamOf('a b'), streamOf('c')],
  })
  await goOn()
  const tick = await tickOf(/^a b/)
  expect([tick.disabled, tick.checked]).toEqual([true, false])
  await screen.findByText(/^Cannot be a channel/)
  await user.click(button('Save'))
  await screen.findByText('Saved streams successfully!')
  expect(savedNames(api)).toEqual([['c']])
})

test('Q129 channels that are not on the server any more are named', async () => {
  const { goOn } = await openSync({ channels: [channelOf('gone'), channelOf('a')] })
  await goOn()
  await screen.findByText('Channel gone is in the list, but not on this server any more.')
})

test('a search narrows a list, and the tick for all ticks what matches', async () => {
  const listed = Array.from({ length: 12 }, (_, at) => streamOf(`cam-${at}`))
  const { goOn, user, button, api } = await openSync({ listed })
  await goOn()
  const box = await screen.findByRole<HTMLInputElement>('searchbox', { name: 'Search streams' })
  await user.type(box, 'cam-1')
  expect(inside().getAllByRole('listitem')).toHaveLength(3)
  await user.click(await tickOf(/^Select the 3 that match/))
  await user.clear(box)
  await user.type(box, 'none')
  await screen.findByText("Nothing matches 'none'")
  // Escape empties the box; it does not close the dialog.
  await user.keyboard('{Escape}')
  expect(box.value).toBe('')
  await screen.findByText('9 of 12 ticked, 12 new')
  await user.click(button('Save'))
  await screen.findByText('Saved streams successfully!')
  expect(savedNames(api)[0]).toHaveLength(9)
})

test('of 1,000 streams those in sight are drawn, each knows its place, all are saved', async () => {
  // The test's browser has no layout.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(420)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(500)
  const listed = Array.from({ length: 1000 }, (_, at) => streamOf(`cam-${at}`))
  const { goOn, user, button, api } = await openSync({ listed })
  await goOn()
  await tickOf(/^cam-0$/)
  const drawn = inside().getAllByRole('listitem')
  expect(drawn.length).toBeLessThan(100)
  expect(drawn[1]?.getAttribute('aria-setsize')).toBe('1000')
  await user.click(await tickOf(/^cam-1$/))
  await user.click(button('Save'))
  await screen.findByText('Saved streams successfully!')
  expect(savedNames(api).flat()).toHaveLength(999)
})

test('by keys alone: open, choose, leave out, save', async () => {
  const { user, api, row } = await openChannels({
    prepare: (fake) => {
      fake.on(readStreams).answer(() => ({
        status: true,
        streams: { streams: [streamOf('a'), streamOf('b')], estimated_count: 2 },
      }))
      fake.on(saveChannels).answer(() => ({ status: true, data: [] }))
    },
  })
  await row(/Channel a/)
  await user.keyboard('n')
  await screen.findByRole('dialog')
  const field = await fieldOf('Server')
  await inside().findByRole('option', { name: 'stream-01' })
  await waitFor(() => expect(document.activeElement).toBe(field))
  // The browser's own select is walked by its own keys.
  fireEvent.change(field, { target: { value: 'stream-01' } })
  await user.keyboard('{Tab}{Tab}{Enter}')
  await tickOf(/^b/)
  const dialog = screen.getByRole('dialog')
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
  while (document.activeElement !== (await tickOf(/^b/))) await user.keyboard('{Tab}')
  await user.keyboard(' ')
  while (document.activeElement?.textContent !== 'Save') await user.keyboard('{Tab}')
  await user.keyboard('{Enter}')
  await screen.findByText('Saved streams successfully!')
  expect(savedNames(api)).toEqual([['a']])
})
