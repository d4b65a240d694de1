/** F12, F13: people who change people at the same moment, in one API process and in two. */
import type { Role } from '@trunkline/contract/roles'
import { addUser, findUser, removeUser, updateUser } from '@trunkline/contract/users/user.calls'
import { describe, expect, test } from 'vitest'
import { signInAs, type TestPerson } from '../testing/people.ts'
import { addStoredUser } from '../testing/stored-site.ts'
import {
  DATABASES,
  openTwoProcesses,
  takenAndRefused,
  type TwoProcesses,
} from '../testing/two-processes.ts'
import { addFirstAdmin } from './user.service.ts'

/** Somebody who acts at once, without a call before it. */
async function addPerson(site: TwoProcesses, id: string, role: Role): Promise<TestPerson> {
  const email = `${id}@trunkline.example`
  await addStoredUser(site.ctx.db, id, role, { email })
  return { id, email, role, token: await signInAs(site.ctx, id) }
}

async function count(site: TwoProcesses, role: Role): Promise<number> {
  return (await site.ctx.db.selectFrom('users').select('id').where('role', '=', role).execute())
    .length
}

/**
 * Each does it to the other. Answers how many were taken and how many refused: with which words
 * depends on how far the slower one had come.
 */
async function eachOther(
  people: readonly [TestPerson, TestPerson],
  act: (by: TestPerson, to: string) => Promise<{ status: number }>,
): Promise<{ taken: number; refused: number }> {
  const [first, second] = people
  return takenAndRefused(await Promise.all([act(first, second.id), act(second, first.id)]))
}

const ONE_EACH = { taken: 1, refused: 1 }

describe.each(DATABASES)('At once, on %s', (kind) => {
  test('USER-32 Q50 of two superadmins who delete each other one remains', async () => {
    await using site = await openTwoProcesses(kind)
    const second = await addPerson(site, 'second', 'superadmin')
    const outcome = await eachOther([site.people.superadmin, second], async ({ token }, id) =>
      site.ask(removeUser, token, { params: { id } }),
    )
    expect([outcome, await count(site, 'superadmin')]).toEqual([ONE_EACH, 1])
  })

  test('USER-32 Q50 of two superadmins who demote each other one is left', async () => {
    await using site = await openTwoProcesses(kind)
    const second = await addPerson(site, 'second', 'superadmin')
    const outcome = await eachOther([site.people.superadmin, second], async ({ token }, _id) =>
      site.ask(updateUser, token, { body: { _id, mode: 'manager' } }),
    )
    expect([outcome, await count(site, 'superadmin')]).toEqual([ONE_EACH, 1])
  })

  test('a user who was deleted or demoted meanwhile can do nothing', async () => {
    await using site = await openTwoProcesses(kind)
    const secondAdmin = await addPerson(site, 'second', 'admin')
    const removals = await eachOther([site.people.admin, secondAdmin], async ({ token }, id) =>
      site.ask(removeUser, token, { params: { id } }),
    )
    expect([removals, await count(site, 'admin')]).toEqual([ONE_EACH, 1])
    const third = await addPerson(site, 'third', 'superadmin')
    await addPerson(site, 'fourth', 'superadmin')
    const demotions = await eachOther([site.people.superadmin, third], async ({ token }, _id) =>
      site.ask(updateUser, token, { body: { _id, mode: 'admin' } }),
    )
    expect([demotions, await count(site, 'superadmin')]).toEqual([ONE_EACH, 2])
  })

  test('USER-33 an e-mail is given once, to a new user or to an old one', async () => {
    await using site = await openTwoProcesses(kind)
    const { token } = site.people.superadmin
    const email = 'wanted@trunkline.example'
    const { northEditor, southEditor } = site.people
    const draft = {
      firstName: 'A',
      lastName: 'B',
      password: 'a long password',
      mode: 'manager' as const,
      email,
    }
    const answers = await Promise.all([
      site.ask(addUser, token, { body: draft }),
      site.ask(addUser, token, { body: draft }),
      site.ask(updateUser, token, { body: { _id: northEditor.id, email } }),
      site.ask(updateUser, token, { body: { _id: southEditor.id, email } }),
    ])
    expect(takenAndRefused(answers)).toEqual({ taken: 1, refused: 3 })
    const fields = answers.flatMap(({ status, failure }) => (status === 409 ? [failure.field] : []))
    expect(fields).toEqual(['email', 'email', 'email'])
  })

  test('F13 of the saves of one version exactly one is taken', async () => {
    await using site = await openTwoProcesses(kind)
    const { token } = site.people.admin
    const _id = site.people.northEditor.id
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, at) =>
        site.ask(updateUser, token, { body: { _id, firstName: `Save ${at}`, version: 1 } }),
      ),
    )
    expect(takenAndRefused(answers)).toEqual({ taken: 1, refused: 7 })
    const taken = answers.findIndex(({ status }) => status === 200)
    const { answer } = await site.ask(findUser, token, { params: { id: _id } })
    expect(answer.data).toMatchObject({ firstName: `Save ${taken}`, version: 2 })
  })
})

test('Q47 two API processes that start on one empty database make one superadmin', async () => {
  await using site = await openTwoProcesses('PostgreSQL')
  for (const table of ['group_users', 'groups', 'users'] as const) {
    await site.ctx.db.deleteFrom(table).execute()
  }
  const firstAdmin = { email: 'root@trunkline.example', password: 'a first long one' }
  const ctx = { ...site.ctx, config: { ...site.ctx.config, firstAdmin } }
  await Promise.all([addFirstAdmin(ctx), addFirstAdmin(ctx)])
  expect(await count(site, 'superadmin')).toBe(1)
})
