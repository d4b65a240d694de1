/** How schedules are tried by the walk through the role table. */
import {
  addSchedule,
  listScheduleMarks,
  listScheduleRuns,
  listSchedules,
  removeSchedule,
  updateSchedule,
} from '@trunkline/contract/schedules/schedule.calls'
import { inject } from '../inject.ts'
import { recipe, type Place, type Recipe } from './rules.ts'
import { tokenOf, type WalkSite } from './site.ts'
import { cameraAt } from './work.ts'

const CAMERAS = ['own', 'foreign', 'unassigned'] as const

/** Never due while the walk lasts. */
const TIMES = { repeats: 'once' as const, at: '2099-12-31T00:00:00Z', timeZone: 'UTC' }

function stopOf(walk: WalkSite, place: Place) {
  const object = { kind: 'encoder' as const, id: cameraAt(walk, place).encoderId }
  return { object, command: 'stop' as const, times: TIMES }
}

async function scheduleAt(walk: WalkSite, place: Place): Promise<{ id: string }> {
  const token = await tokenOf(walk.site, 'superadmin')
  const { answer } = await inject(walk.site.app, addSchedule, token, { body: stopOf(walk, place) })
  return { id: answer.id }
}

export const SCHEDULE_RECIPES: readonly Recipe[] = [
  recipe(listSchedules, { places: ['none'], input: () => ({}) }),
  recipe(listScheduleMarks, { places: ['none'], input: () => ({}) }),
  recipe(listScheduleRuns, {
    places: CAMERAS,
    input: async (walk, place) => ({ params: await scheduleAt(walk, place) }),
  }),
  recipe(addSchedule, {
    seenBy: 'seeSchedules',
    places: CAMERAS,
    input: (walk, place) => ({ body: stopOf(walk, place) }),
  }),
  recipe(updateSchedule, {
    seenBy: 'seeSchedules',
    places: CAMERAS,
    input: async (walk, place) => ({
      params: await scheduleAt(walk, place),
      body: { note: 'By the walk' },
    }),
  }),
  recipe(removeSchedule, {
    seenBy: 'seeSchedules',
    places: CAMERAS,
    input: async (walk, place) => ({ params: await scheduleAt(walk, place) }),
  }),
]
