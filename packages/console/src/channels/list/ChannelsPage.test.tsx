import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import {
  changeStreamStatus,
  listChannels,
  readPlayback,
  readStreams,
  renameChannel,
  restartStream,
} from '@trunkline/contract/channels/channel.calls'
import { findServer, listServers } from '@trunkline/contract/servers/server.calls'
import { NOT_AUTHORIZED } from '@trunkline/contract/roles'
import { afterEach, expect, test, vi } from 'vitest'
import { storage } from '../../lib/storage.ts'
import { channelOf, streamOf, streamStatusOf } from '../../test/channel.samples.ts'
import { type FakeApi, refuse, refuseOddly } from '../../test/fake-api.ts'
import { serverOf } from '../../test/place.samples.ts'
import {
  answerQuestion,
  chooseToBeAsked,
  findNotice,
  resetConsole,
} from '../../test/render-console.tsx'
import { bodiesOf, openChannels as open } from '../channels.fixture.ts'

afterEach(resetConsole)

test('CHAN-03 CHAN-06 CHAN-12 to CHAN-17 a row says what the server says', async () => {
  const { row, api } = await open({})
  const shown = await row(/Channel a/)
  await within(shown).findByText('Online')
  for (const head of ['Channel', 'Input', 'Server', 'Settings', 'Actions']) {
    screen.getByRole('columnheader', { name: head })
  }
  within(shown).getByText('srt://203.0.113.20:7016')
  within(shown).getByText('h264 1920×1080 FHD, aac 256, 4,523 kbit/s')
  within(shown).getByText('stream-01')
  within(shown).getByText('Transcoder off, DVR on')
  within(shown).getByText('abr-3, Source')
  expect(api.askedOf(readStreams), 'what is pushed is not asked for').toHaveLength(0)
})

test('CHAN-11 a pushed change is shown without a click', async () => {
  const { row, api } = await open({})
  const shown = await row(/Channel a/)
  await within(shown).findByText('Online')
  const stream = streamOf('a', { stats: { alive: false } })
  api.stream.push({ event: 'stream', data: streamStatusOf(stream) })
  await within(shown).findByText('Offline')
  expect(within(shown).getByRole('button', { name: 'Restart Channel a' })).toBeDefined()
})

test('CHAN-05 a stream that is not pushed is asked for', async () => {
  const { row, api } = await open({
    streams: [],
    prepare: (fake) =>
      fake.on(readStreams).answer(() => ({ status: true, streamDetail: streamOf('a') })),
  })
  await within(await row(/Channel a/)).findByText('Online')
  const [asked] = api.askedOf(readStreams)
  expect(Object.fromEntries(asked?.query ?? [])).toEqual({ serverId: 'stream-01', streamName: 'a' })
})

test('Q129 a stream that the server does not know: Offline, its controls disabled', async () => {
  const { row, user, api } = await open({
    streams: [],
    prepare: (fake) => fake.on(readStreams).answer(() => refuse(404, 'No such stream')),
  })
  const shown = await row(/Channel a/)
  await within(shown).findByText('Offline')
  await user.click(within(shown).getByRole('switch'))
  await user.click(within(shown).getByRole('button', { name: 'Restart Channel a' }))
  expect(api.askedOf(changeStreamStatus)).toHaveLength(0)
  expect(api.askedOf(restartStream)).toHaveLength(0)
})

test('CHAN-07 CHAN-08 ERR-26 the title is changed in place', async () => {
  const { row, user, api, known } = await open({
    prepare: (fake) =>
      fake.on(renameChannel).answer(() => {
        const data = channelOf('a', { title: 'Evening news' })
        known.channels = [data]
        return { status: true, data }
      }),
  })
  await user.dblClick(within(await row(/Channel a/)).getByRole('button', { name: 'Channel a' }))
  const field = screen.getByRole('textbox', { name: 'Title of Channel a' })
  await user.clear(field)
  await user.type(field, 'Evening news{Enter}')
  await screen.findByText('Channel title updated successfully!')
  await row(/Evening news/)
  expect(bodiesOf(api, renameChannel)).toEqual([{ title: 'Evening news', version: 1 }])
  await waitFor(() =>
    expect(api.askedOf(listChannels).length, 'Q128: read after it').toBeGreaterThan(1),
  )
  expect(api.askedOf(readPlayback), 'CHAN-40: nothing was opened').toHaveLength(0)
  expect(document.activeElement?.textContent).toBe('Evening news')
})

