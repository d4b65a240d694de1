/** People of every role in two groups, put straight into the database, and their tokens. */
import type { Role } from '@trunkline/contract/roles'
import type { Context } from '../context.ts'
import { hashPassword } from '../security/password.ts'
import { newId } from '../id.ts'
import { signToken } from '../session/token.ts'
import { find as findUser } from '../users/user.service.ts'
import { begin } from '../users/sessions/user-session.service.ts'
import { addStoredGroup, addStoredMembers, addStoredUser } from './stored-site.ts'

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
  const { db } = ctx
  const north = 'groupnorth'
  const south = 'groupsouth'
  const createdAt = new Date(ctx.clock()).toISOString()
  await addStoredGroup(db, north, people.northManager.id, { title: 'North', createdAt })
  await addStoredGroup(db, south, people.southManager.id, { title: 'South', createdAt })
  await addStoredMembers(db, north, [people.northEditor.id, people.northMonitor.id])
  await addStoredMembers(db, south, [people.southEditor.id, people.southMonitor.id])
  return { people, north, south }
}

async function addPersons(ctx: Context, passwordHash: string): Promise<People['people']> {
  const people = {} as People['people']
  for (const [name, role] of Object.entries(NAMES) as [PersonName, Role][]) {
    const id = `user${name.toLowerCase()}`
    const email = `${name.toLowerCase()}@trunkline.example`
    people[name] = { id, email, role, token: '' }
  }
  const createdAt = new Date(ctx.clock()).toISOString()
  for (const [lastName, { id, email, role }] of Object.entries(people)) {
    const names = { firstName: 'Test', lastName, email }
    await addStoredUser(ctx.db, id, role, { ...names, passwordHash, createdAt })
  }
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
