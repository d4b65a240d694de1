import { screen, waitFor, within } from '@testing-library/react'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import { removeInputs, setInputsStatus } from '@trunkline/contract/contributions/input.calls'
import {
  changeOutputDestination,
  removeOutputs,
  setOutputsStatus,
} from '@trunkline/contract/contributions/output.calls'
import { askOnAir } from '@trunkline/contract/on-air/on-air.calls'
import { afterEach, beforeEach, expect, type Mock, test, vi } from 'vitest'
import { refuse, refuseOddly } from '../../test/fake-api.ts'
import { destinationOf, inputOf, linkStatusOf, outputOf, STOPPED } from '../../test/link.samples.ts'
import { findNotice, resetConsole } from '../../test/render-console.tsx'
import { actionsOf, findBar, openContributions as open } from '../contributions.fixture.ts'

/** The browser's own question, which happy-dom does not ask. */
let confirm: Mock<(sentence?: string) => boolean>

beforeEach(() => {
  confirm = vi.fn<(sentence?: string) => boolean>(() => true)
  window.confirm = confirm
})
afterEach(resetConsole)

const OUTPUTS = '/dashboard/contribution?tab=outputs'

async function tick(user: Awaited<ReturnType<typeof open>>['user'], ...titles: string[]) {
  for (const title of titles) {
    // oxlint-disable-next-line no-await-in-loop -- one click after the other
    await user.click(await screen.findByRole('checkbox', { name: `Select ${title}` }))
  }
}

const fleet = {
  inputs: [inputOf('a'), inputOf('b'), inputOf('c', { isEnabled: false })],
  programs: [linkStatusOf('input', 'a'), linkStatusOf('input', 'b', STOPPED)],
}

test('CON-IN-09 the bar counts what is selected, and what each action is about', async () => {
  const { row, user } = await open(fleet)
  await row('Input a')
  await user.click(screen.getByRole('checkbox', { name: 'Select all inputs of this page' }))
  const bar = await findBar()
  bar.getByText('3 selected')
  expect(bar.getByRole('status').textContent).toBe('3 selected 1 running, 1 disabled')
  for (const name of ['Start 1', 'Stop 1', 'Restart 1', 'Enable 1', 'Disable 2']) {
    bar.getByRole('button', { name })
  }
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('group', { name: /^Selected/ })).toBeNull()
})

test('the list takes the focus of the bar, which goes with the selection', async () => {
  const { row, user } = await open(fleet)
  await row('Input a')
  await user.click(screen.getByRole('checkbox', { name: 'Select all inputs of this page' }))
  const bar = await findBar()
  bar.getByRole('button', { name: 'Disable 2' }).focus()
  await user.keyboard('{Escape}')
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Inputs' })),
  )
})

test('the tick of the page is mixed while some are ticked; Shift ticks a range', async () => {
  const { row, user } = await open({ inputs: ['1', '2', '3', '4'].map((id) => inputOf(id)) })
  await row('Input 1')
  const all = screen.getByRole<HTMLInputElement>('checkbox', { name: /^Select all/ })
  await tick(user, 'Input 1')
  expect([all.checked, all.indeterminate]).toEqual([false, true])
  await user.keyboard('{Shift>}')
  await tick(user, 'Input 3')
  await user.keyboard('{/Shift}')
  const bar = await findBar()
  bar.getByText('3 selected')
  await tick(user, 'Input 4')
  expect([all.checked, all.indeterminate]).toEqual([true, false])
  expect((await row('Input 4')).getAttribute('aria-selected')).toBe('true')
})

test('a selection survives refresh and paging, and ends with its tab', async () => {
  const inputs = Array.from({ length: 13 }, (_, index) => inputOf(`${index + 1}`))
  const { row, user } = await open({ inputs })
  await row('Input 1')
  await tick(user, 'Input 1')
  await user.click(screen.getByRole('button', { name: 'Refresh' }))
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  await row('Input 13')
  const bar = await findBar()
  expect(bar.getByRole('status').textContent).toBe('1 selected 1 not on this page')
  await user.click(screen.getByRole('tab', { name: /Outputs/ }))
  await user.click(screen.getByRole('tab', { name: /Inputs/ }))
  await row('Input 13')
  expect(screen.queryByRole('group', { name: /^Selected/ })).toBeNull()
})

