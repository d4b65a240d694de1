import { screen, waitFor, within } from '@testing-library/react'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import {
  listInputs,
  matchInputs,
  readInput,
  setInputsStatus,
} from '@trunkline/contract/contributions/input.calls'
import {
  changeOutputDestination,
  matchOutputs,
} from '@trunkline/contract/contributions/output.calls'
import { afterEach, expect, test } from 'vitest'
import { refuse } from '../../test/fake-api.ts'
import { destinationOf, inputOf, outputOf } from '../../test/link.samples.ts'
import { findNotice, resetConsole } from '../../test/render-console.tsx'
import { actionsOf, findBar, openContributions as open } from '../contributions.fixture.ts'

afterEach(resetConsole)

const inputs = Array.from({ length: 40 }, (_, at) => inputOf(`${at + 1}`))
const idsOf = (from: number, to: number) => inputs.slice(from, to).map(({ id }) => id)

/** Of 40 inputs 30 run, 6 are stopped and 4 are disabled; each but the last has an output. */
function stateGroup(state: 'running' | 'stopped' | 'disabled', ids: string[]) {
  return { state, ids, names: ids.map((id) => `input-${id}`), outputs: ids.map(() => 1) }
}
const MATCHING = {
  total: 40,
  states: [
    stateGroup('running', idsOf(0, 30)),
    stateGroup('stopped', idsOf(30, 36)),
    stateGroup('disabled', idsOf(36, 40)),
  ],
}

async function openAndSelect(parts: Parameters<typeof open>[0] = {}) {
  const scene = await open({
    inputs,
    ...parts,
    prepare: (fake) => {
      fake.on(matchInputs).answer(() => ({ status: true, data: MATCHING }))
      parts.prepare?.(fake)
    },
  })
  await scene.row('Input 1')
  await scene.user.click(screen.getByRole('checkbox', { name: 'Select all inputs of this page' }))
  const bar = await findBar()
  await scene.user.click(bar.getByRole('button', { name: 'Select all 40' }))
  await screen.findByText('40 selected')
  return scene
}

test('CON-IN-09 all that match are selected without their rows, and each action counts its own', async () => {
  const { api, user } = await openAndSelect()
  const bar = await findBar()
  expect(bar.getByRole('status').textContent).toBe(
    '40 selected 30 running, 4 disabled, 28 not on this page',
  )
  for (const name of ['Start 6', 'Stop 30', 'Restart 30', 'Enable 4', 'Disable 36']) {
    bar.getByRole('button', { name })
  }
  expect(bar.queryByRole('button', { name: /^Select all/ })).toBeNull()
  const sizes = api.askedOf(listInputs).map(({ query }) => query.get('rowsPerPage'))
  expect(sizes.filter((size) => size === '0')).toEqual([])
  expect(Object.fromEntries(api.askedOf(matchInputs)[0]?.query ?? [])).toEqual({
    searchValue: '',
    serverId: '',
    groupId: '',
  })
  await user.click(screen.getByRole('checkbox', { name: 'Select Input 3' }))
  await screen.findByText('39 selected')
  bar.getByRole('button', { name: 'Stop 29' })
})

test('CON-IN-37 all that match are disabled by name, and one that fails is named by its title', async () => {
  const { api, user } = await openAndSelect({
    prepare: (fake) => {
      fake.on(setInputsStatus).answer(() => ({
        status: true,
        msg: 'done',
        updated: 35,
        failed: [{ name: 'input-33', error: 'Its host refused.' }],
      }))
      const unread = inputOf('33', { title: 'Harbour' })
      fake.on(readInput).answer(() => ({ status: true, data: unread, contribution: unread }))
    },
  })
  const bar = await findBar()
  await user.click(bar.getByRole('button', { name: 'Disable 36' }))
  await user.click(await screen.findByRole('button', { name: 'Disable' }))
  const failed = await screen.findByRole('dialog', { name: '1 of 36 failed' })
  within(failed).getByText('Harbour')
  const [sent] = api.askedOf(setInputsStatus).map(({ body }) => body as { names: string[] })
  expect(sent?.names).toEqual(idsOf(0, 36).map((id) => `input-${id}`))
  const read = api.askedOf(readInput).map(({ path }) => path)
  expect(read.filter((path) => !path.endsWith('history'))).toEqual(['/api/contribution/33'])
})

