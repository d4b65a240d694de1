import { act, screen, waitFor, within } from '@testing-library/react'
import { updateTitle } from '@trunkline/contract/contributions/contribution.calls'
import { removeInput, setInputsStatus } from '@trunkline/contract/contributions/input.calls'
import { listOutputs, removeOutput } from '@trunkline/contract/contributions/output.calls'
import { afterEach, expect, test, vi } from 'vitest'
import { storage } from '../../lib/storage.ts'
import { refuse, refuseOddly } from '../../test/fake-api.ts'
import { inputOf, linkStatusOf, outputOf } from '../../test/link.samples.ts'
import { answerQuestion, findNotice, resetConsole } from '../../test/render-console.tsx'
import { openContributions } from '../contributions.fixture.ts'

afterEach(resetConsole)

async function open(parts: Parameters<typeof openContributions>[0]) {
  const scene = await openContributions(parts)
  const { row, user } = scene
  /** Chooses that verb out of the menu of a row. */
  const choose = async (title: string, verb: string) => {
    await row(title)
    await user.click(screen.getByRole('button', { name: `More for ${title}` }))
    const menu = within(await screen.findByRole('menu', { name: `More for ${title}` }))
    await user.click(menu.getByRole('menuitem', { name: verb }))
  }
  return { ...scene, choose, answer: answerQuestion }
}

test('CON-IN-30 edit opens the form of that input', async () => {
  const { choose, pathname } = await open({})
  await choose('Input a', 'Edit')
  await waitFor(() => expect(pathname()).toBe('/dashboard/gw-west/north/contribution/a'))
})

test('CON-OUT-14 edit opens the form of that output', async () => {
  const { choose, pathname } = await open({
    path: '/dashboard/contribution?tab=outputs',
    outputs: [outputOf('o')],
  })
  await choose('Output o', 'Edit')
  await waitFor(() => expect(pathname()).toBe('/dashboard/gw-west/output_edit/o'))
})

test('CON-IN-31 DLG-06 DLG-15 ERR-35 delete asks; keeping sends nothing', async () => {
  const { choose, answer, api } = await open({
    prepare: (fake) => fake.on(removeInput).answer(() => ({ status: true, id: 'a' })),
  })
  await choose('Input a', 'Delete')
  await screen.findByText('Are you sure you want to delete?')
  await answer('Keep input')
  expect(api.askedOf(removeInput)).toEqual([])
  await choose('Input a', 'Delete')
  await answer('Delete input')
  await screen.findByText('Stream deleted successfully')
  expect(api.askedOf(removeInput).map(({ path }) => path)).toEqual(['/api/contribution/a'])
})

test('CON-OUT-15 ERR-35 an output is deleted the same way', async () => {
  const { choose, answer, api } = await open({
    path: '/dashboard/contribution?tab=outputs',
    outputs: [outputOf('o')],
    prepare: (fake) => fake.on(removeOutput).answer(() => ({ status: true, id: 'o' })),
  })
  await choose('Output o', 'Delete')
  await screen.findByText('Are you sure you want to delete?')
  await answer('Delete output')
  await screen.findByText('Stream deleted successfully')
  expect(api.askedOf(removeOutput).map(({ path }) => path)).toEqual(['/api/contribution/output/o'])
})

const HELD = 'This input cannot be deleted because it has 3 number of Outputs.'
const held = [inputOf('a', { outputIds: ['x', 'y'] })]
const three = ['x', 'y', 'z'].map((id) => outputOf(id))

test('CON-IN-32 CON-IN-34 an input with outputs stays, and leads to them', async () => {
  const { choose, row, user, api } = await open({ inputs: held, outputs: three })
  await choose('Input a', 'Delete')
  await screen.findByText(HELD)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(api.askedOf(removeInput)).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Show outputs' }))
  await row('Output x')
  expect(screen.getByRole('tab', { name: /Outputs/ }).getAttribute('aria-selected')).toBe('true')
  expect(storage.outputFilterInputId.read()).toBe('a')
  await waitFor(() =>
    expect(api.askedOf(listOutputs).at(-1)?.query.get('contributionId')).toBe('a'),
  )
  expect(screen.queryByText(HELD)).toBeNull()
})

test('CON-IN-32 shows the API’s output count when the row is stale', async () => {
  const { choose, answer } = await open({
    prepare: (fake) => fake.on(removeInput).answer(() => refuse(409, HELD)),
  })
  await choose('Input a', 'Delete')
  await answer('Delete input')
  await screen.findByText(HELD)
  expect(screen.getByRole('button', { name: 'Show outputs' })).toBeDefined()
})

test('CON-IN-33 the message stays 7 s, longer under the pointer, and closes at once', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { choose, user } = await open({ inputs: held, outputs: three })
  const pass = async (ms: number) => act(async () => vi.advanceTimersByTimeAsync(ms))
  await choose('Input a', 'Delete')
  await screen.findByText(HELD)
  // A warning without an offer would be gone after 6 s.
  await pass(6200)
  await user.hover(screen.getByText(HELD))
  await pass(9000)
  screen.getByText(HELD)
  await user.unhover(screen.getByText(HELD))
  await pass(800)
  await waitFor(() => expect(screen.queryByText(HELD)).toBeNull())

  await choose('Input a', 'Delete')
  await screen.findByText(HELD)
  await user.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByText(HELD)).toBeNull()
})

