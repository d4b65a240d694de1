/**
 * ROLE-11, cell by cell: every call of the contract, as every role and as nobody, on an object of
 * the own group, of another, and of none. What is expected is read from the role table alone;
 * role-rows.test.ts says which of its rights each call needs.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allCalls } from './testing/all-calls.ts'
import { openWalkSite, type WalkSite } from './testing/role-walk/site.ts'
import { RECIPES } from './testing/role-walk/recipes.ts'
import { cellsOf, faultOf, faultOfManager } from './testing/role-walk/walk.ts'

const stack = new AsyncDisposableStack()
let walk: WalkSite
beforeAll(async () => {
  walk = await openWalkSite(stack)
})
afterAll(async () => stack.disposeAsync())

test('ROLE-11 every call of the contract is walked', async () => {
  const walked = new Set(RECIPES.map(({ call }) => call.name))
  const missing = (await allCalls()).filter(({ name }) => !walked.has(name))
  expect(missing.map(({ name }) => name)).toEqual([])
})

test.each(RECIPES.map((recipe) => [recipe.call.name, recipe.variant, recipe] as const))(
  'AUTH-24 ROLE-07 ROLE-09 ROLE-11 T2 T4 %s %s',
  async (_, __, recipe) => {
    const faults: string[] = []
    for (const cell of cellsOf(recipe)) faults.push(await faultOf(walk, cell))
    expect(faults.filter((fault) => fault !== '')).toEqual([])
  },
)

const ON_PEOPLE = RECIPES.filter(({ places }) => places.includes('shared'))

test.each(ON_PEOPLE.map((recipe) => [recipe.call.name, recipe.variant, recipe] as const))(
  'ROLE-11 T3 a manager of both groups may do to a shared person what to one of their own: %s %s',
  async (_, __, recipe) => {
    const faultAt = async (place: 'shared' | 'own') =>
      faultOfManager(walk, recipe, walk.managerOfBothId, { place, seenAt: 'own' })
    expect([await faultAt('shared'), await faultAt('own')]).toEqual(['', ''])
  },
)

const OF_GROUPS = RECIPES.filter(
  ({ places }) => places.includes('own') && places.includes('foreign'),
)

test.each(OF_GROUPS.map((recipe) => [recipe.call.name, recipe.variant, recipe] as const))(
  'ROLE-11 a manager of no group finds nothing of any group: %s %s',
  async (_, __, recipe) => {
    const place = { place: 'own', seenAt: 'foreign' } as const
    expect(await faultOfManager(walk, recipe, walk.managerOfNoneId, place)).toBe('')
  },
)
