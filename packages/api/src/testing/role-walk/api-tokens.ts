/** How API tokens are tried by the walk through the role table. */
import {
  addApiToken,
  addServiceToken,
  listApiTokens,
  listOwnApiTokens,
  revokeApiToken,
} from '@trunkline/contract/users/api-token.calls'
import { readCaller } from '@trunkline/contract/users/caller.calls'
import type { Role } from '@trunkline/contract/roles'
import { addTestToken, personOwner } from '../../users/api-tokens/api-token.fixture.ts'
import { TEST_PASSWORD } from '../people.ts'
import { recipe, type Place, type Recipe } from './rules.ts'
import { ACTING, type WalkSite } from './site.ts'

const NONE = ['none'] as const
const DRAFT = { title: 'Script', scope: 'read' as const, days: 7, currentPassword: TEST_PASSWORD }

async function tokenAt(walk: WalkSite, place: Place, role: Role): Promise<{ id: string }> {
  const { ctx, people } = walk.site
  const userId = {
    self: people[ACTING[role]].id,
    own: walk.own.userId,
    above: people.superadmin.id,
  }[place as string]
  return addTestToken(ctx, await personOwner(ctx, userId ?? walk.foreign.userId))
}

export const API_TOKEN_RECIPES: readonly Recipe[] = [
  recipe(readCaller, { places: NONE, input: () => ({}) }),
  recipe(listOwnApiTokens, { places: NONE, input: () => ({}) }),
  recipe(listApiTokens, { places: NONE, input: () => ({}) }),
  recipe(addApiToken, { places: NONE, input: () => ({ body: DRAFT }) }),
  recipe(addServiceToken, {
    places: NONE,
    input: ({ site }) => ({ body: { ...DRAFT, role: 'monitor' as const, groupIds: [site.north] } }),
  }),
  recipe(revokeApiToken, {
    variant: 'the own',
    places: ['self'],
    input: async (walk, place, role) => ({ params: await tokenAt(walk, place, role) }),
  }),
  recipe(revokeApiToken, {
    variant: 'of somebody else',
    action: 'manageApiTokens',
    seenBy: 'manageApiTokens',
    places: ['own', 'foreign', 'above'],
    input: async (walk, place, role) => ({ params: await tokenAt(walk, place, role) }),
  }),
]
