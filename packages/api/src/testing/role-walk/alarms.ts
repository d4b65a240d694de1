/** How alarms are tried by the walk through the role table. */
import {
  acknowledgeAlarm,
  acknowledgeAlarms,
  listAlarmHistory,
  listAlarms,
  muteAlarm,
  unacknowledgeAlarm,
  unmuteAlarm,
} from '@trunkline/contract/alarms/alarm.calls'
import { openTestAlarm } from '../alarm.fixture.ts'
import { recipe, type Place, type Recipe } from './rules.ts'
import type { WalkSite } from './site.ts'
import { cameraAt } from './work.ts'

const CAMERAS = ['own', 'foreign', 'unassigned'] as const

async function alarmAt(walk: WalkSite, place: Place): Promise<{ id: string }> {
  const object = { kind: 'encoder' as const, id: cameraAt(walk, place).encoderId }
  return { id: await openTestAlarm(walk.site.ctx, object) }
}

const kind = 'encoder' as const
const seen = { seenBy: 'seeAlarms', places: CAMERAS } as const

export const ALARM_RECIPES: readonly Recipe[] = [
  recipe(listAlarms, {
    places: CAMERAS,
    isFilter: true,
    input: async (walk, place) => {
      await alarmAt(walk, place)
      return { query: { kind } }
    },
  }),
  recipe(listAlarmHistory, { places: ['none'], variant: 'of all', input: () => ({ query: {} }) }),
  recipe(listAlarmHistory, {
    places: CAMERAS,
    variant: 'of an encoder',
    input: (walk, place) => ({ query: { kind, id: cameraAt(walk, place).encoderId } }),
  }),
  recipe(acknowledgeAlarm, {
    ...seen,
    input: async (walk, place) => ({ params: await alarmAt(walk, place), body: { note: 'Seen' } }),
  }),
  recipe(acknowledgeAlarms, {
    places: ['own'],
    input: async (walk, place) => ({
      body: { alarms: [await alarmAt(walk, place)], note: 'Seen' },
    }),
  }),
  recipe(unacknowledgeAlarm, {
    ...seen,
    input: async (walk, place) => ({ params: await alarmAt(walk, place), body: {} }),
  }),
  recipe(muteAlarm, {
    ...seen,
    input: async (walk, place) => ({ params: await alarmAt(walk, place), body: { minutes: 5 } }),
  }),
  recipe(unmuteAlarm, {
    ...seen,
    input: async (walk, place) => ({ params: await alarmAt(walk, place), body: {} }),
  }),
]
