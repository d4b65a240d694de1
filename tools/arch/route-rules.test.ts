import { expect, test } from 'vitest'
import { checkRoutes } from './route-rules.ts'

const calls = {
  path: 'packages/contract/src/users/user.calls.ts',
  text: `export const listUsers = route({ name: 'users.list' })\nexport const addUser = route({})`,
}

function faultsOf(routes: string): string[] {
  return checkRoutes([calls, { path: 'packages/api/src/users/user.routes.ts', text: routes }])
}

test('each call of the contract is mounted once', () => {
  const both = `mountOpen(app, listUsers, () => 1)\nmountAdd(\n  app,\n  ctx,\n  addUser,\n  () => 2,\n)`
  expect(faultsOf(both)).toEqual([])
})

test('a call that is not mounted, mounted twice, or not in the contract is a fault', () => {
  expect(faultsOf('mount(app, listUsers, x)')).toEqual([
    'addUser (packages/contract/src/users/user.calls.ts) is not mounted by the API',
  ])
  expect(
    faultsOf('mount(app, listUsers, x); mount(app, addUser, y); mount(app, addUser, z)'),
  ).toEqual([expect.stringContaining('addUser is mounted 2 times')])
  expect(faultsOf('mount(app, listUsers, x); mount(app, addUser, y); mount(app, own, z)')).toEqual([
    'packages/api/src/users/user.routes.ts mounts own, which is no route of contract',
  ])
})

test('a removal is a call of the contract too', () => {
  const text = `export const removeUser = removal('users.remove', '/api/users/:id', 'removeUser')`
  const routes = {
    path: 'packages/api/src/users/user.routes.ts',
    text: 'mount(app, removeUser, x)',
  }
  expect(checkRoutes([{ ...calls, text }, routes])).toEqual([])
})

test('a mount in a comment does not count', () => {
  expect(faultsOf('// mount(app, listUsers, x)\nmount(app, addUser, y)')).toHaveLength(1)
})
