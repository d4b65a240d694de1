import { screen, waitFor, within } from '@testing-library/react'
import {
  changeStreamStatus,
  listChannels,
  readStreams,
  removeChannel,
  renameChannel,
  restartStream,
} from '@trunkline/contract/channels/channel.calls'
import { afterEach, expect, test, vi } from 'vitest'
import { storage } from '../../lib/storage.ts'
import { channelOf, streamOf, streamStatusOf } from '../../test/channel.samples.ts'
import { type FakeApi, refuse, refuseOddly } from '../../test/fake-api.ts'
import { hostOf } from '../../test/place.samples.ts'
import { answerQuestion, resetConsole, findNotice } from '../../test/render-console.tsx'
import { comeBack, TYPED_IS_BACK } from '../../test/session-steps.ts'
import { openChannels } from '../channels.fixture.ts'

afterEach(resetConsole)

const TAKE_OUT = 'Remove from list…'
const SILENT = {
  serverId: 'stream-01',
  streamName: 'a',
  stream: null,
  readAtMs: 1,
  cause: 'Silent.',
}
const CAUSE = 'The media server 203.0.113.20:8080 refuses the connection.'

function goneStream(api: FakeApi): void {
  const error = 'The server has no such stream.'
  const body = { status: false, error, msg: error, code: 'not_found' }
  api.on(readStreams).answer(() => refuseOddly(404, body))
}

test.each([
  ['manager', 1],
  ['editor', 0],
] as const)('%s: taking out is offered at manager level, and absent below', async (role, count) => {
  const { row } = await openChannels({ role, streams: [], prepare: goneStream })
  await within(await row(/Channel a/)).findByText('Offline')
  const found = screen.queryAllByRole('button', { name: /^Remove from list/ })
  expect(found).toHaveLength(count)
})

test('a channel is removed from the list by its menu, after a question', async () => {
  const { row, user, api, known } = await openChannels({
    channels: [channelOf('a'), channelOf('b')],
    streams: [streamOf('a'), streamOf('b')],
    prepare: (fake) =>
      fake.on(removeChannel).answer(() => {
        known.channels = [channelOf('b')]
        return { status: true }
      }),
  })
  await row(/Channel a/)
  const takeOut = async () => {
    await user.click(screen.getByRole('button', { name: 'More for Channel a' }))
    await user.click(await screen.findByRole('menuitem', { name: TAKE_OUT }))
    return screen.findByRole('dialog', { name: 'Are you sure?' })
  }
  const question = await takeOut()
  within(question).getByText('Remove Channel a from the list.')
  within(question).getByText(/^Its stream a keeps running on stream-01\. Sync adds it again/)
  await user.click(within(question).getByRole('button', { name: 'Keep channel' }))
  expect(api.askedOf(removeChannel)).toHaveLength(0)
  await takeOut()
  await user.click(screen.getByRole('button', { name: 'Remove' }))
  await screen.findByText('Channel removed from the list')
  expect(api.askedOf(removeChannel).map(({ path }) => path)).toEqual(['/api/channel/id-a'])
  await waitFor(() => expect(screen.queryByRole('row', { name: /Channel a/ })).toBeNull())
  await row(/Channel b/)
})

test('a channel that cannot be removed from the list stays, with the reason', async () => {
  const { row, user } = await openChannels({
    prepare: (fake) => fake.on(removeChannel).answer(() => refuse(500, 'The database is locked.')),
  })
  await row(/Channel a/)
  await user.click(screen.getByRole('button', { name: 'More for Channel a' }))
  await user.click(await screen.findByRole('menuitem', { name: TAKE_OUT }))
  await user.click(await screen.findByRole('button', { name: 'Remove' }))
  await screen.findByText('The database is locked.')
  expect(await row(/Channel a/)).toBeDefined()
})

test('Q129 a stream that is gone: the row says so, its controls say why, and removing it is offered', async () => {
  const { row, user, api } = await openChannels({
    streams: [],
    prepare: (fake) => {
      goneStream(fake)
      fake.on(removeChannel).answer(() => ({ status: true }))
    },
  })
  const shown = await row(/Channel a/)
  await within(shown).findByText('no such stream')
  within(shown).getByText('The server does not list this stream any more.')
  await user.hover(within(shown).getByRole('switch'))
  await screen.findByRole('tooltip', { name: 'The server does not list this stream any more.' })
  await user.click(within(shown).getByRole('switch'))
  await user.click(within(shown).getByRole('button', { name: `${TAKE_OUT} Channel a` }))
  await user.click(await screen.findByRole('button', { name: 'Remove' }))
  await screen.findByText('Channel removed from the list')
  expect(api.askedOf(removeChannel)).toHaveLength(1)
  expect(api.askedOf(changeStreamStatus)).toHaveLength(0)
})