test('CHAN-08 ERR-02 ERR-26 a refused title goes back, with the server’s sentence, else the fixed text', async () => {
  const { row, user, api } = await open({
    prepare: (fake) => fake.on(renameChannel).answer(() => refuse(409, 'That title is taken.')),
  })
  for (const sentence of ['That title is taken.', 'Error updating channel title!']) {
    within(await row(/Channel a/))
      .getByRole('button', { name: 'Channel a' })
      .focus()
    await user.keyboard('{F2}')
    await user.keyboard('Taken{Enter}')
    await findNotice(sentence, 'Channel a')
    api.on(renameChannel).answer(() => refuseOddly(500, {}))
  }
  expect(within(await row(/Channel a/)).getByRole('button', { name: 'Channel a' })).toBeDefined()
})

test('Q127 Escape keeps the old title, and an empty title is refused', async () => {
  const { row, user, api } = await open({})
  const title = async () =>
    within(await row(/Channel a/)).findByRole('button', { name: 'Channel a' })
  await user.dblClick(await title())
  await user.keyboard('Other{Escape}')
  await title()
  await user.dblClick(await title())
  await user.clear(screen.getByRole('textbox', { name: 'Title of Channel a' }))
  await user.keyboard('{Enter}')
  await screen.findByText('The title must not be empty. Type at least one character.')
  expect(api.askedOf(renameChannel)).toHaveLength(0)
})

test('CHAN-18 CHAN-19 ERR-29 decisions 40 a restart asks, and says what loses the stream for how long', async () => {
  const { row, user, api } = await open({
    prepare: (fake) =>
      fake.on(restartStream).answer(() => ({ status: true, data: { stream: streamOf('a') } })),
  })
  await within(await row(/Channel a/)).findByText('Online')
  await user.click(screen.getByRole('button', { name: 'Restart Channel a' }))
  await screen.findByText('Viewers lose the picture for a few seconds.')
  expect(api.askedOf(restartStream)).toHaveLength(0)
  await answerQuestion('Keep running')
  expect(api.askedOf(restartStream)).toHaveLength(0)
  await user.click(screen.getByRole('button', { name: 'Restart Channel a' }))
  await answerQuestion('Restart channel')
  await screen.findByText('Server restarted successfully!')
  expect(bodiesOf(api, restartStream)).toEqual([{ serverId: 'stream-01', streamName: 'a' }])
  expect(api.askedOf(readPlayback), 'CHAN-40: nothing was opened').toHaveLength(0)
})

test('CHAN-19 ERR-02 ERR-29 a restart that fails says why: the server’s sentence, else the fixed text', async () => {
  const { row, user, api } = await open({
    prepare: (fake) => fake.on(restartStream).answer(() => refuse(502, 'No answer.')),
  })
  await within(await row(/Channel a/)).findByText('Online')
  for (const sentence of ['No answer.', 'Failed to restart the server!']) {
    await user.click(screen.getByRole('button', { name: 'Restart Channel a' }))
    await answerQuestion('Restart channel')
    await findNotice(sentence, 'Channel a')
    api.on(restartStream).answer(() => refuseOddly(500, {}))
  }
  expect(api.askedOf(restartStream)).toHaveLength(2)
})

test('CHAN-20 ERR-27 the switch turns the stream off', async () => {
  const stream = streamOf('a', { disabled: true })
  const { row, user, api } = await open({
    prepare: (fake) =>
      fake.on(changeStreamStatus).answer(() => ({ status: true, data: { stream } })),
  })
  await within(await row(/Channel a/)).findByText('Online')
  await user.click(screen.getByRole('switch', { name: 'Channel a on' }))
  await screen.findByText('Status updated successfully!')
  await within(await row(/Channel a/)).findByText('Disabled')
  expect(bodiesOf(api, changeStreamStatus)).toEqual([
    { serverId: 'stream-01', streamName: 'a', data: { disabled: true } },
  ])
})

test('CHAN-20 decisions 40 switching off acts at once; Undo stays for 10 s and switches on again', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { row, user, api } = await open({
    prepare: (fake) =>
      fake.on(changeStreamStatus).answer(({ body }) => {
        const { data } = body as { data: { disabled: boolean } }
        return { status: true, data: { stream: streamOf('a', data) } }
      }),
  })
  await within(await row(/Channel a/)).findByText('Online')
  const knob = screen.getByRole('switch', { name: 'Channel a on' })
  await user.click(knob)
  await screen.findByText('Channel a is off.')
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() =>
    expect(bodiesOf(api, changeStreamStatus)).toMatchObject([
      { data: { disabled: true } },
      { data: { disabled: false } },
    ]),
  )
  await within(await row(/Channel a/)).findByText('Online')
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()

  await user.click(knob)
  await screen.findByRole('button', { name: 'Undo' })
  await user.unhover(knob)
  await act(async () => vi.advanceTimersByTimeAsync(9000))
  screen.getByRole('button', { name: 'Undo' })
  await act(async () => vi.advanceTimersByTimeAsync(1100))
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
})

