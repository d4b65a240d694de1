import { screen, within } from '@testing-library/react'
import {
  matchDestinations,
  removeDestinations,
} from '@trunkline/contract/contributions/destination.calls'
import { afterEach, expect, test, vi } from 'vitest'
import { destinationOf } from '../../test/link.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { openContributions } from '../contributions.fixture.ts'

afterEach(resetConsole)

test('all destinations that match are selected without their rows, and deleted by ids', async () => {
  window.confirm = vi.fn<() => boolean>(() => true)
  const destinations = Array.from({ length: 14 }, (_, index) => destinationOf(`${index + 1}`))
  const ids = destinations.map(({ id }) => id)
  const { row, user, api } = await openContributions({
    path: '/dashboard/contribution?tab=destinations',
    destinations,
    prepare: (fake) => {
      const titles = destinations.map(({ title }) => title)
      fake.on(matchDestinations).answer(() => ({ status: true, data: { total: 14, ids, titles } }))
      fake.on(removeDestinations).answer(() => ({
        status: true,
        msg: 'done',
        deleted: ids.slice(0, 13),
        failed: [{ name: '14', error: 'It is held.' }],
      }))
    },
  })
  await row('Destination 12')
  await user.click(screen.getByRole('checkbox', { name: /^Select all/ }))
  await user.click(screen.getByRole('button', { name: 'Select all 14' }))
  await screen.findByText('14 selected')
  screen.getByText('2 not on this page')
  expect(screen.queryByRole('button', { name: 'Select all 14' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  const failed = await screen.findByRole('dialog', { name: '1 of 14 failed' })
  within(failed).getByText('Destination 14')
  expect(api.askedOf(removeDestinations).map(({ body }) => body)).toEqual([{ destinationIds: ids }])
  await screen.findByText('1 selected')
})
