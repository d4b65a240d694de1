/** People and places of a test's own: made through the API, and taken away again with the test. */
import { addGroup, removeGroup } from '@trunkline/contract/groups/group.calls'
import type { Role } from '@trunkline/contract/roles'
import { addUser, removeUser } from '@trunkline/contract/users/user.calls'
import { callApi, CallFailed } from '@trunkline/testbed/api-client'
import type { DemoSite } from '@trunkline/testbed/demo'
import { PASSWORD } from './site.fixture.ts'

let made = 0

/** 'Test group 7': no other record of this site is called so. */
export function ownTitle(what: string): string {
  made += 1
  return `Test ${what} ${made}`
}

export interface OwnPerson extends AsyncDisposable {
  id: string
  fullName: string
  /** Of the e-mail, before the @: what `signIn` takes. */
  local: string
}

export async function ownPerson(
  site: DemoSite,
  role: Role,
  groupId: string | null,
): Promise<OwnPerson> {
  const fullName = ownTitle(role)
  const local = fullName.toLowerCase().replaceAll(' ', '-')
  const { id } = await callApi(site.client, addUser, {
    body: {
      firstName: 'Test',
      lastName: fullName.slice('Test '.length),
      email: `${local}@trunkline.example`,
      password: PASSWORD,
      mode: role,
      ...(groupId === null ? {} : { groupId }),
    },
  })
  const remove = async () => callApi(site.client, removeUser, { params: { id } })
  return { id, fullName, local, [Symbol.asyncDispose]: async () => unlessGone(remove) }
}

export interface OwnGroup extends AsyncDisposable {
  id: string
  title: string
  manager: OwnPerson
}

/** With a manager of its own. */
export async function ownGroup(site: DemoSite): Promise<OwnGroup> {
  const manager = await ownPerson(site, 'manager', null)
  const title = ownTitle('group')
  const { data } = await callApi(site.client, addGroup, {
    body: { title, description: 'Made by a test', manager: manager.id },
  })
  const params = { id: data.id }
  return {
    id: data.id,
    title,
    manager,
    async [Symbol.asyncDispose]() {
      // The last one out of it is its manager.
      await unlessGone(async () => callApi(site.client, removeGroup, { params }))
      await manager[Symbol.asyncDispose]()
    },
  }
}

async function unlessGone(remove: () => Promise<unknown>): Promise<void> {
  try {
    await remove()
  } catch (error) {
    if (!(error instanceof CallFailed) || error.httpStatus !== 404) throw error
  }
}
