import {
  acknowledgeAlarm,
  acknowledgeAlarms,
  listAlarmHistory,
  listAlarms,
  muteAlarm,
  unacknowledgeAlarm,
  unmuteAlarm,
} from '@trunkline/contract/alarms/alarm.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mount } from '../http/mount.ts'
import * as alarmService from './alarm.service.ts'

export function alarmRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listAlarms, async ({ query }, actor) =>
    Promise.resolve(alarmService.list(ctx, actor, query)),
  )
  mount(app, ctx, listAlarmHistory, async ({ query }, actor) =>
    alarmService.history(ctx, actor, query),
  )
  mount(app, ctx, acknowledgeAlarm, async ({ params, body }, actor) =>
    alarmService.acknowledge(ctx, { actor, ...params, ...of(acknowledgeAlarm, body) }, body),
  )
  mount(app, ctx, acknowledgeAlarms, async ({ body }, actor) =>
    alarmService.acknowledgeSeveral(ctx, { actor, call: acknowledgeAlarms.name }, body),
  )
  mount(app, ctx, unacknowledgeAlarm, async ({ params, body }, actor) =>
    alarmService.unacknowledge(ctx, { actor, ...params, ...of(unacknowledgeAlarm, body) }),
  )
  mount(app, ctx, muteAlarm, async ({ params, body }, actor) =>
    alarmService.mute(ctx, { actor, ...params, ...of(muteAlarm, body) }, body),
  )
  mount(app, ctx, unmuteAlarm, async ({ params, body }, actor) =>
    alarmService.unmute(ctx, { actor, ...params, ...of(unmuteAlarm, body) }),
  )
}

function of({ name }: { name: string }, { version }: { version?: number | undefined }) {
  return { call: name, version }
}