test('start and stop of several: a call for each, one notice; stop asks', async () => {
  const { row, user, api } = await open({
    inputs: ['a', 'b', 'c'].map((id) => inputOf(id)),
    programs: ['a', 'b', 'c'].map((id) => linkStatusOf('input', id)),
    prepare: (fake) =>
      fake
        .on(contributionAction)
        .answer(({ body }) =>
          JSON.stringify(body).includes('"b"')
            ? { status: false, results: '', error: 'The host did not answer.' }
            : { status: true, results: 'ok' },
        ),
  })
  await row('Input a')
  await user.click(screen.getByRole('checkbox', { name: /^Select all/ }))
  const bar = await findBar()
  await user.click(bar.getByRole('button', { name: 'Stop 3' }))
  await user.click(await screen.findByRole('button', { name: 'Keep running' }))
  expect(actionsOf(api)).toEqual([])
  await user.click(bar.getByRole('button', { name: 'Stop 3' }))
  await screen.findByText('They receive nothing until they are started again.')
  await user.click(await screen.findByRole('button', { name: 'Stop 3 inputs' }))
  const failed = await screen.findByRole('dialog', { name: '1 of 3 failed' })
  within(failed).getByText('Input b')
  within(failed).getByText('The host did not answer.')
  screen.getByText('Action worked success')
  expect(actionsOf(api)).toHaveLength(3)
  await user.click(within(failed).getByRole('button', { name: 'Select only these' }))
  await screen.findByText('1 selected')
  expect(screen.getByRole('checkbox', { name: 'Select Input b' })).toHaveProperty('checked', true)
})

test('one of several whose last command is under way is named, not passed over', async () => {
  const { promise: answered, resolve } = Promise.withResolvers<void>()
  const { row, user, api } = await open({
    inputs: ['a', 'b'].map((id) => inputOf(id)),
    programs: ['a', 'b'].map((id) => linkStatusOf('input', id, STOPPED)),
    prepare: (fake) =>
      fake.on(contributionAction).answer(async ({ body }) => {
        if (JSON.stringify(body).includes('"b"')) await answered
        return { status: true, results: 'ok' }
      }),
  })
  const b = await row('Input b')
  await user.click(within(b).getByRole('button', { name: 'Start Input b' }))
  await waitFor(() => expect(actionsOf(api)).toHaveLength(1))
  await user.click(screen.getByRole('checkbox', { name: /^Select all/ }))
  const bar = await findBar()
  await user.click(bar.getByRole('button', { name: 'Start 2' }))
  const failed = await screen.findByRole('dialog', { name: '1 of 2 failed' })
  within(failed).getByText('Input b')
  within(failed).getByText('Its last command is still being carried out. Try again.')
  expect(actionsOf(api)).toHaveLength(2)
  resolve()
})

test('stop of several asks once about what is on air; each call carries the title', async () => {
  const effect = { kind: 'channel' as const, id: 'c', title: 'News', effect: 'dark' as const }
  const { row, user, api } = await open({
    inputs: ['a', 'b'].map((id) => inputOf(id)),
    programs: ['a', 'b'].map((id) => linkStatusOf('input', id)),
    prepare: (fake) => {
      const refusal = { effects: [effect], more: 0, hidden: 0, mayOverride: false }
      fake.on(askOnAir).answer(() => ({ status: true, data: refusal }))
      fake.on(contributionAction).answer(() => ({ status: true, results: 'ok' }))
    },
  })
  await row('Input a')
  await user.click(screen.getByRole('checkbox', { name: /^Select all/ }))
  const bar = await findBar()
  await user.click(bar.getByRole('button', { name: 'Stop 2' }))
  await user.type(await screen.findByLabelText('Type News to interrupt it'), 'News')
  await user.click(screen.getByRole('button', { name: 'Stop 2 inputs' }))
  await waitFor(() => expect(actionsOf(api)).toHaveLength(2))
  const titles = api
    .askedOf(contributionAction)
    .map(({ headers }) => headers.get('x-trunkline-on-air'))
  expect(titles).toEqual(['News', 'News'])
})

