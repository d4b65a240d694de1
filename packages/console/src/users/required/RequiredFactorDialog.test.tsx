import {
  readRequiredFactor,
  saveRequiredFactor,
} from '@trunkline/contract/users/required-factor.calls'
import { listUsers } from '@trunkline/contract/users/user.calls'
import type { Role } from '@trunkline/contract/roles'
import { waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { type FakeApi, refuse } from '../../test/fake-api.ts'
import { renderConsole, resetConsole } from '../../test/render-console.tsx'

afterEach(resetConsole)

function openAccess(role: Role, prepare: (api: FakeApi) => void) {
  return renderConsole({
    path: '/dashboard/userManager',
    role,
    prepare: (api) => {
      api.on(listUsers).answer(() => ({ status: true, data: [], users: [], total: 0 }))
      prepare(api)
    },
  })
}

test('a superadmin chooses the roles, from the version that was read', async () => {
  const { api, screen, user } = openAccess('superadmin', (fake) => {
    fake
      .on(readRequiredFactor)
      .answer(() => ({ status: true, data: { roles: ['superadmin'], version: 3 } }))
    fake
      .on(saveRequiredFactor)
      .answer(() => ({ status: true, data: { roles: ['superadmin', 'editor'], version: 4 } }))
  })
  await user.click(await screen.findByRole('button', { name: 'Required second factor…' }))
  await screen.findByRole('checkbox', { name: 'admin' })
  const dialog = within(screen.getByRole('dialog', { name: 'Required second factor' }))
  const boxes = dialog.getAllByRole<HTMLInputElement>('checkbox')
  expect(boxes.map(({ checked }) => checked)).toEqual([true, false, false, false, false])
  await user.click(dialog.getByRole('checkbox', { name: /editor/ }))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await screen.findByText('Required second factor saved')
  expect(api.askedOf(saveRequiredFactor).map(({ body }) => body)).toEqual([
    { roles: ['superadmin', 'editor'], version: 3 },
  ])
})

test('what cannot be read says why, and is read again by Retry', async () => {
  let isUp = false
  const { screen, user } = openAccess('superadmin', (fake) =>
    fake
      .on(readRequiredFactor)
      .answer(() =>
        isUp
          ? { status: true, data: { roles: ['admin'], version: 1 } }
          : refuse(503, 'The database is busy.'),
      ),
  )
  await user.click(await screen.findByRole('button', { name: 'Required second factor…' }))
  await screen.findByText('The roles could not be read.')
  expect(screen.getByText('The database is busy.')).toBeDefined()
  isUp = true
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('checkbox', { name: 'admin' })).toHaveProperty('checked', true)
})

test('choices that are not saved stay when the roles are read again and that fails', async () => {
  let isUp = true
  const { api, screen, user } = openAccess('superadmin', (fake) =>
    fake
      .on(readRequiredFactor)
      .answer(() =>
        isUp
          ? { status: true, data: { roles: [], version: 1 } }
          : refuse(503, 'The database is busy.'),
      ),
  )
  await user.click(await screen.findByRole('button', { name: 'Required second factor…' }))
  await user.click(await screen.findByRole('checkbox', { name: 'editor' }))
  isUp = false
  const before = api.askedOf(readRequiredFactor).length
  api.stream.push({ event: 'object', data: { kind: 'user', id: 'x', change: 'added' } })
  await waitFor(() => expect(api.askedOf(readRequiredFactor).length).toBeGreaterThan(before))
  expect(screen.getByRole('checkbox', { name: 'editor' })).toHaveProperty('checked', true)
})

test('an admin has no such button', async () => {
  const { screen } = openAccess('admin', () => {})
  await screen.findByRole('tab', { name: /Users/ })
  expect(screen.queryByRole('button', { name: 'Required second factor…' })).toBeNull()
})
