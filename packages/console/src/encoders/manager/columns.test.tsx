/** Columns by choice as every list of the console has them, on the table of encoders. */
import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { resetConsole } from '../../test/render-console.tsx'
import { openManager } from './manager.fixture.ts'

afterEach(resetConsole)

/** Places of the columns that are not shown, the first being 1. */
function hidden(): string | undefined {
  return screen.getByRole('table', { name: 'Encoders' }).dataset['hidden']
}

async function openMenu({ row, user }: Awaited<ReturnType<typeof openManager>>) {
  await row('Camera a')
  await user.click(screen.getByRole('button', { name: 'Columns of Encoders' }))
  await screen.findByRole('menuitemcheckbox', { name: 'email' })
}

test('a column that is unticked is hidden, also when the list is opened again', async () => {
  const first = await openManager({})
  await openMenu(first)
  const names = screen.getAllByRole('menuitemcheckbox').map((item) => item.textContent)
  expect(names).toEqual(['IP', 'port', 'email', 'Group', 'Status'])
  expect(hidden()).toBeUndefined()
  await first.user.click(screen.getByRole('menuitemcheckbox', { name: 'email' }))
  await first.user.click(screen.getByRole('menuitemcheckbox', { name: 'port' }))
  expect(hidden()).toBe('4 5')
  first.screen.unmount()
  const second = await openManager({})
  await second.row('Camera a')
  expect(hidden()).toBe('4 5')
})

test('all columns come back at once, and a single column by its tick, by keyboard too', async () => {
  const scene = await openManager({})
  await openMenu(scene)
  const email = screen.getByRole('menuitemcheckbox', { name: 'email' })
  email.focus()
  await scene.user.keyboard('{Enter}')
  expect([hidden(), email.getAttribute('aria-checked')]).toEqual(['5', 'false'])
  await scene.user.keyboard('{Enter}')
  expect(hidden()).toBeUndefined()
  await scene.user.click(screen.getByRole('menuitemcheckbox', { name: 'Group' }))
  await scene.user.click(screen.getByRole('menuitem', { name: 'Show all columns' }))
  expect(hidden()).toBeUndefined()
})
