/** People of every role in two groups, put straight into the database, and their tokens. */
import type { Role } from '@trunkline/contract/roles'
import type { Context } from '../context.ts'
import { searchText, titleKey } from '../db/search.ts'
import { hashPassword } from '../security/password.ts'
import { newId } from '../id.ts'
import { signToken } from '../session/token.ts'
import { find as findUser } from '../users/user.service.ts'
import { begin } from '../users/sessions/user-session.service.ts'

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
  const people = await addPersons(ctx, await passwordHash)
  const north = { id: 'groupnorth', title: 'North', managerId: people.northManager.id }
  const south = { id: 'groupsouth', title: 'South', managerId: people.southManager.id }
  await addGroups(ctx, [north, south])
  const members = [
    [north.id, people.northEditor],
    [north.id, people.northMonitor],
    [south.id, people.southEditor],
    [south.id, people.southMonitor],
  ] as const
  await ctx.db
    .insertInto('group_users')
    .values(members.map(([groupId, user]) => ({ group_id: groupId, user_id: user.id })))
    .execute()
  return { people, north: north.id, south: south.id }
}

async function addPersons(ctx: Context, hash: string): Promise<People['people']> {
  const people = {} as People['people']
  for (const [name, role] of Object.entries(NAMES) as [PersonName, Role][]) {
    const id = `user${name.toLowerCase()}`
    const email = `${name.toLowerCase()}@trunkline.example`
    people[name] = { id, email, role, token: '' }
  }
  const rows = Object.entries(people).map(([name, { id, email, role }]) => ({
    id,
    first_name: 'Test',
    last_name: name,
    email,
    role,
    password_hash: hash,
    token_version: 1,
    asks_before_interrupting: 0 as const,
    version: 1,
    created_at: new Date(ctx.clock()).toISOString(),
    search: searchText([`Test ${name}`, email]),
  }))
  await ctx.db.insertInto('users').values(rows).execute()
  await addSessions(ctx, Object.values(people))
  return people
}

/** As signInAs, for all at once: whole sites are opened hundreds of times in a run. */
async function addSessions(ctx: Context, persons: readonly TestPerson[]): Promise<void> {
  const rows = persons.map(({ id }) => {
    const now = new Date(ctx.clock()).toISOString()
    const times = { signed_in_at: now, used_at: now }
    return {
      id: newId(),
      user_id: id,
      token_version: 1,
      ...times,
      address: '127.0.0.1',
      user_agent: '',
    }
  })
  await ctx.db.insertInto('sessions').values(rows).execute()
  for (const [at, person] of persons.entries()) {
    const sessionId = rows[at]?.id ?? ''
    person.token = signToken(ctx.keys.tokenSecret, { userId: person.id, sessionId }, ctx.clock())
  }
}

/** A token of a session that begins now, without a password. */
export async function signInAs(ctx: Context, userId: string): Promise<string> {
  const sessionId = await openSession(ctx, userId)
  return signToken(ctx.keys.tokenSecret, { userId, sessionId }, ctx.clock())
}

/** Answers its id. */
export async function openSession(ctx: Context, userId: string): Promise<string> {
  const user = await findUser(ctx, userId)
  if (user === null) throw new Error(`There is no user ${userId}.`)
  const session = await begin(ctx, user, { ip: '127.0.0.1', userAgent: '' })
  if (session === null) throw new Error(`The user ${userId} was removed.`)
  return session.id
}

async function addGroups(
  ctx: Context,
  groups: readonly { id: string; title: string; managerId: string }[],
): Promise<void> {
  const rows = groups.map(({ id, title, managerId }) => ({
    id,
    title,
    title_key: titleKey(title),
    description: '',
    manager_id: managerId,
    version: 1,
    created_at: new Date(ctx.clock()).toISOString(),
    search: searchText([title]),
  }))
  await ctx.db.insertInto('groups').values(rows).execute()
}
