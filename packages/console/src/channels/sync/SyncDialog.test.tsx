import { screen, waitFor } from '@testing-library/react'
import { listChannels, readStreams, saveChannels } from '@trunkline/contract/channels/channel.calls'
import { listGroups } from '@trunkline/contract/groups/group.calls'
import { listServers } from '@trunkline/contract/servers/server.calls'
import { afterEach, expect, test } from 'vitest'
import { storage } from '../../lib/storage.ts'
import { channelOf, streamOf } from '../../test/channel.samples.ts'
import { type FakeApi, refuse } from '../../test/fake-api.ts'
import { hostOf } from '../../test/place.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { groupOf } from '../../test/samples.ts'
import { bodiesOf, openChannels, streamServer } from '../channels.fixture.ts'
import { fieldOf, inside, openSync, tickOf } from './sync.fixture.ts'

afterEach(resetConsole)

const ONE_GROUP = (api: FakeApi) =>
  api
    .on(listGroups)
    .answer(() => ({ status: true, data: [groupOf('north', 'Sports North')], total: 1 }))

test('CHAN-02 Q42 a manager has + Sync, which opens by its key', async () => {
  const { row, user } = await openChannels({ role: 'manager' })
  await row(/Channel a/)
  expect(screen.getByRole('button', { name: '+ Sync' })).toBeDefined()
  await user.keyboard('n')
  expect(await screen.findByRole('dialog', { name: /Sync/ })).toBeDefined()
})

test('CHAN-02 Q42 an editor has no + Sync', async () => {
  const { row, user } = await openChannels({ role: 'editor' })
  await row(/Channel a/)
  expect(screen.queryByRole('button', { name: '+ Sync' })).toBeNull()
  await user.keyboard('n')
  expect(screen.queryByRole('dialog')).toBeNull()
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

test('the server of the page is preselected', async () => {
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

test('a list of servers that fails shows an error at the field', async () => {
  await openSync({
    prepare: (api) => api.on(listServers).answer(() => refuse(500, 'The database is locked.')),
  })
  const sentence = 'The servers could not be read. Close this and try again.'
  expect(await inside().findByText(sentence)).toBeDefined()
})

test('a silent server is marked before it is asked', async () => {
  const cause = 'The media server 203.0.113.20:8080 refuses the connection.'
  const { user } = await openSync({
    hosts: [hostOf('stream-01', { online: false, cause })],
  })
  await inside().findByRole('option', { name: 'stream-01' })
  await user.selectOptions(inside().getByRole('combobox', { name: 'Server' }), 'stream-01')
  expect(await inside().findByText(`It does not answer at the moment. ${cause}`)).toBeDefined()
})

test('CHAN-35 all streams are ticked; new and known streams say so, with title, state and media', async () => {
  const { goOn } = await openSync({
    channels: [channelOf('a', { title: 'Evening news' })],
    listed: [
      streamOf('a'),
      streamOf('b', { title: 'Morning', stats: { alive: false, since: Date.now() - 60_000 } }),
      streamOf('c', { title: 'Noon', stats: { alive: false, since: Date.now() } }),
    ],
  })
  await goOn()
  const saved = await tickOf(/^Evening news/)
  const fresh = await tickOf(/^Morning/)
  expect([saved.checked, fresh.checked]).toEqual([true, true])
  const texts = inside()
    .getAllByRole('listitem')
    .map((item) => item.textContent)
  expect(texts[0]).toMatch(/^Morning b ?New.*Offline.*no media/)
  expect(texts[2]).toMatch(
    /^Evening news a ?In the list.*Online.*h264 1920×1080 FHD, aac 256, 4,523 kbit\/s/,
  )
  expect(texts[1]).toMatch(/^Noon c ?New.*Starting/)
  await screen.findByText('3 of 3 selected, 2 new')
})

test('CHAN-36 the tick for all: off clears all, on ticks all, mixed between', async () => {
  const { goOn, user, button, api } = await openSync()
  await goOn()
  const channelTick = await tickOf(/^Channel a/)
  const all = await tickOf(/^Select all/)
  expect([all.checked, all.indeterminate]).toEqual([true, false])
  await user.click(channelTick)
  expect([all.checked, all.indeterminate]).toEqual([false, true])
  await user.click(all)
  expect([all.checked, channelTick.checked]).toEqual([true, true])
  await user.click(all)
  const ticks = screen.getAllByRole<HTMLInputElement>('checkbox')
  expect(ticks.map(({ checked }) => checked)).toEqual([false, false, false, false])
  await screen.findByText('0 of 3 selected, 2 new')
  await user.click(button('Save'))
  await user.hover(button('Save'))
  await screen.findByText('Select at least one stream.')
  expect(api.askedOf(saveChannels)).toHaveLength(0)
})

test('CHAN-38 CHAN-39 ERR-30 Save sends only the selected streams, known streams under their title', async () => {
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

test('Escape with deselected streams asks first, inside the dialog', async () => {
  const { goOn, user, api, button } = await openSync()
  await goOn()
  const tick = await tickOf(/^b/)
  await user.click(tick)
  await user.keyboard('{Escape}')
  await screen.findByText('1 stream deselected, not saved.')
  expect(document.activeElement).toBe(button('Continue selecting'))
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

test('a link also asks while streams are deselected', async () => {
  const { goOn, user, router, pathname } = await openSync()
  await goOn()
  await user.click(await tickOf(/^b/))
  void router.navigate({ to: '/dashboard/contribution' })
  await user.click(await screen.findByRole('button', { name: 'Continue selecting' }))
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