test('CON-IN-37 ERR-37 enable and disable by names; a failure is shown by its title', async () => {
  const { row, user, api } = await open({
    ...fleet,
    prepare: (fake) =>
      fake.on(setInputsStatus).answer(() => ({
        status: true,
        msg: 'done',
        updated: 1,
        failed: [{ name: 'input-b', error: 'Its host refused.' }],
      })),
  })
  await row('Input a')
  await tick(user, 'Input b', 'Input c')
  const bar = await findBar()
  await user.click(bar.getByRole('button', { name: 'Enable 1' }))
  await screen.findByText('Input/Output status updated successfully.')
  await tick(user, 'Input a')
  await user.click(bar.getByRole('button', { name: 'Disable 2' }))
  const question = await screen.findByRole('dialog', { name: 'Are you sure?' })
  await user.click(within(question).getByRole('button', { name: 'Disable' }))
  const failed = await screen.findByRole('dialog', { name: '1 of 2 failed' })
  within(failed).getByText('Input b')
  expect(api.askedOf(setInputsStatus).map(({ body }) => body)).toEqual([
    { names: ['input-c'], isDisable: false },
    { names: ['input-b', 'input-a'], isDisable: true },
  ])
})

test('CON-IN-35 ERR-36 Q209 bulk delete asks in the browser; no sends nothing', async () => {
  confirm.mockReturnValueOnce(false)
  const { row, user, api } = await open({
    ...fleet,
    prepare: (fake) =>
      fake.on(removeInputs).answer(() => ({
        status: true,
        msg: 'done',
        deleted: ['input-a', 'input-b'],
        refused: [],
        failed: [],
      })),
  })
  await row('Input a')
  await tick(user, 'Input a', 'Input b')
  const bar = await findBar()
  await user.click(bar.getByRole('button', { name: 'Delete' }))
  expect(confirm).toHaveBeenCalledWith('Are you sure you want to delete this item?')
  expect(api.askedOf(removeInputs)).toEqual([])
  await user.click(bar.getByRole('button', { name: 'Delete' }))
  await screen.findByText('Input remove successfully..')
  const bodies = api.askedOf(removeInputs).map(({ body }) => body)
  expect(bodies).toEqual([{ contriNames: ['input-a', 'input-b'] }])
  await waitFor(() => expect(screen.queryByRole('group', { name: /^Selected/ })).toBeNull())
})

test('Q142 inputs without outputs are deleted, and those with outputs are listed', async () => {
  const { row, user } = await open({
    ...fleet,
    prepare: (fake) =>
      fake.on(removeInputs).answer(() => ({
        status: true,
        msg: 'done',
        deleted: ['input-a'],
        refused: [
          { name: 'input-b', outputs: 2 },
          { name: 'input-c', outputs: 1 },
        ],
        failed: [],
      })),
  })
  await row('Input a')
  await user.click(screen.getByRole('checkbox', { name: /^Select all/ }))
  const bar = await findBar()
  await user.click(bar.getByRole('button', { name: 'Delete' }))
  const failed = await screen.findByRole('dialog', { name: '2 of 3 failed' })
  within(failed).getByText('Input b')
  within(failed).getByText('Input c')
  await screen.findByText('Input remove successfully..')
  screen.getByRole('button', { name: 'Show outputs' })
  expect(bar.getByText('2 selected')).toBeDefined()
})

test('Q142 when all are refused no success is shown', async () => {
  const sentence = 'This input cannot be deleted because it has 2 number of Outputs.'
  const { row, user } = await open({
    ...fleet,
    prepare: (fake) =>
      fake.on(removeInputs).answer(() =>
        refuseOddly(409, {
          status: false,
          error: sentence,
          msg: sentence,
          failed: [{ name: 'input-b', error: sentence }],
        }),
      ),
  })
  await row('Input b')
  await tick(user, 'Input b')
  const bar = await findBar()
  await user.click(bar.getByRole('button', { name: 'Delete' }))
  await screen.findByText(sentence)
  screen.getByRole('button', { name: 'Show outputs' })
  expect(screen.queryByText('Input remove successfully..')).toBeNull()
})

test('Q142 inputs with the same number of outputs are each listed by title', async () => {
  const sentence = 'This input cannot be deleted because it has 2 number of Outputs.'
  const failed = ['input-a', 'input-b'].map((name) => ({ name, error: sentence }))
  const { row, user } = await open({
    ...fleet,
    prepare: (fake) =>
      fake
        .on(removeInputs)
        .answer(() => refuseOddly(409, { status: false, error: sentence, msg: sentence, failed })),
  })
  await row('Input b')
  await tick(user, 'Input a', 'Input b')
  const bar = await findBar()
  await user.click(bar.getByRole('button', { name: 'Delete' }))
  const dialog = await screen.findByRole('dialog', { name: '2 of 2 failed' })
  within(dialog).getByText('Input a')
  within(dialog).getByText('Input b')
  expect(screen.queryByText('Something went wrong')).toBeNull()
})

