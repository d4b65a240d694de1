import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../testing/databases.ts'
import * as userStore from '../user.store.ts'
import * as userSessionStore from './user-session.store.ts'

const CREATED_AT = '2026-11-20T10:00:00.000Z'

function session(id: string, userId: string, day: number) {
  const at = `2026-11-${day}T10:00:00.000Z`
  return {
    id,
    userId,
    tokenVersion: 2,
    signedInAt: at,
    usedAt: at,
    address: '192.0.2.1',
    userAgent: 'curl/8',
    idTokenSealed: 'sealed',
    authenticatedAt: at,
  }
}

describeOnBothDatabases('Sessions', (open) => {
  async function prepared() {
    const db = await open()
    for (const id of ['ann', 'bo']) {
      await userStore.insert(db, {
        id,
        firstName: id,
        lastName: '',
        email: `${id}@example.org`,
        role: 'admin',
        passwordHash: '',
        tokenVersion: 2,
        version: 1,
        createdAt: CREATED_AT,
      })
    }
    return db
  }

  test('T5 a session comes back as it went in, and is ended by its own person alone', async () => {
    const db = await prepared()
    await userSessionStore.insert(db, session('one', 'ann', 20))
    await userSessionStore.insert(db, session('two', 'ann', 21))
    expect(await userSessionStore.find(db, 'one')).toEqual(session('one', 'ann', 20))
    expect(await userSessionStore.end(db, 'bo', 'one')).toBe(false)
    expect(await userSessionStore.end(db, 'ann', 'one')).toBe(true)
    expect(await userSessionStore.find(db, 'one')).toBeNull()
    expect(await userSessionStore.find(db, 'two')).not.toBeNull()
  })

  test('sessions go with their person', async () => {
    const db = await prepared()
    await userSessionStore.insert(db, session('one', 'ann', 20))
    await userStore.remove(db, 'ann')
    expect(await userSessionStore.find(db, 'one')).toBeNull()
  })

  test('T5 beyond the limit those go first that were never used after their sign-in, the new one stays', async () => {
    const db = await prepared()
    const used = (id: string, day: number) => ({
      ...session(id, 'ann', day),
      signedInAt: '2026-11-16T10:00:00.000Z',
    })
    const all = [
      used('in use', 17),
      used('used later', 18),
      session('unused', 'ann', 19),
      session('unused later', 'ann', 20),
      session('new', 'ann', 21),
    ]
    for (const item of all) await userSessionStore.insert(db, item)
    const left = async (most: number) => {
      const limits = { signedInBefore: '2026-11-15T00:00:00.000Z', most, keptId: 'new' }
      const user = { id: 'ann', tokenVersion: 2 }
      const hasRemoved = await userSessionStore.removeBeyond(db, user, limits)
      const rows = await db.selectFrom('sessions').select('id').orderBy('used_at').execute()
      return [hasRemoved, ...rows.map(({ id }) => id)]
    }
    expect(await left(5)).toEqual([false, ...all.map(({ id }) => id)])
    expect(await left(4)).toEqual([true, 'in use', 'used later', 'unused later', 'new'])
    expect(await left(3)).toEqual([true, 'in use', 'used later', 'new'])
    expect(await left(2)).toEqual([true, 'used later', 'new'])
  })

  test('what has ended is removed, and all but those that were used last, of that person', async () => {
    const db = await prepared()
    const all = [
      session('old', 'ann', 10),
      { ...session('revoked', 'ann', 21), tokenVersion: 1 },
      session('fourth', 'ann', 17),
      session('second', 'ann', 19),
      session('first', 'ann', 20),
      session('of another', 'bo', 10),
    ]
    for (const item of all) await userSessionStore.insert(db, item)
    const limits = { signedInBefore: '2026-11-15T00:00:00.000Z', most: 2, keptId: 'first' }
    await userSessionStore.removeBeyond(db, { id: 'ann', tokenVersion: 2 }, limits)
    const left = await db.selectFrom('sessions').select('id').orderBy('used_at').execute()
    expect(left.map(({ id }) => id)).toEqual(['of another', 'second', 'first'])
  })
})
