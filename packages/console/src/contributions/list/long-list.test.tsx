import { screen } from '@testing-library/react'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import { matchInputs } from '@trunkline/contract/contributions/input.calls'
import { afterEach, expect, test } from 'vitest'
import { storage } from '../../lib/storage.ts'
import { inputOf } from '../../test/link.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { openContributions as open } from '../contributions.fixture.ts'
import { WATCHED_ITEMS } from '../bulk/matching.hook.ts'

afterEach(resetConsole)

const inputs = Array.from({ length: 500 }, (_, index) => inputOf(`${index + 1}`))

test('All: of a long list only visible rows are drawn, each with its position', async () => {
  storage.rowsPerPage.write(0)
  const { row, user } = await open({
    inputs,
    prepare: (fake) => fake.on(contributionAction).answer(() => ({ status: true, results: '' })),
  })
  const first = await row('Input 1')
  const table = screen.getByRole('table', { name: 'Inputs' })
  expect(table.getAttribute('aria-rowcount')).toBe('501')
  expect(first.getAttribute('aria-rowindex')).toBe('2')
  const drawn = table.querySelectorAll('[data-row-focus]').length
  expect(drawn).toBeGreaterThan(5)
  expect(drawn).toBeLessThan(100)

  await user.keyboard('jj{ArrowRight}')
  await screen.findByText(/TARGET STATUS/)
  await user.click(screen.getByRole('checkbox', { name: /^Select all/ }))
  expect(await screen.findByText('500 selected')).toBeDefined()
})

test('CON-IN-09 states of a selection that is longer than a screen are asked for once, by their ids', async () => {
  storage.rowsPerPage.write(0)
  const many = Array.from({ length: WATCHED_ITEMS + 1 }, (_, index) => inputOf(`${index + 1}`))
  const ids = many.map(({ id }) => id)
  const group = { state: 'running' as const, ids, names: ids, outputs: ids.map(() => 0) }
  const { row, user, api } = await open({
    inputs: many,
    prepare: (fake) =>
      fake
        .on(matchInputs)
        .answer(() => ({ status: true, data: { total: ids.length, states: [group] } })),
  })
  await row('Input 1')
  await user.click(screen.getByRole('checkbox', { name: /^Select all/ }))
  await screen.findByRole('button', { name: 'Stop 501' })
  expect(api.askedOf(matchInputs)).toHaveLength(1)
})
