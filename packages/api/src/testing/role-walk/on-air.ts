/** How marks of what is on air are tried by the walk through the role table. */
import { askOnAir, listOnAir, putOnAir, takeOffAir } from '@trunkline/contract/on-air/on-air.calls'
import { inject } from '../inject.ts'
import { recipe, type Place, type Recipe } from './rules.ts'
import { tokenOf, type WalkSite } from './site.ts'
import { cameraAt } from './work.ts'

const CAMERAS = ['own', 'foreign', 'unassigned'] as const

function cameraParams(walk: WalkSite, place: Place) {
  return { kind: 'encoder' as const, id: cameraAt(walk, place).encoderId }
}

/** The walk stops and deletes what it finds: nothing is on air meanwhile. */
const SCHEDULED = { until: '2100-01-01T00:00:00Z', from: '2099-12-31T00:00:00Z' }

export const ON_AIR_RECIPES: readonly Recipe[] = [
  recipe(listOnAir, { places: ['none'], input: () => ({}) }),
  recipe(askOnAir, { places: ['none'], input: () => ({ body: { call: 'encoders.control' } }) }),
  recipe(putOnAir, {
    seenBy: 'seeOnAir',
    places: CAMERAS,
    input: (walk, place) => ({ params: cameraParams(walk, place), body: SCHEDULED }),
  }),
  recipe(takeOffAir, {
    seenBy: 'seeOnAir',
    places: CAMERAS,
    input: async (walk, place) => {
      const params = cameraParams(walk, place)
      const token = await tokenOf(walk.site, 'superadmin')
      await inject(walk.site.app, putOnAir, token, { params, body: SCHEDULED })
      return { params }
    },
  }),
]
