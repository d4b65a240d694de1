/** How second factors of sign-in are tried by the walk through the role table. */
import {
  passkeySetUpStep,
  passkeyStep,
  secondStep,
  setUpStep,
} from '@trunkline/contract/session/second-step.calls'
import {
  addPasskey,
  beginPasskey,
  removePasskey,
  renamePasskey,
} from '@trunkline/contract/users/passkey.calls'
import {
  readRequiredFactor,
  saveRequiredFactor,
} from '@trunkline/contract/users/required-factor.calls'
import {
  beginSecondFactor,
  confirmSecondFactor,
  readSecondFactor,
  resetSecondFactor,
  turnOffSecondFactor,
} from '@trunkline/contract/users/second-factor.calls'
import * as challengeService from '../../users/second-factor/challenge.service.ts'
import {
  beginTestFactor,
  begunSetUp,
  codeOf,
  turnOnTestFactor,
} from '../../users/second-factor/second-factor.fixture.ts'
import {
  addedPasskeyOf,
  begunPasskeyOf,
  begunPasskeySetUp,
  passkeyAnswerOf,
} from '../../users/second-factor/passkey-walk.fixture.ts'
import * as secondFactorStore from '../../users/second-factor/second-factor.store.ts'
import * as userService from '../../users/user.service.ts'
import { TEST_PASSWORD } from '../people.ts'
import { freshUser, userAt } from './places.ts'
import { recipe, type Recipe } from './rules.ts'
import { ACTING } from './site.ts'

const currentPassword = TEST_PASSWORD
const OTHERS = ['own', 'foreign', 'shared', 'groupless', 'above'] as const

export const SECOND_FACTOR_RECIPES: readonly Recipe[] = [
  recipe(secondStep, {
    places: ['none'],
    input: async ({ site: { ctx, people } }, _, role) => {
      const { id } = people[ACTING[role]]
      const { secret } = await turnOnTestFactor(ctx, id)
      const user = await userService.find(ctx, id)
      const challenge = user === null ? '' : await challengeService.begin(ctx, user, 'signIn')
      return { body: { challenge, code: codeOf(ctx, secret) } }
    },
  }),
  recipe(setUpStep, {
    places: ['none'],
    input: async ({ site: { ctx, people } }, _, role) => {
      const { id } = people[ACTING[role]]
      const challenge = await begunSetUp(ctx, id)
      const factor = await secondFactorStore.find(ctx.db, id)
      const secret = ctx.keys.open(factor?.secretSealed ?? '')
      return { body: { challenge, code: codeOf(ctx, secret) } }
    },
  }),
  recipe(readRequiredFactor, { places: ['none'], input: () => ({}) }),
  recipe(saveRequiredFactor, { places: ['none'], input: () => ({ body: { roles: [] } }) }),
  recipe(passkeyStep, {
    places: ['none'],
    input: async ({ site: { ctx, people } }, _, role) => ({
      body: await passkeyAnswerOf(ctx, people[ACTING[role]].id),
    }),
  }),
  recipe(passkeySetUpStep, {
    places: ['none'],
    input: async ({ site: { ctx, people } }, _, role) => ({
      body: await begunPasskeySetUp(ctx, people[ACTING[role]].id),
    }),
  }),
  recipe(beginPasskey, { places: ['self'], input: () => ({ body: { currentPassword } }) }),
  recipe(addPasskey, {
    places: ['self'],
    input: async (walk, place, role) => ({
      body: await begunPasskeyOf(walk.site.ctx, userAt(walk, place, role)),
    }),
  }),
  recipe(renamePasskey, {
    places: ['self'],
    input: async (walk, place, role) => {
      const { passkey } = await addedPasskeyOf(walk.site.ctx, userAt(walk, place, role))
      return { body: { passkeyId: passkey.id, name: 'Telephone' } }
    },
  }),
  recipe(removePasskey, {
    places: ['self'],
    input: async (walk, place, role) => {
      const { passkey } = await addedPasskeyOf(walk.site.ctx, userAt(walk, place, role))
      return { body: { passkeyId: passkey.id, currentPassword } }
    },
  }),
  recipe(readSecondFactor, {
    variant: 'the own',
    places: ['self'],
    input: (walk, place, role) => ({ params: { id: userAt(walk, place, role) } }),
  }),
  recipe(readSecondFactor, {
    variant: 'of somebody else',
    action: 'editUser',
    seenBy: 'listUsers',
    places: OTHERS,
    input: (walk, place, role) => ({ params: { id: userAt(walk, place, role) } }),
  }),
  recipe(beginSecondFactor, {
    places: ['self'],
    input: async (walk, place, role) => {
      await secondFactorStore.remove(walk.site.ctx.db, userAt(walk, place, role))
      return { body: { currentPassword } }
    },
  }),
  recipe(confirmSecondFactor, {
    places: ['self'],
    input: async (walk, place, role) => {
      const { ctx } = walk.site
      const secret = await beginTestFactor(ctx, userAt(walk, place, role))
      return { body: { code: codeOf(ctx, secret) } }
    },
  }),
  recipe(turnOffSecondFactor, {
    places: ['self'],
    input: async (walk, place, role) => {
      const { ctx } = walk.site
      const { secret } = await turnOnTestFactor(ctx, userAt(walk, place, role))
      return { body: { currentPassword, code: codeOf(ctx, secret) } }
    },
  }),
  recipe(resetSecondFactor, {
    seenBy: 'listUsers',
    // A superadmin is above an admin, and oneself to the superadmin.
    places: ['own', 'foreign', 'shared', 'groupless'],
    input: async (walk, place, role) => {
      const id = await freshUser(walk, place, role)
      await turnOnTestFactor(walk.site.ctx, id)
      return { params: { id } }
    },
  }),
]
