/** How the enrolment of hosts is tried by the walk through the role table. */
import {
  addEnrolmentCode,
  enrolHost,
  readEnrolment,
  revokeEnrolment,
} from '@trunkline/contract/enrolment/enrolment.calls'
import { enrolmentRequest, newCode } from '../../enrolment/enrolment.fixture.ts'
import { inject } from '../inject.ts'
import { freshServer } from './places.ts'
import { recipe, type Place, type Recipe } from './rules.ts'
import { tokenOf, type WalkSite } from './site.ts'

const SERVERS = ['own', 'foreign'] as const

async function serverAt(walk: WalkSite, place: Place) {
  return { kind: 'server' as const, id: await freshServer(walk, place) }
}

/** What an agent sends that was given a code of now. */
async function requestFor(walk: WalkSite, params: Awaited<ReturnType<typeof serverAt>>) {
  const token = await tokenOf(walk.site, 'superadmin')
  return enrolmentRequest(await newCode(walk.site, params, token))
}

async function enrolledAt(walk: WalkSite, place: Place) {
  const params = await serverAt(walk, place)
  const body = await requestFor(walk, params)
  await inject(walk.site.app, enrolHost, '', { body })
  return params
}

export const ENROLMENT_RECIPES: readonly Recipe[] = [
  recipe(readEnrolment, {
    places: SERVERS,
    isRightFirst: true,
    input: async (walk, place) => ({ params: await serverAt(walk, place) }),
  }),
  recipe(addEnrolmentCode, {
    places: SERVERS,
    isRightFirst: true,
    input: async (walk, place) => ({ params: await serverAt(walk, place) }),
  }),
  recipe(revokeEnrolment, {
    places: SERVERS,
    isRightFirst: true,
    input: async (walk, place) => ({ params: await enrolledAt(walk, place) }),
  }),
  recipe(enrolHost, {
    places: ['none'],
    input: async (walk) => ({
      body: await requestFor(walk, await serverAt(walk, 'own')),
    }),
  }),
]
