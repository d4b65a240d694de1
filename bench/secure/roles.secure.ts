/**
 * T1 to T4: every call of the contract, as every role and as nobody, at every place, on both
 * databases; and every field of a person, changed by every role for every role. What may be is
 * written down here once more, so that a fault in the product's own table shows.
 */
import { ROLES, type Role } from '@trunkline/contract/roles'
import { addUser, updateUser } from '@trunkline/contract/users/user.calls'
import { expect, test } from 'vitest'
import { createPostgresDatabase } from '@trunkline/api/testing/databases'
import { inject, type InjectInput } from '@trunkline/api/testing/inject'
import { RECIPES } from '@trunkline/api/testing/role-walk/recipes'
import { ACTING, openWalkSite, tokenOf, type WalkSite } from '@trunkline/api/testing/role-walk/site'
import { addWalkUser } from '@trunkline/api/testing/role-walk/things'
import { cellsOf, faultOf } from '@trunkline/api/testing/role-walk/walk'
import { atLeast, atMost } from '../kit/figure.ts'
import { printProof } from './proof.ts'

const DATABASES = ['SQLite', 'PostgreSQL'] as const

test('no role does more than it may', async () => {
  const faults: string[] = []
  let [cells, accepted] = [0, 0]
  for (const database of DATABASES) {
    await using stack = new AsyncDisposableStack()
    const databaseUrl = database === 'SQLite' ? null : stack.use(await createPostgresDatabase()).url
    const walk = await openWalkSite(stack, { databaseUrl })
    const people = await peopleCells(walk)
    cells += people.cells
    accepted += people.accepted
    faults.push(...people.faults.map((fault) => `${database}: ${fault}`))
    for (const cell of RECIPES.flatMap(cellsOf)) {
      cells += 1
      const fault = await faultOf(walk, cell)
      if (fault !== '') faults.push(`${database}: ${fault}`)
    }
  }
  const missed = printProof('roles', {
    ours: { cells, changesOfPeopleAccepted: accepted },
    faults,
    goals: [
      atMost('violations', faults.length, 0, 'cells'),
      atLeast('changes of people accepted', accepted, 1, 'cells'),
    ],
  })
  expect(missed).toEqual([])
})

/** Whose record, seen from the one who acts. */
const TARGETS = [...ROLES, 'self'] as const
type Target = (typeof TARGETS)[number]

interface Outcome {
  cells: number
  accepted: number
  faults: string[]
}

async function peopleCells(walk: WalkSite): Promise<Outcome> {
  const outcome: Outcome = { cells: 0, accepted: 0, faults: [] }
  for (const acting of ROLES) {
    for (const target of TARGETS) {
      for (const field of FIELDS) await tryField(walk, { acting, target, field }, outcome)
    }
    for (const mode of ROLES) await tryAdding(walk, acting, mode, outcome)
  }
  return outcome
}

interface Field {
  name: string
  /** The role that it gives; null for other fields. */
  gives: Role | null
  body: (walk: WalkSite) => Omit<InjectInput<typeof updateUser>['body'] & object, '_id'>
}

let count = 0
const PASSWORD = 'a long password of nobody'
const FIELDS: readonly Field[] = [
  { name: 'firstName', gives: null, body: () => ({ firstName: `Changed ${(count += 1)}` }) },
  { name: 'lastName', gives: null, body: () => ({ lastName: `Changed ${(count += 1)}` }) },
  {
    name: 'email',
    gives: null,
    body: () => ({ email: `proof${(count += 1)}@trunkline.example` }),
  },
  {
    name: 'password',
    gives: null,
    body: () => ({ newPassword: PASSWORD, newConfirmPassword: PASSWORD }),
  },
  { name: 'groupId', gives: null, body: ({ foreign }) => ({ groupId: foreign.groupId }) },
  ...ROLES.map((mode) => ({ name: `mode ${mode}`, gives: mode, body: () => ({ mode }) })),
]

interface PeopleCell {
  acting: Role
  target: Target
  field: Field
}

/** A refused change leaves the person as they were; so does one that this role may not make. */
async function tryField(walk: WalkSite, cell: PeopleCell, outcome: Outcome): Promise<void> {
  const { acting, target, field } = cell
  const id = target === 'self' ? walk.site.people[ACTING[acting]].id : await personOf(walk, target)
  const before = await recordOf(walk, id)
  const token = await tokenOf(walk.site, acting)
  const body = { _id: id, ...field.body(walk) }
  const { status } = await inject(walk.site.app, updateUser, token, { body })
  const hasChanged = (await recordOf(walk, id)) !== before
  outcome.cells += 1
  if (status === 200 && hasChanged) outcome.accepted += 1
  if (status !== 200 && hasChanged) outcome.faults.push(`${nameOf(cell)}: refused, and changed`)
  if (hasChanged && !mayChange(cell)) outcome.faults.push(`${nameOf(cell)}: changed`)
}

function nameOf({ acting, target, field }: PeopleCell): string {
  return `${acting} changes ${field.name} of ${target}`
}

/** Q22 to Q30 in one place, without the product's table. */
function mayChange({ acting, target, field }: PeopleCell): boolean {
  // The own password and e-mail need the current password, which nobody sends here.
  if (target === 'self') return field.name === 'firstName' || field.name === 'lastName'
  const isMember = target === 'editor' || target === 'monitor'
  if (acting === 'editor' || acting === 'monitor') return false
  if (acting === 'manager' && !isMember) return false
  if (acting === 'admin' && target === 'superadmin') return false
  if (field.gives !== null) return mayGive(acting, field.gives)
  // A group of somebody else's: a manager puts nobody there.
  return field.name !== 'groupId' || acting !== 'manager'
}

function mayGive(acting: Role, role: Role): boolean {
  if (acting === 'superadmin') return true
  if (acting === 'admin') return role === 'admin' || role === 'manager'
  return acting === 'manager' && (role === 'editor' || role === 'monitor')
}

async function tryAdding(walk: WalkSite, acting: Role, mode: Role, outcome: Outcome) {
  const token = await tokenOf(walk.site, acting)
  const { status } = await inject(walk.site.app, addUser, token, { body: draftOf(mode) })
  outcome.cells += 1
  if (status === 201) outcome.accepted += 1
  if (status < 300 && !mayGive(acting, mode)) outcome.faults.push(`${acting} adds a ${mode}`)
}

function draftOf(mode: Role) {
  const email = `proof${(count += 1)}@trunkline.example`
  return { firstName: 'Added', lastName: 'Person', email, password: PASSWORD, mode }
}

/** Somebody new of the own group, or of none where the role belongs to none. */
async function personOf({ site, own }: WalkSite, role: Role): Promise<string> {
  const isOfGroup = role === 'editor' || role === 'monitor'
  return addWalkUser(site, isOfGroup ? [own.groupId] : [], 'Passer-by', role)
}

/** Without its version and what searches look through: to be given the role that one has is no change. */
async function recordOf({ site }: WalkSite, id: string): Promise<string> {
  const { db } = site.ctx
  const user = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  const groups = await db.selectFrom('group_users').selectAll().where('user_id', '=', id).execute()
  const managed = await db.selectFrom('groups').select('id').where('manager_id', '=', id).execute()
  return JSON.stringify([{ ...user, version: 0, search: '' }, groups, managed])
}