test('of an action of all that match it is said how far it is', async () => {
  const held = Promise.withResolvers<undefined>()
  const { api, user } = await openAndSelect({
    prepare: (fake) =>
      fake.on(contributionAction).answer(async ({ body }) => {
        if ((body as { id: string }).id !== '31') await held.promise
        return { status: true, results: 'ok' }
      }),
  })
  const bar = await findBar()
  await user.click(bar.getByRole('button', { name: 'Start 6' }))
  await screen.findByText('1 of 6 done')
  held.resolve(undefined)
  await screen.findByText('Action worked success')
  expect(actionsOf(api)).toHaveLength(6)
  await waitFor(() => expect(screen.queryByText(/of 6 done/)).toBeNull())
})

test('what became of all that match is counted after the action, and the focus stays at the bar', async () => {
  let states = MATCHING.states
  const scene = await openAndSelect({
    prepare: (fake) => {
      fake.on(matchInputs).answer(() => ({ status: true, data: { total: 40, states } }))
      fake.on(setInputsStatus).answer(() => {
        states = [stateGroup('disabled', idsOf(0, 40))]
        return { status: true, msg: 'done', updated: 36, failed: [] }
      })
    },
  })
  const bar = await findBar()
  const group = screen.getByRole('group', { name: 'Selected inputs' })
  await waitFor(() => expect(document.activeElement).toBe(group))
  await scene.user.click(bar.getByRole('button', { name: 'Disable 36' }))
  await screen.findByText(/^Those that are running stop: they and their outputs lose the stream/)
  await scene.user.click(screen.getByRole('button', { name: 'Disable' }))
  // The 12 rows of the page are as the list has them.
  await bar.findByRole('button', { name: 'Enable 28' })
  bar.getByRole('button', { name: 'Disable 12' })
  bar.getByRole('button', { name: 'Start 12' })
})

test('CON-IN-38 a change of server shows what happens to each, so it is of rows that were read', async () => {
  await openAndSelect()
  const bar = await findBar()
  const change = bar.getByRole('button', { name: 'Change server' })
  expect(change.getAttribute('aria-disabled')).toBe('true')
})

test('of more than one selection takes the first are offered; a refusal selects nothing else', async () => {
  const scene = await open({
    inputs,
    prepare: (fake) => {
      fake.on(matchInputs).answer(() => refuse(500, 'The disk is full.'))
      fake.on(listInputs).answer(() => ({
        status: true,
        contributions: inputs.slice(0, 12),
        total: 12_345,
      }))
    },
  })
  await scene.row('Input 1')
  await scene.user.click(screen.getByRole('checkbox', { name: /^Select all inputs/ }))
  const bar = await findBar()
  await scene.user.click(bar.getByRole('button', { name: 'Select the first 10,000 of 12,345' }))
  await findNotice('The disk is full.')
  expect(bar.getByText('12 selected')).toBeDefined()
})

test('CON-OUT-18 all outputs that match are pointed at a destination by their ids', async () => {
  const outputs = Array.from({ length: 14 }, (_, at) => outputOf(`${at + 1}`))
  const ids = outputs.map(({ id }) => id)
  const group = { state: 'stopped' as const, ids, names: ids, outputs: [] }
  const { row, user, api } = await open({
    path: '/dashboard/contribution?tab=outputs',
    outputs,
    destinations: [destinationOf('d')],
    prepare: (fake) => {
      fake.on(matchOutputs).answer(() => ({ status: true, data: { total: 14, states: [group] } }))
      fake
        .on(changeOutputDestination)
        .answer(() => ({ status: true, msg: 'Destination changed.', updated: 14, failed: [] }))
    },
  })
  await row('Output 1')
  await user.click(screen.getByRole('checkbox', { name: 'Select all outputs of this page' }))
  const bar = await findBar()
  await user.click(bar.getByRole('button', { name: 'Select all 14' }))
  await screen.findByText('14 selected')
  await user.click(bar.getByRole('button', { name: 'Change destination' }))
  const dialog = within(await screen.findByRole('dialog', { name: /Change destination/ }))
  await user.click(await dialog.findByRole('radio', { name: /Destination d/ }))
  await user.click(dialog.getByRole('button', { name: 'Change destination' }))
  await screen.findByText('Destination changed.')
  expect(api.askedOf(changeOutputDestination).map(({ body }) => body)).toEqual([
    { destinationId: 'd', outputIds: ids },
  ])
})
