import { fireEvent, waitFor, within } from '@testing-library/react'
import { listAllEncoders, controlEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { afterEach, expect, test } from 'vitest'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import { openContributions } from '../contributions/contributions.fixture.ts'
import { snapshotOf } from '../test/fake-stream.ts'
import { inputOf, linkStatusOf, STOPPED } from '../test/link.samples.ts'
import { answerQuestion, findNotice, renderConsole, resetConsole } from '../test/render-console.tsx'
import { encoderOf, statusOf } from '../test/samples.ts'

afterEach(resetConsole)

async function keysOn(user: { keyboard: (keys: string) => Promise<void> }, screen: Screen) {
  await user.keyboard('?')
  const dialog = await screen.findByRole('dialog', { name: 'Keys' })
  const terms = within(dialog).getAllByRole('term')
  return terms.map(({ textContent }) => textContent)
}
type Screen = ReturnType<typeof renderConsole>['screen']

test('the list of keys holds those that do something on this page', async () => {
  const groups = renderConsole({ path: '/dashboard/group', role: 'admin' })
  await groups.screen.findByRole('row', { name: /Sports North/ })
  expect(await keysOn(groups.user, groups.screen)).toEqual([
    '1 to 7',
    'Ctrl K',
    '/',
    'j k',
    '[ ]',
    'n',
    'r',
    '?',
    'Esc',
  ])
})

test('on Contributions rows are selected, opened, commanded and renamed by keys', async () => {
  const { user, screen, row } = await openContributions({
    inputs: [inputOf('a'), inputOf('b')],
    programs: [linkStatusOf('input', 'a'), linkStatusOf('input', 'b', STOPPED)],
  })
  await row('Input a')
  await row('Input b')
  const keys = await keysOn(user, screen)
  for (const key of ['Alt 1 2 3', 'space', '← →', 's', 'Shift S', 'Shift R', 'l', 'F2']) {
    expect(keys).toContain(key)
  }
})

test('a key stops and restarts the row that has the focus, after a question; no key without a focus', async () => {
  const { user, screen, row, api } = await openContributions({
    inputs: [inputOf('a'), inputOf('b')],
    programs: [linkStatusOf('input', 'a'), linkStatusOf('input', 'b', STOPPED)],
    prepare: (fake) =>
      fake.on(contributionAction).answer(() => ({ status: true, results: 'RUNNING' })),
  })
  await row('Input a')
  await row('Input b')
  await user.keyboard('{Shift>}S{/Shift}')
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.keyboard('j{Shift>}S{/Shift}')
  const question = await screen.findByRole('dialog', { name: 'Are you sure?' })
  expect(question.textContent).toContain('Stop Input a.')
  await user.click(within(question).getByRole('button', { name: 'Keep running' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.askedOf(contributionAction)).toEqual([])
  // What stands has no Stop: the key does nothing there.
  await user.keyboard('j{Shift>}S{/Shift}')
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.keyboard('s')
  const start = await screen.findByRole('dialog', { name: 'Are you sure?' })
  expect(start.textContent).toContain('Start Input b.')
  await answerQuestion('Start')
  await findNotice('Action worked success', 'Input b started')
  expect(api.askedOf(contributionAction).map(({ body }) => body)).toEqual([
    { id: 'b', type: 1, actionType: 'start' },
  ])
})

test('a key restarts the card that has the focus, after a question', async () => {
  const { user, screen, api } = renderConsole({
    path: '/',
    role: 'admin',
    prepare: (fake) => {
      const result = [encoderOf('e1')]
      fake.on(listAllEncoders).answer(() => ({ status: true, result, total: 1 }))
    },
  })
  await waitFor(() => {
    if (!api.stream.isConnected()) throw new Error('The live stream is not open yet.')
  })
  api.stream.push(snapshotOf({ programs: [statusOf('e1')] }))
  await screen.findByRole('button', { name: 'Stop Camera e1' })
  await user.keyboard('j{Shift>}R{/Shift}')
  const question = await screen.findByRole('dialog', { name: 'Are you sure?' })
  expect(question.textContent).toContain('Restart Camera e1.')
  await answerQuestion('Keep running')
  expect(api.askedOf(controlEncoder)).toEqual([])
})

test('brackets turn the pages of a list, and stop at its ends', async () => {
  const inputs = Array.from({ length: 30 }, (_, at) => inputOf(`i${at}`))
  const { screen } = await openContributions({ inputs, isUnread: true })
  await screen.findByText('1–12 of 30')
  const press = (key: string) => fireEvent.keyDown(document.body, { key })
  await screen.findByText('1–12 of 30')
  press('[')
  press(']')
  await screen.findByText('13–24 of 30')
  press(']')
  await screen.findByText('25–30 of 30')
  press(']')
  press('[')
  expect(await screen.findByText('13–24 of 30')).toBeDefined()
})
