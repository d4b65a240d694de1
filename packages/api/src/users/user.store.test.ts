import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../testing/databases.ts'
import { userRecord } from './user-record.fixture.ts'
import * as userStore from './user.store.ts'

/** What a new user has until they choose otherwise. */
const SETTINGS = { asksBeforeInterrupting: false, language: null, times: null }
const DEFAULTS = { ...SETTINGS, everyGroupIds: [], provider: null }

describeOnBothDatabases('Users', (open) => {
  test('a user comes back as it went in, by id and by e-mail', async () => {
    const db = await open()
    expect(await userStore.isEmpty(db)).toBe(true)
    await userStore.insert(db, userRecord('u1'))
    expect(await userStore.isEmpty(db)).toBe(false)
    expect(await userStore.find(db, 'u1')).toEqual({ ...userRecord('u1'), ...DEFAULTS, groups: [] })
    expect(await userStore.findByEmail(db, 'u1@example.org')).toMatchObject({ id: 'u1' })
    expect(await userStore.find(db, 'u2')).toBeNull()
    expect(await userStore.findByEmail(db, "' or 1=1 --")).toBeNull()
  })

  test('USER-33 an e-mail is one user’s', async () => {
    const db = await open()
    await userStore.insert(db, userRecord('u1'))
    await expect(
      userStore.insert(db, userRecord('u2', { email: 'u1@example.org' })),
    ).rejects.toMatchObject({ code: 'conflict', field: 'email' })
  })

  test('a new password makes older tokens worthless', async () => {
    const db = await open()
    await userStore.insert(db, userRecord('u1'))
    expect(await userStore.setPassword(db, 'u1', 'other')).toBe(true)
    expect(await userStore.find(db, 'u1')).toMatchObject({
      passwordHash: 'other',
      tokenVersion: 2,
      version: 2,
    })
    expect(await userStore.setPassword(db, 'nobody', 'other')).toBe(false)
  })

  test('a save of an old version, and an e-mail of another, change nothing', async () => {
    const db = await open()
    await userStore.insert(db, userRecord('u1'))
    await userStore.insert(db, userRecord('u2'))
    const { passwordHash: _, ...names } = userRecord('u1', { firstName: 'Bo' })
    const settings = { asksBeforeInterrupting: true, language: 'fr', times: 'local' } as const
    const content = { ...names, ...settings, passwordHash: null }
    expect(await userStore.update(db, userRecord('u1', { version: 2 }), content)).toBe(false)
    const taken = { ...content, email: 'u2@example.org' }
    await expect(userStore.update(db, userRecord('u1'), taken)).rejects.toMatchObject({
      code: 'conflict',
      field: 'email',
    })
    expect(await userStore.find(db, 'u1')).toMatchObject(userRecord('u1'))
    expect(await userStore.update(db, userRecord('u1'), content)).toBe(true)
    expect(await userStore.find(db, 'u1')).toMatchObject({
      ...content,
      passwordHash: 'hash',
      version: 2,
      tokenVersion: 1,
    })
  })

  test.each([
    ['a new role', { role: 'editor', passwordHash: null }],
    ['a new password', { role: 'manager', passwordHash: 'other' }],
  ] as const)('T5 %s revokes what was signed before', async (_, change) => {
    const db = await open()
    await userStore.insert(db, userRecord('u1'))
    await userStore.update(db, userRecord('u1'), { ...userRecord('u1'), ...DEFAULTS, ...change })
    expect(await userStore.find(db, 'u1')).toMatchObject({
      role: change.role,
      passwordHash: change.passwordHash ?? 'hash',
      tokenVersion: 2,
    })
  })

  test('a new name is found by the search', async () => {
    const db = await open()
    await userStore.insert(db, userRecord('u1'))
    await userStore.update(db, userRecord('u1'), {
      ...userRecord('u1', { firstName: 'Zoë', email: 'zoe@example.org' }),
      ...DEFAULTS,
      passwordHash: null,
    })
    const row = await db.selectFrom('users').select('search').executeTakeFirstOrThrow()
    expect(row.search).toBe('zoe lee\nzoe@example.org')
  })
})
