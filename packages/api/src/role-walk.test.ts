/**
 * ROLE-11, cell by cell: every call of the contract, as every role and as nobody, on an object of
 * the own group, of another, and of none. What is expected is read from the role table alone.
 */
import { ROLES, isAdminLevel, type Role } from '@trunkline/contract/roles'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allCalls } from './testing/all-calls.ts'
import { inject } from './testing/inject.ts'
import { openWalkSite, tokenOf, tokenOfPerson, type WalkSite } from './testing/role-walk/site.ts'
import { RECIPES } from './testing/role-walk/recipes.ts'
import { expectedOutcome, type Place, type Recipe } from './testing/role-walk/rules.ts'

/** Why a host is away: its kind, or the words of its sentence. */
const FAULT =
  /"fault":"|wrong-key|not-an-agent|refuses the (connection|API key)|closed the connection|is not a (host agent|media server)/

const stack = new AsyncDisposableStack()
let walk: WalkSite
let cells = 0
beforeAll(async () => {
  walk = await openWalkSite(stack)
})
afterAll(async () => {
  await stack.disposeAsync()
  process.stdout.write(`role table: ${cells} cells\n`)
})

interface Cell {
  recipe: Recipe
  role: Role | null
  place: Place
}

/** What is wrong about a cell, in a line; '' when nothing is. */
async function faultOf({ recipe, role, place }: Cell): Promise<string> {
  cells += 1
  const { call, variant, letThrough } = recipe
  const input = await recipe.input(walk, place, role ?? 'superadmin')
  const token = role === null ? '' : await tokenOf(walk.site, role)
  const { status, text } = await inject(walk.site.app, call, token, input)
  const wanted = expectedOutcome(recipe, role, place)
  const allowed = wanted === 'through' ? [call.successStatus, ...letThrough] : [wanted]
  const name = [call.name, variant, role ?? 'nobody', place]
    .filter((item) => item !== '')
    .join(', ')
  if (!allowed.includes(status)) return `${name}: ${status}, not ${allowed.join(' or ')}: ${text}`
  const leaks = role === null || isAdminLevel(role) ? [] : leaksIn(role, text)
  return leaks.length === 0 ? '' : `${name} tells ${leaks.join(', ')}: ${text}`
}

/** What nobody below admin may read. Keys, passphrases and hashes are looked for by `inject`, in every answer. */
function leaksIn(role: Role, text: string): string[] {
  const fault = FAULT.exec(text)
  const hidden = role === 'editor' ? [...walk.hidden, walk.unassigned.encoderId] : walk.hidden
  return [...hidden.filter((item) => text.includes(item)), ...(fault === null ? [] : [fault[0]])]
}

/** Whoever has both groups: what is shared is wholly theirs, as what is of either group is. */
async function faultOfBoth(recipe: Recipe, place: Place): Promise<string> {
  cells += 1
  const { call, variant } = recipe
  const input = await recipe.input(walk, place, 'manager')
  const token = await tokenOfPerson(walk.site, walk.managerOfBothId)
  const { status, text } = await inject(walk.site.app, call, token, input)
  const wanted = expectedOutcome(recipe, 'manager', 'own')
  if (wanted === 'through' ? status === call.successStatus : status === wanted) return ''
  return `${call.name}, ${variant}, manager of both, ${place}: ${status}, not ${wanted}: ${text}`
}

test('ROLE-11 every call of the contract is walked', async () => {
  const walked = new Set(RECIPES.map(({ call }) => call.name))
  const missing = (await allCalls()).filter(({ name }) => !walked.has(name))
  expect(missing.map(({ name }) => name)).toEqual([])
})

test.each(RECIPES.map((recipe) => [recipe.call.name, recipe.variant, recipe] as const))(
  'AUTH-24 ROLE-07 ROLE-09 ROLE-11 T2 T4 %s %s',
  async (_, __, recipe) => {
    const faults: string[] = []
    for (const place of recipe.places) {
      for (const role of [...ROLES, null]) {
        faults.push(await faultOf({ recipe, role, place }))
      }
    }
    expect(faults.filter((fault) => fault !== '')).toEqual([])
  },
)

const ON_PEOPLE = RECIPES.filter(({ places }) => places.includes('shared'))

test.each(ON_PEOPLE.map((recipe) => [recipe.call.name, recipe.variant, recipe] as const))(
  'ROLE-11 T3 a manager of both groups may do to a shared person what to one of their own: %s %s',
  async (_, __, recipe) => {
    const faults = [await faultOfBoth(recipe, 'shared'), await faultOfBoth(recipe, 'own')]
    expect(faults.filter((fault) => fault !== '')).toEqual([])
  },
)
