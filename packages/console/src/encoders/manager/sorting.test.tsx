/** Sorting as every table of the console has it, on the table of encoders. */
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { resetConsole } from '../../test/render-console.tsx'
import { listsOf, openManager } from './manager.fixture.ts'

afterEach(resetConsole)

function head(name: string): HTMLElement {
  return screen.getByRole('columnheader', { name })
}

test('a heading sorts ascending, descending, and in the list’s own order again, by keyboard too', async () => {
  const { row, user, api } = await openManager({})
  await row('Camera a')
  expect(head('Title').getAttribute('aria-sort')).toBe('none')
  await user.click(within(head('Title')).getByRole('button', { name: 'Title' }))
  await waitFor(() => expect(listsOf(api).at(-1)).toMatchObject({ sort: 'title' }))
  expect(head('Title').getAttribute('aria-sort')).toBe('ascending')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(listsOf(api).at(-1)).toMatchObject({ sort: '-title' }))
  expect(head('Title').getAttribute('aria-sort')).toBe('descending')
  await user.keyboard(' ')
  await waitFor(() => expect(head('Title').getAttribute('aria-sort')).toBe('none'))
})

test('the heading of a live column is no button', async () => {
  const { row } = await openManager({})
  await row('Camera a')
  expect(within(head('Status')).queryByRole('button')).toBeNull()
  expect(head('Status').getAttribute('aria-sort')).toBeNull()
})

test('a link shows the list sorted, on its page', async () => {
  const { row, api } = await openManager({ path: '/dashboard/managerEncoder?sort=-ip' })
  await row('Camera a')
  expect(listsOf(api)[0]).toMatchObject({ sort: '-ip', page: '0' })
  expect(head('IP').getAttribute('aria-sort')).toBe('descending')
})
