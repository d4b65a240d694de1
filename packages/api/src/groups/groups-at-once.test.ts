/** F12, F13: groups that are changed at the same moment, in one API process and in two. */
import {
  addGroup,
  addGroupUser,
  moveGroupUser,
  removeGroup,
  updateGroup,
} from '@trunkline/contract/groups/group.calls'
import { addUser, updateUser } from '@trunkline/contract/users/user.calls'
import { describe, expect, test } from 'vitest'
import {
  DATABASES,
  openTwoProcesses,
  takenAndRefused,
  type TwoProcesses,
} from '../testing/two-processes.ts'

function sorted(answers: readonly { status: number }[]): number[] {
  return answers.map(({ status }) => status).toSorted((a, b) => a - b)
}

const ROUNDS = 6

async function addEmptyGroup(site: TwoProcesses, title: string): Promise<string> {
  const body = { title, description: 'd', manager: site.people.loneManager.id }
  return (await site.ask(addGroup, site.people.admin.token, { body })).answer.data.id
}

function newUser(name: string) {
  const email = `${name.toLowerCase()}@trunkline.example`
  return { firstName: name, lastName: 'New', password: 'a long password', email }
}

describe.each(DATABASES)('At once, on %s', (kind) => {
  test('API-10 a title is given once, to a new group or to an old one', async () => {
    await using site = await openTwoProcesses(kind)
    const { token } = site.people.admin
    const draft = { description: 'd', manager: site.people.loneManager.id }
    const answers = await Promise.all([
      site.ask(addGroup, token, { body: { ...draft, title: 'West' } }),
      site.ask(addGroup, token, { body: { ...draft, title: 'WEST' } }),
      site.ask(updateGroup, token, { params: { id: site.north }, body: { title: 'west' } }),
      site.ask(updateGroup, token, { params: { id: site.south }, body: { title: 'Wést' } }),
    ])
    expect(takenAndRefused(answers)).toEqual({ taken: 1, refused: 3 })
    const fields = answers.flatMap(({ status, failure }) => (status === 409 ? [failure.field] : []))
    expect(fields).toEqual(['title', 'title', 'title'])
  })

  test('F13 of the saves of one version exactly one is taken; without a version all are', async () => {
    await using site = await openTwoProcesses(kind)
    const { token } = site.people.admin
    const save = async (body: { description: string; version?: number }) =>
      site.ask(updateGroup, token, { params: { id: site.north }, body })
    const named = ['a', 'b', 'c', 'd', 'e', 'f'].map((description) => ({ description }))
    const versioned = named.map((body) => ({ ...body, version: 1 }))
    const first = await Promise.all(versioned.map(async (body) => save(body)))
    expect(takenAndRefused(first)).toEqual({ taken: 1, refused: 5 })
    const taken = versioned.filter((_, at) => first[at]?.status === 200)
    const row = await site.ctx.db
      .selectFrom('groups')
      .select(['description', 'version'])
      .where('id', '=', site.north)
      .executeTakeFirst()
    expect(row).toEqual({ description: taken[0]?.description, version: 2 })
    const second = await Promise.all(named.map(async (body) => save(body)))
    expect(takenAndRefused(second)).toEqual({ taken: 6, refused: 0 })
  })

  test('Q106 a user who is moved to several groups at once ends up in one', async () => {
    await using site = await openTwoProcesses(kind)
    const { admin, northMonitor } = site.people
    const west = await addEmptyGroup(site, 'West')
    const answers = await Promise.all(
      [site.south, west, site.north, site.south, west].map(async (groupId) =>
        site.ask(moveGroupUser, admin.token, {
          params: { groupId },
          body: { userId: northMonitor.id },
        }),
      ),
    )
    expect(takenAndRefused(answers)).toEqual({ taken: 5, refused: 0 })
    const rows = await site.ctx.db
      .selectFrom('group_users')
      .selectAll()
      .where('user_id', '=', northMonitor.id)
      .execute()
    expect(rows).toHaveLength(1)
  })

  test('GRP-09 nobody manages a group without being a manager', async () => {
    await using site = await openTwoProcesses(kind)
    const { superadmin, admin } = site.people
    for (let round = 0; round < ROUNDS; round++) {
      const body = { ...newUser(`Manager${round}`), mode: 'manager' as const }
      const { id } = (await site.ask(addUser, admin.token, { body })).answer
      const change = { _id: id, mode: 'admin' } as const
      const group = { title: `Round ${round}`, description: 'd', manager: id }
      const acts = [
        async () => site.ask(updateUser, superadmin.token, { body: change }),
        async () => site.ask(addGroup, admin.token, { body: group }),
      ] as const
      const inOrder = round % 2 === 0 ? acts : acts.toReversed()
      const answers = await Promise.all(inOrder.map(async (act) => act()))
      expect([
        [200, 422],
        [201, 409],
      ]).toContainEqual(sorted(answers))
    }
    const wrong = await site.ctx.db
      .selectFrom('groups')
      .innerJoin('users', 'users.id', 'groups.manager_id')
      .select('groups.id')
      .where('users.role', '!=', 'manager')
      .execute()
    expect(wrong).toEqual([])
  })
})

describe.each(DATABASES)('Q110 a group that is deleted at once, on %s', (kind) => {
  test('while a user is added to it: deleted or kept, never both', async () => {
    await using site = await openTwoProcesses(kind)
    const { superadmin, admin, northMonitor } = site.people
    for (let round = 0; round < ROUNDS; round++) {
      const id = await addEmptyGroup(site, `Round ${round}`)
      const acts = [
        async () => site.ask(removeGroup, admin.token, { params: { id } }),
        async () =>
          site.ask(addGroupUser, superadmin.token, {
            params: { groupId: id },
            body: { userId: northMonitor.id },
          }),
      ] as const
      const inOrder = round % 2 === 0 ? acts : acts.toReversed()
      const answers = await Promise.all(inOrder.map(async (act) => act()))
      expect([
        [200, 404],
        [200, 409],
      ]).toContainEqual(sorted(answers))
    }
  })

  test('while a user is created in it, and while it gets another title', async () => {
    await using site = await openTwoProcesses(kind)
    const { superadmin, admin } = site.people
    for (let round = 0; round < ROUNDS; round++) {
      const id = await addEmptyGroup(site, `Round ${round}`)
      const draft = { ...newUser(`Round${round}`), mode: 'editor' as const, groupId: id }
      const [removed, added, renamed] = await Promise.all([
        site.ask(removeGroup, admin.token, { params: { id } }),
        site.ask(addUser, superadmin.token, { body: draft }),
        site.ask(updateGroup, superadmin.token, { params: { id }, body: { title: `R ${round}` } }),
      ])
      const outcome = [removed.status, added.status, renamed.status]
      expect([
        [200, 404, 404],
        [200, 404, 200],
        [409, 201, 200],
      ]).toContainEqual(outcome)
    }
  })
})