test('CON-IN-37 Q138 disabling a running link asks first; enabling does not', async () => {
  const { choose, answer, api } = await open({
    inputs: [inputOf('a'), inputOf('b', { isEnabled: false })],
    programs: [linkStatusOf('input', 'a')],
    prepare: (fake) =>
      fake
        .on(setInputsStatus)
        .answer(() => ({ status: true, msg: 'done', updated: 1, failed: [] })),
  })
  const bodies = () => api.askedOf(setInputsStatus).map(({ body }) => body)
  await choose('Input a', 'Disable')
  await answer('Keep enabled')
  expect(bodies()).toEqual([])
  await choose('Input a', 'Disable')
  await answer('Disable')
  await screen.findByText('Input/Output status updated successfully.')
  await choose('Input b', 'Enable')
  await waitFor(() =>
    expect(bodies()).toEqual([
      { names: ['input-a'], isDisable: true },
      { names: ['input-b'], isDisable: false },
    ]),
  )
})

test('CON-IN-37 ERR-02 ERR-37 a status that could not be changed: the server’s sentence, else the fixed text', async () => {
  const { choose, api } = await open({
    inputs: [inputOf('b', { isEnabled: false })],
    prepare: (fake) => fake.on(setInputsStatus).answer(() => refuse(500, 'The disk is full.')),
  })
  await choose('Input b', 'Enable')
  await findNotice('The disk is full.')
  api.on(setInputsStatus).answer(() => refuseOddly(500, {}))
  await choose('Input b', 'Enable')
  expect(await findNotice('Something went wrong. Please try again.')).toBeDefined()
})

const RENAMED = {
  status: true,
  msg: 'ok',
  data: { _id: 'a', id: 'a', title: 'Marathon', version: 2 },
} as const

test('CON-IN-29 a name is changed in its row: Enter saves, the focus goes back to the row', async () => {
  const { choose, user, api } = await open({
    prepare: (fake) => fake.on(updateTitle).answer(() => RENAMED),
  })
  await choose('Input a', 'Rename')
  const field = await screen.findByRole('textbox', { name: 'New name of Input a' })
  await waitFor(() => expect(document.activeElement).toBe(field))
  await user.clear(field)
  await user.type(field, ' Marathon {Enter}')
  await screen.findByText('Input a is Marathon now')
  const bodies = api.askedOf(updateTitle).map(({ body }) => body)
  expect(bodies).toEqual([
    { inputId: 'a', title: 'Marathon', type: 'input', formerTitle: 'Input a' },
  ])
  expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Select Input a' }))
})

test('F12 a name that somebody has changed meanwhile is said, and changed by a second Enter only', async () => {
  const sentence = 'Somebody has renamed it Sprint.'
  const more = {
    code: 'conflict',
    field: 'title',
    current: { title: 'Sprint' },
    changed: ['title'],
  }
  const answers = [
    refuseOddly(409, { status: false, error: sentence, msg: sentence, ...more }),
    RENAMED,
  ]
  const { choose, user, api } = await open({
    prepare: (fake) => fake.on(updateTitle).answer(() => answers.shift() ?? RENAMED),
  })
  await choose('Input a', 'Rename')
  const field = await screen.findByRole('textbox', { name: 'New name of Input a' })
  await user.clear(field)
  await user.type(field, 'Marathon{Enter}')
  await screen.findByText(sentence)
  await user.type(field, '{Enter}')
  await screen.findByText('Sprint is Marathon now')
  const asked = { inputId: 'a', title: 'Marathon', type: 'input' }
  expect(api.askedOf(updateTitle).map(({ body }) => body)).toEqual([
    { ...asked, formerTitle: 'Input a' },
    { ...asked, formerTitle: 'Sprint' },
  ])
})

test('CON-OUT-13 F2 renames an output; Escape, no change and no name send nothing', async () => {
  const { row, user, api } = await open({
    path: '/dashboard/contribution?tab=outputs',
    outputs: [outputOf('o')],
    prepare: (fake) => fake.on(updateTitle).answer(() => refuse(409, 'Taken.')),
  })
  await row('Output o')
  await user.keyboard('j{F2}')
  const field = async () => screen.findByRole('textbox', { name: 'New name of Output o' })
  await user.clear(await field())
  await user.keyboard('{Enter}')
  await screen.findByText('This field is required')
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('textbox', { name: /New name/ })).toBeNull()
  await user.keyboard('{F2}{Enter}')
  expect(api.askedOf(updateTitle)).toEqual([])

  await user.keyboard('{F2}')
  await user.type(await field(), ' two{Enter}')
  await screen.findByText('Taken.')
  expect((await field()).getAttribute('aria-invalid')).toBe('true')
  const bodies = api.askedOf(updateTitle).map(({ body }) => body)
  expect(bodies).toEqual([
    { inputId: 'o', title: 'Output o two', type: 'output', formerTitle: 'Output o' },
  ])
})