test('CON-OUT-16 CON-OUT-17 ERR-36 ERR-37 the same for outputs, by their own calls', async () => {
  const { row, user, api } = await open({
    path: OUTPUTS,
    outputs: [outputOf('o', { isEnabled: false }), outputOf('p')],
    prepare: (fake) => {
      fake
        .on(setOutputsStatus)
        .answer(() => ({ status: true, msg: 'done', updated: 1, failed: [] }))
      fake
        .on(removeOutputs)
        .answer(() => ({ status: true, msg: 'done', deleted: ['output-o'], failed: [] }))
    },
  })
  await row('Output o')
  await tick(user, 'Output o')
  const bar = await findBar()
  await user.click(bar.getByRole('button', { name: 'Enable 1' }))
  await screen.findByText('Input/Output status updated successfully.')
  await user.click(bar.getByRole('button', { name: 'Delete' }))
  await screen.findByText('Output remove successfully..')
  expect(api.askedOf(setOutputsStatus).map(({ body }) => body)).toEqual([
    { names: ['output-o'], isDisable: false },
  ])
  expect(api.askedOf(removeOutputs).map(({ body }) => body)).toEqual([
    { outputNames: ['output-o'] },
  ])
})

test('CON-OUT-18 CON-OUT-19 ERR-44 outputs are pointed at a destination; without a choice nothing is sent', async () => {
  const { row, user, api } = await open({
    path: OUTPUTS,
    outputs: [outputOf('o'), outputOf('p')],
    destinations: [destinationOf('d'), destinationOf('e')],
    prepare: (fake) =>
      fake.on(changeOutputDestination).answer(() => ({
        status: true,
        msg: 'Destination changed.',
        updated: 1,
        failed: [{ name: 'p', error: 'It listens, so it has no destination.' }],
      })),
  })
  await row('Output o')
  await tick(user, 'Output o', 'Output p')
  const bar = await findBar()
  await user.click(bar.getByRole('button', { name: 'Change destination' }))
  const dialog = within(await screen.findByRole('dialog', { name: /Change destination/ }))
  await dialog.findByRole('radio', { name: /Destination d/ })
  await user.click(dialog.getByRole('button', { name: 'Change destination' }))
  await dialog.findByText('Please select destination')
  expect(api.askedOf(changeOutputDestination)).toEqual([])
  await user.click(dialog.getByRole('radio', { name: /Destination e/ }))
  await user.click(dialog.getByRole('button', { name: 'Change destination' }))
  const failed = await screen.findByRole('dialog', { name: '1 of 2 failed' })
  within(failed).getByText('Output p')
  screen.getByText('Destination changed.')
  screen.getByText('1 output')
  expect(api.askedOf(changeOutputDestination).map(({ body }) => body)).toEqual([
    { destinationId: 'e', outputIds: ['o', 'p'] },
  ])
})

test('ERR-02 ERR-37 a bulk call that fails as a whole is one notice: the server’s sentence, else the fixed text', async () => {
  const { row, user, api } = await open({
    ...fleet,
    prepare: (fake) => fake.on(setInputsStatus).answer(() => refuse(500, 'The disk is full.')),
  })
  await row('Input c')
  await tick(user, 'Input c')
  const bar = await findBar()
  await user.click(bar.getByRole('button', { name: 'Enable 1' }))
  await findNotice('The disk is full.')
  api.on(setInputsStatus).answer(() => refuseOddly(500, {}))
  await user.click(bar.getByRole('button', { name: 'Enable 1' }))
  await findNotice('Something went wrong. Please try again.')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('DLG-14 CON-IN-24 two clicks, one call; the row is busy meanwhile', async () => {
  const answer = Promise.withResolvers<undefined>()
  const { row, user, api } = await open({
    ...fleet,
    prepare: (fake) =>
      fake.on(contributionAction).answer(async () => {
        await answer.promise
        return { status: true, results: 'ok' }
      }),
  })
  const shown = await row('Input b')
  const start = await within(shown).findByRole('button', { name: 'Start Input b' })
  // Its state comes after its row.
  await waitFor(() => expect(start.getAttribute('aria-disabled')).not.toBe('true'))
  await user.dblClick(start)
  expect(shown.getAttribute('aria-busy')).toBe('true')
  expect(actionsOf(api)).toHaveLength(1)
  answer.resolve(undefined)
  await screen.findByText('Action worked success')
  expect(actionsOf(api)).toHaveLength(1)
})
