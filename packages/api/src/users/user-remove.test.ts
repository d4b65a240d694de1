import { jwtLogin } from '@trunkline/contract/session/session.calls'
import { removeUser } from '@trunkline/contract/users/user.calls'
import { expect, test } from 'vitest'
import type { Notice } from '../notices.ts'
import { databaseContent } from '../testing/database-content.ts'
import { inject } from '../testing/inject.ts'
import type { PersonName } from '../testing/people.ts'
import { addStoredMembers, addStoredUser } from '../testing/stored-site.ts'
import { openTestApp, type TestApp } from '../testing/test-app.ts'
import { assertSuperadminLeft } from './membership.service.ts'
import * as userStore from './user.store.ts'

async function remove(test: TestApp, who: PersonName, id: string) {
  return inject(test.app, removeUser, test.people[who].token, { params: { id } })
}

/** A further user in North who may be deleted, put straight into the database. */
async function addSpare(test: TestApp, id: string): Promise<string> {
  await addStoredUser(test.ctx.db, id, 'editor')
  await addStoredMembers(test.ctx.db, test.north, [id])
  return id
}

test('Q27 Q30 nobody deletes anybody above, and a manager no manager', async () => {
  await using test = await openTestApp()
  await addStoredMembers(test.ctx.db, test.north, [test.people.loneManager.id])
  const before = await databaseContent(test.ctx)
  const status = async (who: PersonName, whom: PersonName) =>
    (await remove(test, who, test.people[whom].id)).status
  expect(await status('northManager', 'loneManager')).toBe(403)
  expect(await status('northManager', 'admin')).toBe(404)
  expect(await status('admin', 'superadmin')).toBe(404)
  expect(await databaseContent(test.ctx)).toEqual(before)
  expect(await status('admin', 'loneManager')).toBe(200)
})

test('USER-32 Q50 oneself, and the manager of a group, are not deleted', async () => {
  await using test = await openTestApp()
  const before = await databaseContent(test.ctx)
  for (const who of ['superadmin', 'admin', 'northManager'] as const) {
    const { status, failure } = await remove(test, who, test.people[who].id)
    expect([status, failure.error]).toEqual([
      409,
      'You cannot delete yourself. Ask another admin or manager.',
    ])
  }
  const { status, failure } = await remove(test, 'admin', test.people.southManager.id)
  expect([status, failure.error]).toEqual([
    409,
    'Test southManager is the manager of group South. Choose another manager there first.',
  ])
  expect(await databaseContent(test.ctx)).toEqual(before)
})

test('USER-32 Q50 the last superadmin cannot be removed by anyone, and the reason is shown; one of two can', async () => {
  await using test = await openTestApp()
  const last = await userStore.find(test.ctx.db, test.people.superadmin.id)
  if (last === null) throw new Error('There is no superadmin.')
  await expect(assertSuperadminLeft(test.ctx.db, last)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('superadmin') as string,
  })
  const second = await addSpare(test, 'second')
  await test.ctx.db
    .updateTable('users')
    .set({ role: 'superadmin' })
    .where('id', '=', second)
    .execute()
  await assertSuperadminLeft(test.ctx.db, last)
  expect((await remove(test, 'superadmin', second)).status).toBe(200)
  await expect(assertSuperadminLeft(test.ctx.db, last)).rejects.toThrow('last superadmin')
})

test('T2 a user out of sight is answered as one that is not there', async () => {
  await using test = await openTestApp()
  const unknown = await remove(test, 'northManager', 'nobody')
  const foreign = await remove(test, 'northManager', test.people.southEditor.id)
  expect([unknown.status, foreign.status]).toEqual([404, 404])
  expect(foreign.text).toBe(unknown.text)
})

test('API-08 a deleted user leaves nothing behind but the record of activity, and is out at once', async () => {
  await using test = await openTestApp()
  const { northEditor, northManager } = test.people
  const isSignedIn = async () =>
    (await inject(test.app, jwtLogin, northEditor.token, {})).status === 200
  expect(await isSignedIn()).toBe(true)
  const notices: Notice[] = []
  test.ctx.notices.listen((notice) => notices.push(notice))
  const { status, answer } = await remove(test, 'northManager', northEditor.id)
  expect([status, answer]).toEqual([200, { status: true, id: northEditor.id }])
  expect(await isSignedIn()).toBe(false)
  expect(JSON.stringify(await databaseContent(test.ctx))).not.toContain(northEditor.id)
  const groupIds = [test.north]
  expect(notices).toEqual([
    { kind: 'user', id: northEditor.id, change: 'removed', groupIds },
    { kind: 'group', id: test.north, change: 'changed', groupIds },
    { kind: 'gone', userId: northEditor.id },
  ])
  const lines = await test.ctx.db.selectFrom('audit').selectAll().execute()
  expect(lines).toMatchObject([
    {
      actor_id: northManager.id,
      call: 'users.remove',
      object_kind: 'user',
      object_id: northEditor.id,
      object_title: 'Test northEditor',
      result: 'done',
    },
  ])
})