test('CHAN-20 decisions 40 with the setting on, switching off asks first', async () => {
  const stream = streamOf('a', { disabled: true })
  const { row, user, api } = await open({
    prepare: (fake) =>
      fake.on(changeStreamStatus).answer(() => ({ status: true, data: { stream } })),
  })
  await within(await row(/Channel a/)).findByText('Online')
  chooseToBeAsked()
  await user.click(screen.getByRole('switch', { name: 'Channel a on' }))
  await screen.findByText('Viewers lose the picture until it is switched on again.')
  await answerQuestion('Keep it on')
  expect(api.askedOf(changeStreamStatus)).toHaveLength(0)
  await user.click(screen.getByRole('switch', { name: 'Channel a on' }))
  await answerQuestion('Switch off')
  await screen.findByText('Status updated successfully!')
})

test('CHAN-21 ERR-02 ERR-27 the switch moves at once, and back with the server’s sentence, else the fixed text', async () => {
  const reply = Promise.withResolvers<ReturnType<typeof refuse>>()
  const { row, user, api } = await open({
    prepare: (fake) => fake.on(changeStreamStatus).answer(async () => reply.promise),
  })
  await within(await row(/Channel a/)).findByText('Online')
  const knob = screen.getByRole('switch', { name: 'Channel a on' })
  await user.click(knob)
  await waitFor(() => expect(knob.getAttribute('aria-checked')).toBe('false'))
  expect(knob.getAttribute('aria-busy')).toBe('true')
  reply.resolve(refuse(500, 'The database is locked.'))
  await findNotice('The database is locked.')
  await waitFor(() => expect(knob.getAttribute('aria-checked')).toBe('true'))
  api.on(changeStreamStatus).answer(() => refuseOddly(500, {}))
  await user.click(knob)
  await findNotice('Something went wrong! Please try again.')
  await waitFor(() => expect(knob.getAttribute('aria-checked')).toBe('true'))
})

test('CHAN-22 ERR-28 the controls of an editor are shown, answer, and send nothing', async () => {
  const { row, user, api } = await open({ role: 'editor' })
  await within(await row(/Channel a/)).findByText('Online')
  await user.click(screen.getByRole('button', { name: 'Restart Channel a' }))
  await screen.findByText(NOT_AUTHORIZED)
  await user.click(screen.getByRole('switch', { name: 'Channel a on' }))
  await user.dblClick(screen.getByRole('button', { name: 'Channel a' }))
  await user.keyboard('{F2}')
  for (const part of ['textbox', 'dialog']) expect(screen.queryByRole(part)).toBeNull()
  expect(screen.getByRole('switch').getAttribute('aria-checked')).toBe('true')
  for (const route of [restartStream, changeStreamStatus, renameChannel]) {
    expect(api.askedOf(route)).toHaveLength(0)
  }
})

test('CHAN-01 CHAN-04 the filters are asked for and remembered', async () => {
  const { row, user, api } = await open({})
  await row(/Channel a/)
  await user.selectOptions(screen.getByRole('combobox', { name: 'Group' }), 'Sports South')
  await user.type(screen.getByRole('searchbox', { name: 'Search channels' }), 'news')
  await waitFor(() =>
    expect(bodiesOf(api, listChannels).at(-1)).toEqual({
      serverId: '',
      groupId: 'south',
      searchValue: 'news',
      page: 0,
      rowsPerPage: 24,
    }),
  )
  expect(storage.channelGroupId.read()).toBe('south')
})