test('the menu also edits the title, because a touch screen has no double-click', async () => {
  const { row, user } = await openChannels({})
  await row(/Channel a/)
  await user.click(screen.getByRole('button', { name: 'More for Channel a' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Edit title' }))
  const field = await screen.findByRole('textbox', { name: 'Title of Channel a' })
  await waitFor(() => expect(document.activeElement).toBe(field))
})

test('a title that is being changed in its row outlives the end of the session', async () => {
  const scene = await openChannels({})
  const edit = async () => {
    await scene.row(/Channel a/)
    await scene.user.click(screen.getByRole('button', { name: 'More for Channel a' }))
    await scene.user.click(await screen.findByRole('menuitem', { name: 'Edit title' }))
    return screen.findByRole<HTMLInputElement>('textbox', { name: 'Title of Channel a' })
  }
  await scene.user.type(await edit(), ' HD')
  await comeBack(scene, 'admin')
  expect((await edit()).value).toBe('Channel a HD')
  await findNotice(TYPED_IS_BACK)
})

test('CHAN-11 a silent server: Offline with the reason, for an admin in full', async () => {
  const { row, api } = await openChannels({
    hosts: [hostOf('stream-01', { online: false, cause: CAUSE, sinceMs: Date.now() - 7_200_000 })],
  })
  api.stream.push({ event: 'stream', data: SILENT })
  const shown = await row(/Channel a/)
  await within(shown).findByText('server silent')
  expect(shown.textContent).toMatch(/server silentfor 2:00:\d\d/)
  within(shown).getByText(CAUSE)
  expect(within(shown).getByRole('button', { name: /Offline/ })).toBeDefined()
})

test('CHAN-11 a row with an error shows its cause and since when', async () => {
  const anHourMs = 3_600_000
  const { row } = await openChannels({
    channels: [channelOf('a'), channelOf('b')],
    streams: [
      streamOf('a', { stats: { alive: false, last_dts_at: Date.now() - anHourMs } }),
      streamOf('b'),
    ],
  })
  const textOf = async (name: RegExp) => (await row(name)).textContent
  await within(await row(/Channel b/)).findByText('Online')
  expect(await textOf(/Channel a/)).toMatch(/no mediafor 1:00:\d\d/)
  expect(await textOf(/Channel b/)).not.toContain('for ')
})

test('CHAN-12 a row without media shows the error of its source', async () => {
  const error = 'The far end does not answer. Check its address, and that it is running.'
  const inputs = [{ url: 'srt://198.51.100.7:7001', stats: { active: true, error } }]
  const { row } = await openChannels({
    streams: [streamOf('a', { inputs, stats: { alive: false, inputs_bandwidth: 0 } })],
  })
  expect(await within(await row(/Channel a/)).findByText(error)).toBeDefined()
})

test('CHAN-11 a silent server, for other roles: only that it does not answer', async () => {
  const { row, api } = await openChannels({
    role: 'monitor',
    hosts: [hostOf('stream-01', { online: false })],
  })
  api.stream.push({ event: 'stream', data: SILENT })
  const shown = await row(/Channel a/)
  expect(await within(shown).findByText('The media server does not answer.')).toBeDefined()
})

test.each([
  ['restart', restartStream, 'button', 'Restart Channel a', 'Server restarted successfully!'],
  ['switch', changeStreamStatus, 'switch', 'Channel a on', 'Status updated successfully!'],
] as const)('Q128 the list is read again after a %s', async (_, route, role, name, notice) => {
  const { row, user, api } = await openChannels({
    prepare: (fake) =>
      fake.on(route).answer(() => ({ status: true, data: { stream: streamOf('a') } })),
  })
  await within(await row(/Channel a/)).findByText('Online')
  const before = api.askedOf(listChannels).length
  await user.click(screen.getByRole(role, { name }))
  if (route === restartStream) await answerQuestion('Restart channel')
  await screen.findByText(notice)
  await waitFor(() => expect(api.askedOf(listChannels).length).toBeGreaterThan(before))
})

test('Q128 every 30 s while in sight, and never while a title is edited', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { row, user, api, known } = await openChannels({
    prepare: (fake) => fake.on(renameChannel).answer(() => refuse(500, 'No.')),
  })
  const title = within(await row(/Channel a/)).getByRole('button', { name: 'Channel a' })
  const asked = () => api.askedOf(listChannels).length
  const atFirst = asked()
  known.channels = [channelOf('a'), channelOf('b')]
  await vi.advanceTimersByTimeAsync(31_000)
  await row(/Channel b/)
  expect(asked()).toBeGreaterThan(atFirst)

  title.focus()
  await user.keyboard('{F2}')
  await screen.findByRole('textbox', { name: 'Title of Channel a' })
  const whenEdited = asked()
  known.channels = [channelOf('a'), channelOf('b'), channelOf('c')]
  // Pushed news does not read it either.
  api.stream.push({ event: 'object', data: { kind: 'channel', id: 'id-c', change: 'added' } })
  await vi.advanceTimersByTimeAsync(95_000)
  expect(asked()).toBe(whenEdited)
  await user.keyboard('{Escape}')
  await row(/Channel c/)
})

test('Q128 a row that disappears while its title is edited does not stop the list from refreshing', async () => {
  const { row, user, api, known } = await openChannels({ channels: [channelOf('a')] })
  within(await row(/Channel a/))
    .getByRole('button', { name: 'Channel a' })
    .focus()
  await user.keyboard('{F2}')
  await screen.findByRole('textbox', { name: 'Title of Channel a' })
  known.channels = [channelOf('b')]
  await user.selectOptions(screen.getByRole('combobox', { name: 'Group' }), 'Sports South')
  await row(/Channel b/)
  const before = api.askedOf(listChannels).length
  await user.click(screen.getByRole('button', { name: 'Refresh' }))
  await waitFor(() => expect(api.askedOf(listChannels).length).toBeGreaterThan(before))
})

test('of 10,000 channels only visible rows are drawn, each with its position, and keys move between them', async () => {
  storage.tableRowsPerPage.write(0)
  const names = Array.from({ length: 10_000 }, (_, at) => `n${at}`)
  let off = ''
  const { row, user, api } = await openChannels({
    channels: names.map((name) => channelOf(name)),
    streams: [],
    prepare: (fake) =>
      fake.on(readStreams).answer(({ query }) => ({
        status: true,
        // On a slow machine the rows may ask once more after the push.
        streamDetail: streamOf(query.get('streamName') ?? '', {
          disabled: query.get('streamName') === off,
        }),
      })),
  })
  const first = await row(/^Channel n0 /)
  const table = screen.getByRole('table', { name: 'Channels' })
  expect(table.getAttribute('aria-rowcount')).toBe('10001')
  expect(first.getAttribute('aria-rowindex')).toBe('2')
  const drawn = table.querySelectorAll('[data-row-focus]').length
  expect(drawn).toBeLessThan(100)
  expect(api.askedOf(readStreams).length, 'only those are asked for').toBeLessThan(100)
  await user.keyboard('jjk')
  expect(document.activeElement?.textContent).toBe('Channel n0')
  // Else its answer, still on the way, would be newer than the push.
  await within(await row(/^Channel n1 /)).findByText('Online')
  off = 'n1'
  api.stream.push({ event: 'stream', data: streamStatusOf(streamOf('n1', { disabled: true })) })
  await within(await row(/^Channel n1 /)).findByText('Disabled')
})

test.each([
  ['manager', 1],
  ['monitor', 0],
] as const)(
  'an empty list says what a channel is; to the %s it offers Sync',
  async (role, count) => {
    await openChannels({ role, channels: [] })
    const box = (await screen.findByText('No channels here')).parentElement as HTMLElement
    expect(box.textContent).toContain('A channel is a stream on a channel server')
    expect(within(box).queryAllByRole('button', { name: '+ Sync' })).toHaveLength(count)
  },
)

test('a link to a channel opens it, on whatever page of the list it stands', async () => {
  const channels = Array.from({ length: 30 }, (_, at) => channelOf(`n${at}`))
  const { user, router } = await openChannels({
    channels,
    path: `/dashboard/channel?open=${channels[29]?.id}`,
  })
  await screen.findByRole('dialog', { name: 'Channel n29' })
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(router.state.location.search).toEqual({})
})

test('CHAN-40 Q127 neither the controls of a row nor a double-click in its title open it; its cells do', async () => {
  const { row, user } = await openChannels({
    prepare: (fake) => {
      fake
        .on(changeStreamStatus)
        .answer(() => ({ status: true, data: { stream: streamOf('a', { disabled: true }) } }))
      fake.on(readStreams).answer(() => ({ status: true, streamDetail: streamOf('a') }))
    },
  })
  const shown = within(await row(/Channel a/))
  await shown.findByText('Online')
  await user.dblClick(shown.getByRole('button', { name: 'Channel a' }))
  await user.click(screen.getByRole('textbox', { name: 'Title of Channel a' }))
  await user.keyboard('{Escape}')
  await user.click(shown.getByRole('button', { name: 'More for Channel a' }))
  await user.keyboard('{Escape}')
  await user.click(shown.getByRole('switch', { name: 'Channel a on' }))
  await screen.findByText('Status updated successfully!')
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.click(shown.getByText('stream-01'))
  expect(await screen.findByRole('dialog', { name: 'Channel a' })).toBeDefined()
})

test('CHAN-04 Q128 the search and the group stand in the address', async () => {
  const { row, user, router } = await openChannels({})
  await row(/Channel a/)
  await user.selectOptions(screen.getByRole('combobox', { name: 'Group' }), 'Sports South')
  await user.type(screen.getByRole('searchbox', { name: 'Search channels' }), 'news')
  await waitFor(() =>
    expect(router.state.location.search).toMatchObject({ search: 'news', group: 'south' }),
  )
})
