import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { addGroup } from '@trunkline/contract/groups/group.calls'
import { afterEach, expect, test } from 'vitest'
import { renderConsole, resetConsole } from '../../test/render-console.tsx'
import { answerPeople } from '../../test/user.samples.ts'

afterEach(resetConsole)

/** A dialog with a form, with something typed into its first field. */
async function openTyped() {
  const scene = renderConsole({
    path: '/dashboard/group',
    role: 'admin',
    prepare: (api) => answerPeople(api, []),
  })
  const { user } = scene
  await user.click(await screen.findByRole('button', { name: 'Add group' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Manage group' }))
  const title = dialog.getByLabelText<HTMLInputElement>('Title')
  await user.type(title, 'Events East')
  return { ...scene, dialog, title }
}

const isGone = async () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

function clickBeside(): void {
  const beside = document.querySelector('.mantine-Modal-overlay')
  if (beside === null) throw new Error('There is nothing beside the dialog.')
  fireEvent.mouseDown(beside)
  fireEvent.click(beside)
}

test('design 5 a click beside the dialog asks inside it; Enter on the safe answer leads back to the field', async () => {
  const { user, title, dialog } = await openTyped()
  clickBeside()
  await dialog.findByText('What you entered is not saved.')
  expect(document.activeElement).toBe(dialog.getByRole('button', { name: 'Keep editing' }))
  expect(dialog.queryByRole('button', { name: 'Cancel' })).toBeNull()
  await user.keyboard('{Enter}')
  expect(document.activeElement).toBe(title)
  expect(title.value).toBe('Events East')
  expect(dialog.getByRole('button', { name: 'Cancel' })).toBeDefined()
})

test('design 5 the question leads back to the first field where none had the focus', async () => {
  const { user, title, dialog } = await openTyped()
  title.blur()
  clickBeside()
  await user.click(await dialog.findByRole('button', { name: 'Keep editing' }))
  expect(document.activeElement).toBe(title)
})

test('Q89 another page asks first, and comes once that was confirmed', async () => {
  const { user, router, pathname, dialog, api } = await openTyped()
  void router.navigate({ to: '/dashboard/server' })
  await user.click(await dialog.findByRole('button', { name: 'Keep editing' }))
  expect(pathname()).toBe('/dashboard/group')
  void router.navigate({ to: '/dashboard/server' })
  await user.click(await dialog.findByRole('button', { name: 'Close without saving' }))
  await waitFor(() => expect(pathname()).toBe('/dashboard/server'))
  expect(api.askedOf(addGroup)).toEqual([])
})

test('DLG-13 Escape closes at once, and so does a click beside the dialog where what was typed was taken back', async () => {
  const { user, title, api } = await openTyped()
  await user.keyboard('{Escape}')
  await isGone()
  await user.click(screen.getByRole('button', { name: 'Add group' }))
  const again = within(await screen.findByRole('dialog', { name: 'Manage group' }))
  await user.type(again.getByLabelText('Title'), title.value)
  await user.clear(again.getByLabelText('Title'))
  clickBeside()
  await isGone()
  expect(api.askedOf(addGroup)).toEqual([])
})
