/** How sign-in by a provider is tried by the walk through the role table: open to anybody. */
import { beginOidc, endOidc, signInWays } from '@trunkline/contract/session/oidc.calls'
import { answerOf } from '../oidc/hostile-provider.fixture.ts'
import { recipe, type Recipe } from './rules.ts'

export const OIDC_RECIPES: readonly Recipe[] = [
  recipe(signInWays, { places: ['none'], input: () => ({}) }),
  recipe(beginOidc, { places: ['none'], input: () => ({}) }),
  recipe(endOidc, {
    places: ['none'],
    input: async ({ site, provider }, _, role) => {
      const claims = { sub: role, email: `${role}@sso.example`, roles: ['noc'] }
      return { body: await answerOf(site.app, provider, claims) }
    },
  }),
]