test('CHAN-04 a page of the list is asked for; a channel that moves to another page stays open', async () => {
  const channels = Array.from({ length: 30 }, (_, at) => channelOf(`n${at}`))
  const { row, user, api, known } = await open({ channels, streams: [] })
  await row(/Channel n23/)
  expect(screen.queryByRole('row', { name: /Channel n24/ })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  await user.click(await row(/Channel n24/))
  const dialog = await screen.findByRole('dialog', { name: 'Channel n24' })
  const changed = (names: readonly string[]) => {
    known.channels = names.map((name) => channelOf(name, { title: `Now ${name}` }))
    api.stream.push({ event: 'object', data: { kind: 'channel', id: '', change: 'removed' } })
  }
  changed(channels.slice(3).map(({ name }) => name))
  await within(dialog).findByText('Now n24')
  expect(screen.queryByRole('row', { name: /n24/, hidden: true })).toBeNull()
  changed(['n29'])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('CHAN-01 ROLE-10 Q48 a manager chooses among the own groups, and starts on the first of them', async () => {
  storage.channelGroupId.write('')
  const { row, api } = await open({ role: 'manager' })
  await row(/Channel a/)
  const groups = within(screen.getByRole('combobox', { name: 'Group' }))
  await waitFor(() => expect(groups.getAllByRole('option')).toHaveLength(2))
  expect(groups.queryByRole('option', { name: 'All groups' })).toBeNull()
  expect(bodiesOf(api, listChannels)[0]).toMatchObject({ groupId: 'north' })
})

test('no match says so, and Clear brings the list back', async () => {
  const { user } = await open({
    prepare: (fake) =>
      fake.on(listChannels).answer(({ body }) => {
        const hasText = (body as { searchValue: string }).searchValue !== ''
        return { status: true, data: hasText ? [] : [channelOf('a')], total: hasText ? 0 : 1 }
      }),
  })
  const box = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search channels' })
  await screen.findByRole('row', { name: /Channel a/ })
  await user.type(box(), 'xyz{Enter}')
  await screen.findByText("Nothing matches 'xyz'")
  await user.click(screen.getByRole('button', { name: 'Clear' }))
  await screen.findByRole('row', { name: /Channel a/ })
  expect(box().value).toBe('')
})

test('a list that fails says so and is read again on Retry', async () => {
  let isUp = false
  const { user } = await open({
    prepare: (fake) =>
      fake
        .on(listChannels)
        .answer(() =>
          isUp
            ? { status: true, data: [channelOf('a')], total: 1 }
            : refuse(500, 'The database is locked.'),
        ),
  })
  await screen.findByText('The list of channels could not be read.')
  isUp = true
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('row', { name: /Channel a/ })).toBeDefined()
})

test('an empty list says what a channel is', async () => {
  await open({ channels: [] })
  expect(await screen.findByText('No channels here')).toBeDefined()
})

test('j and k walk the rows, Enter opens', async () => {
  const { row, user } = await open({ channels: [channelOf('a'), channelOf('b')] })
  await row(/Channel b/)
  await user.keyboard('jj')
  expect(document.activeElement?.textContent).toBe('Channel b')
  await user.keyboard('k')
  expect(document.activeElement?.textContent).toBe('Channel a')
  await user.keyboard('{Enter}')
  await screen.findByRole('dialog', { name: 'Channel a' })
})

test('CHAN-40 one click in the title opens, the first half of a double-click does not', async () => {
  const { row } = await open({})
  const title = within(await row(/Channel a/)).getByRole('button', { name: 'Channel a' })
  fireEvent.click(title, { detail: 1 })
  expect(screen.queryByRole('dialog')).toBeNull()
  await screen.findByRole('dialog', { name: 'Channel a' })
})

test('OUT-FORM-17 the 120th channel server is reached in the filter, and named after a reload', async () => {
  const servers = Array.from({ length: 120 }, (_, at) =>
    serverOf(`s${at + 1}`, { title: `Stream ${at + 1}`, serverType: 'channel' }),
  )
  const prepare = (api: FakeApi) => {
    api.on(listServers).answer(({ query }) => {
      const wanted = query.get('searchText') ?? ''
      const found = servers.filter(({ title }) => title.includes(wanted))
      expect(query.get('rowsPerPage')).toBe('100')
      return { status: true, data: found.slice(0, 100), total: found.length }
    })
    api.on(findServer).answer(({ path }) => {
      const found = servers.find(({ _id }) => path.endsWith(`/${_id}`))
      if (found === undefined) throw new Error(`No server at ${path}.`)
      return { status: true, data: found, adapterIps: [] }
    })
  }
  const { user } = await open({ prepare })
  const longField = async () =>
    waitFor(() => {
      const field = screen.getByRole('combobox', { name: 'Server' })
      expect(field.tagName).toBe('INPUT')
      return field
    })
  await user.type(await longField(), 'Stream 120')
  const list = await screen.findByRole('listbox', { name: 'Server' })
  await waitFor(() => expect(within(list).getAllByRole('option')).toHaveLength(1))
  await user.keyboard('{Enter}')
  await waitFor(() => expect(storage.channelServerId.read()).toBe('s120'))
  cleanup()
  await open({ prepare })
  const named = await longField()
  await waitFor(() => expect(named).toHaveProperty('value', 'Stream 120'))
})
