import { afterEach, expect, test } from 'vitest'
import { userOf } from '../test/samples.ts'
import { clearAccount, storage } from './storage.ts'

afterEach(() => localStorage.clear())

test('STORE-01 STORE-02 user and token are kept', () => {
  storage.user.write(userOf('manager'))
  storage.token.write('abc')
  expect(storage.user.read()?.mode.name).toBe('manager')
  expect(storage.token.read()).toBe('abc')
})

test('invalid stored values are ignored', () => {
  localStorage.setItem('user', '{"fullName": 1}')
  localStorage.setItem('rows-per-page', 'many')
  localStorage.setItem('color-scheme', 'purple')
  expect(storage.user.read()).toBeNull()
  expect(storage.rowsPerPage.read()).toBeNull()
  expect(storage.colorScheme.read()).toBeNull()
})

test('STORE-09 Q18 the entries of the account are removed, the preferences of the browser stay', () => {
  storage.token.write('abc')
  storage.dashboardGroupId.write('north')
  storage.groupId.write('north')
  storage.feederTab.write(true)
  storage.rowsPerPage.write(24)
  storage.colorScheme.write('light')
  clearAccount()
  expect(storage.token.read()).toBeNull()
  expect(storage.dashboardGroupId.read()).toBeNull()
  expect(storage.groupId.read()).toBeNull()
  expect(storage.feederTab.read()).toBeNull()
  expect(storage.rowsPerPage.read()).toBe(24)
  expect(storage.colorScheme.read()).toBe('light')
})
