/** T3: people of several groups. A manager must not reach another group through somebody's account. */
import { listUsers, removeUser, updateUser } from '@trunkline/contract/users/user.calls'
import { expect, describe, test } from 'vitest'
import { databaseContent } from '../testing/database-content.ts'
import type { InjectInput } from '../testing/inject.ts'
import type { PersonName } from '../testing/people.ts'
import { addEncoderOf, makeSharedEditor } from '../testing/shared-person.fixture.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { addStoredMembers } from '../testing/stored-site.ts'
import type { TestSite } from '../testing/test-site.ts'

type Edit = Omit<NonNullable<InjectInput<typeof updateUser>['body']>, '_id'>

const PASSWORDS = { newPassword: 'chosen by another', newConfirmPassword: 'chosen by another' }
/** Each of them, or both together, would let the manager sign in as that person. */
const EDITS: readonly Edit[] = [
  { firstName: 'Renamed' },
  { lastName: 'Renamed' },
  { email: 'mine@trunkline.example' },
  { mode: 'monitor' },
  PASSWORDS,
  { asksBeforeInterrupting: true },
  { language: 'fr', times: 'local' },
]

async function edit(site: TestSite, who: PersonName, _id: string, body: Edit) {
  return site.call(who, updateUser, { body: { ...body, _id } })
}

async function remove(site: TestSite, who: PersonName, id: string) {
  return site.call(who, removeUser, { params: { id } })
}

/** As the database may hold it from before: an assignment without a membership. */
async function assign(site: TestSite, encoderId: string, userId: string): Promise<void> {
  const pair = { encoder_id: encoderId, user_id: userId }
  await site.ctx.db.insertInto('encoder_users').values(pair).execute()
}

async function listedBy(site: TestSite, who: PersonName, userId: string) {
  const { answer } = await site.call(who, listUsers, {})
  return answer.data.find((user) => user.id === userId)
}

async function expectRefused(site: TestSite, who: PersonName, id: string, status: 403 | 404) {
  const before = await databaseContent(site.ctx)
  const words = status === 403 ? /also belongs to another group.*Only an admin/ : /./
  for (const body of EDITS) {
    const refused = await edit(site, who, id, body)
    expect([body, refused.status]).toEqual([body, status])
    expect(refused.failure.error).toMatch(words)
  }
  const kept = await remove(site, who, id)
  expect([kept.status, kept.failure.error]).toEqual([status, expect.stringMatching(words)])
  expect(await databaseContent(site.ctx)).toEqual(before)
}

describe.each(BOTH_DATABASES)('People of several groups, on %s', (kind) => {
  test('matrix U V X a manager neither edits nor deletes a user who also belongs to another group', async () => {
    const site = await openSiteOn(kind)
    const id = await makeSharedEditor(site)
    await expectRefused(site, 'northManager', id, 403)
    await expectRefused(site, 'southManager', id, 403)
    expect((await edit(site, 'admin', id, PASSWORDS)).status).toBe(200)
    expect((await edit(site, 'northManager', site.people.northMonitor.id, PASSWORDS)).status).toBe(
      200,
    )
    expect((await edit(site, 'northEditor', id, {})).status, 'whose sessions ended').toBe(401)
  })

  test('Q32 an assigned encoder of another group counts as that group', async () => {
    const site = await openSiteOn(kind)
    const { id } = site.people.northEditor
    await assign(site, await addEncoderOf(site, site.south, []), id)
    await expectRefused(site, 'northManager', id, 403)
    // To South's manager the person is not there; the assignment is the encoder's to take back.
    await expectRefused(site, 'southManager', id, 404)
    await site.ctx.db.deleteFrom('encoder_users').execute()
    await assign(site, await addEncoderOf(site, site.north, []), id)
    expect((await edit(site, 'northManager', id, { firstName: 'Theirs' })).status).toBe(200)
  })

  test('a manager of all the groups edits and deletes', async () => {
    const site = await openSiteOn(kind)
    const id = await makeSharedEditor(site)
    await addStoredMembers(site.ctx.db, site.south, [site.people.northManager.id])
    site.ctx.notices.tell({ kind: 'group', id: site.south, change: 'changed', groupIds: [] })
    for (const body of EDITS) expect((await edit(site, 'northManager', id, body)).status).toBe(200)
    expect((await remove(site, 'northManager', id)).status).toBe(200)
  })

  test('the list says that there is another group, but not which', async () => {
    const site = await openSiteOn(kind)
    const id = await makeSharedEditor(site)
    const north = { _id: site.north, title: 'North' }
    expect(await listedBy(site, 'northManager', id)).toMatchObject({
      groups: [north],
      hasGroupBeyond: true,
    })
    const { northMonitor } = site.people
    expect((await listedBy(site, 'northManager', northMonitor.id))?.hasGroupBeyond).toBe(false)
    for (const who of ['admin', 'southMonitor', 'northEditor'] as const) {
      expect([who, (await listedBy(site, who, id))?.hasGroupBeyond]).toEqual([who, false])
    }
  })
})
