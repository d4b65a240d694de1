import { fireEvent, screen, waitFor } from '@testing-library/react'
import { readStreams, saveChannels } from '@trunkline/contract/channels/channel.calls'
import { afterEach, expect, test, vi } from 'vitest'
import { openedDialog } from '../../test/opened-dialog.ts'
import { channelOf, streamOf } from '../../test/channel.samples.ts'
import { refuse, refuseOddly } from '../../test/fake-api.ts'
import { findNotice, resetConsole } from '../../test/render-console.tsx'
import { comeBack, TYPED_IS_BACK } from '../../test/session-steps.ts'
import { openChannels } from '../channels.fixture.ts'
import { fieldOf, inside, openSync, savedNames, tickOf } from './sync.fixture.ts'

afterEach(() => {
  resetConsole()
  vi.restoreAllMocks()
})

test('a server without streams says so, and nothing can be saved', async () => {
  const { goOn, user, button, api } = await openSync({ listed: [] })
  await goOn()
  await screen.findByText('stream-01 has no streams')
  await user.click(button('Save'))
  expect(api.askedOf(saveChannels)).toHaveLength(0)
})

test('server and deselected streams outlive the end of the session', async () => {
  const scene = await openSync()
  await scene.goOn()
  await scene.user.click(await tickOf(/^b/))
  await comeBack(scene, 'admin')
  await scene.user.click(await screen.findByRole('button', { name: '+ Sync' }))
  await openedDialog()
  const server = await fieldOf('Server')
  await waitFor(() => expect(server.selectedOptions[0]?.textContent).toBe('stream-01'))
  await findNotice(TYPED_IS_BACK)
  await scene.user.click(scene.button('Continue'))
  expect((await tickOf(/^c/)).checked).toBe(true)
  expect((await tickOf(/^b/)).checked).toBe(false)
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

test('a slow server: the dialog names the server that it waits for, and Save is disabled', async () => {
  // Its time is the test's: a busy machine may draw the dialog later than a server counts as slow.
  vi.useFakeTimers({ toFake: ['Date'] })
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
  vi.setSystemTime(Date.now() + 4000)
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

test('a save that fails says why, and keeps the selection', async () => {
  const { goOn, user, button } = await openSync({
    prepare: (fake) => fake.on(saveChannels).answer(() => refuse(500, 'The database is locked.')),
  })
  await goOn()
  await user.click(await tickOf(/^c/))
  await user.click(button('Save'))
  await screen.findByText('Nothing is saved. The database is locked.')
  expect((await tickOf(/^c/)).checked).toBe(false)
})

test('while it saves nothing is sent twice, and neither Escape nor Close closes', async () => {
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
  // The cross, and the button.
  for (const close of inside().getAllByRole('button', { name: 'Close' })) await user.click(close)
  await tickOf(/^b/)
  answer.resolve()
  await screen.findByText('Saved streams successfully!')
  expect(api.askedOf(saveChannels)).toHaveLength(1)
})

test('a name that no channel may have cannot be selected, and is not sent', async () => {
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
  const sentence = 'Channel gone is in the list, but not on this server any more.'
  expect(await screen.findByText(sentence)).toBeDefined()
})

test('a search narrows the list, and the tick for all selects the matches', async () => {
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
  await screen.findByText('9 of 12 selected, 12 new')
  await user.click(button('Save'))
  await screen.findByText('Saved streams successfully!')
  expect(savedNames(api)[0]).toHaveLength(9)
})

test('of 1,000 streams only visible rows are drawn, each with its position, and all are saved', async () => {
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
  await openedDialog()
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
