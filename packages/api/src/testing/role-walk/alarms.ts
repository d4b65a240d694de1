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
import {
  addMaintenance,
  listMaintenance,
  removeMaintenance,
  updateMaintenance,
} from '@trunkline/contract/alarms/maintenance/maintenance.calls'
import type {
  MaintenanceDraft,
  WindowTimes,
} from '@trunkline/contract/alarms/maintenance/maintenance.schema'
import {
  addOverride,
  listOverrides,
  readCombinedRules,
  removeOverride,
  updateOverride,
} from '@trunkline/contract/alarms/overrides/override.calls'
import * as overrideStore from '../../alarms/overrides/override.store.ts'
import { conflict } from '../../errors.ts'
import * as maintenanceStore from '../../alarms/maintenance/maintenance.store.ts'
import { newId } from '../../id.ts'
import { openTestAlarm } from '../alarm.fixture.ts'
import { recipe, type Place, type Recipe } from './rules.ts'
import { groupAt } from './places.ts'
import type { WalkSite } from './site.ts'
import { cameraAt } from './work.ts'

const CAMERAS = ['own', 'foreign', 'unassigned'] as const

async function alarmAt(walk: WalkSite, place: Place): Promise<{ id: string }> {
  const object = { kind: 'encoder' as const, id: cameraAt(walk, place).encoderId }
  return { id: await openTestAlarm(walk.site.ctx, object) }
}

async function windowAt(walk: WalkSite, place: Place): Promise<{ id: string }> {
  const id = newId()
  const createdAt = new Date().toISOString()
  await maintenanceStore.insert(walk.site.ctx.db, {
    id,
    version: 1,
    createdAt,
    ...draftAt(walk, place),
  })
  return { id }
}

function draftAt(walk: WalkSite, place: Place): MaintenanceDraft {
  return { title: 'Firmware', covers: { kind: 'group', id: groupAt(walk, place) }, times: SUNDAYS }
}

const SILENCED = {
  rule: 'no-peer',
  isOff: true,
  severity: null,
  threshold: null,
  raiseAfterSeconds: null,
  clearAfterSeconds: null,
} as const

/** The override of that group, new unless there is one. */
async function overrideAt(walk: WalkSite, place: Place): Promise<{ id: string }> {
  const { ctx } = walk.site
  const covers = { kind: 'group' as const, id: groupAt(walk, place) }
  await removeOverridesAt(walk, place)
  const id = newId()
  const createdAt = new Date().toISOString()
  const override = { id, version: 1, createdAt, covers, ...SILENCED }
  await overrideStore.insert(ctx.db, override, () => conflict('There is one already.'))
  ctx.overrides.replace(await overrideStore.list(ctx.db))
  return { id }
}

async function removeOverridesAt(walk: WalkSite, place: Place): Promise<void> {
  const { db } = walk.site.ctx
  for (const { id, covers } of await overrideStore.list(db)) {
    if (covers.id === groupAt(walk, place)) await overrideStore.remove(db, id)
  }
}

const SUNDAYS: WindowTimes = { repeats: 'weekly', days: ['sun'], startsAt: '02:00', minutes: 60 }
const GROUPS = ['own', 'foreign', 'groupless'] as const

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
  recipe(listMaintenance, {
    places: GROUPS,
    isFilter: true,
    input: async (walk, place) => {
      await windowAt(walk, place)
      return { query: {} }
    },
  }),
  recipe(addMaintenance, {
    seenBy: 'seeAlarms',
    places: GROUPS,
    input: (walk, place) => ({ body: draftAt(walk, place) }),
  }),
  recipe(updateMaintenance, {
    seenBy: 'seeAlarms',
    places: GROUPS,
    input: async (walk, place) => ({
      params: await windowAt(walk, place),
      body: { title: 'Cabling' },
    }),
  }),
  recipe(removeMaintenance, {
    seenBy: 'seeAlarms',
    places: GROUPS,
    input: async (walk, place) => ({ params: await windowAt(walk, place) }),
  }),
  recipe(listOverrides, {
    places: GROUPS,
    isFilter: true,
    input: async (walk, place) => {
      await overrideAt(walk, place)
      return { query: {} }
    },
  }),
  recipe(readCombinedRules, {
    ...seen,
    input: (walk, place) => ({ query: { kind, id: cameraAt(walk, place).encoderId } }),
  }),
  recipe(addOverride, {
    seenBy: 'seeAlarms',
    places: GROUPS,
    input: async (walk, place) => {
      await removeOverridesAt(walk, place)
      return { body: { ...SILENCED, covers: { kind: 'group' as const, id: groupAt(walk, place) } } }
    },
  }),
  recipe(updateOverride, {
    seenBy: 'seeAlarms',
    places: GROUPS,
    input: async (walk, place) => ({
      params: await overrideAt(walk, place),
      body: { severity: 'critical' as const },
    }),
  }),
  recipe(removeOverride, {
    seenBy: 'seeAlarms',
    places: GROUPS,
    input: async (walk, place) => ({ params: await overrideAt(walk, place) }),
  }),
]
