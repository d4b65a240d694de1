/** People of every role in two groups, put straight into the database, and their tokens. */
import type { Role } from '@trunkline/contract/roles'
import type { Context } from '../context.ts'
import { foldCase, searchText } from '../db/search.ts'
import { hashPassword } from '../security/password.ts'
import { signToken } from '../session/token.ts'

export const TEST_PASSWORD = 'correct horse battery'
let passwordHash: Promise<string> | undefined

export interface TestPerson {
  id: string
  email: string
  role: Role
  token: string
}

const NAMES = {
  superadmin: 'superadmin',
  admin: 'admin',
  northManager: 'manager',
  northEditor: 'editor',
  northMonitor: 'monitor',
  southManager: 'manager',
  southEditor: 'editor',
  southMonitor: 'monitor',
  /** A manager whom nobody has made the manager of a group. */
  loneManager: 'manager',
} as const satisfies Record<string, Role>
export type PersonName = keyof typeof NAMES

export interface People {
  people: Record<PersonName, TestPerson>
  /** Group ids. */
  north: string
  south: string
}

export async function addPeople(ctx: Context): Promise<People> {
  passwordHash ??= hashPassword(TEST_PASSWORD)
  const hash = await passwordHash
  const people = {} as Record<PersonName, TestPerson>
  for (const [name, role] of Object.entries(NAMES) as [PersonName, Role][]) {
    people[name] = await addPerson(ctx, name, role, hash)
  }
  const north = await addGroup(ctx, 'North', people.northManager.id)
  const south = await addGroup(ctx, 'South', people.southManager.id)
  const members = [
    [north, people.northEditor],
    [north, people.northMonitor],
    [south, people.southEditor],
    [south, people.southMonitor],
  ] as const
  await ctx.db
    .insertInto('group_users')
    .values(members.map(([groupId, user]) => ({ group_id: groupId, user_id: user.id })))
    .execute()
  return { people, north, south }
}

async function addPerson(
  ctx: Context,
  name: PersonName,
  role: Role,
  hash: string,
): Promise<TestPerson> {
  const id = `user${name.toLowerCase()}`
  const email = `${name.toLowerCase()}@trunkline.example`
  await ctx.db
    .insertInto('users')
    .values({
      id,
      first_name: 'Test',
      last_name: name,
      email,
      role,
      password_hash: hash,
      token_version: 1,
      version: 1,
      created_at: new Date(ctx.clock()).toISOString(),
      search: searchText([`Test ${name}`, email]),
    })
    .execute()
  const token = signToken(ctx.keys.tokenSecret, { userId: id, version: 1 }, ctx.clock())
  return { id, email, role, token }
}

async function addGroup(ctx: Context, title: string, managerId: string): Promise<string> {
  const id = `group${title.toLowerCase()}`
  await ctx.db
    .insertInto('groups')
    .values({
      id,
      title,
      title_key: foldCase(title),
      description: '',
      manager_id: managerId,
      version: 1,
      created_at: new Date(ctx.clock()).toISOString(),
      search: searchText([title]),
    })
    .execute()
  return id
}
