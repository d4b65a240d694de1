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
  mount(app, ctx, acknowledgeAlarm, async ({ params, body, ip }, actor) =>
    alarmService.acknowledge(ctx, { actor, ip, ...params, ...of(acknowledgeAlarm, body) }, body),
  )
  mount(app, ctx, acknowledgeAlarms, async ({ body, ip }, actor) =>
    alarmService.acknowledgeSeveral(ctx, { actor, ip, call: acknowledgeAlarms.name }, body),
  )
  mount(app, ctx, unacknowledgeAlarm, async ({ params, body, ip }, actor) =>
    alarmService.unacknowledge(ctx, { actor, ip, ...params, ...of(unacknowledgeAlarm, body) }),
  )
  mount(app, ctx, muteAlarm, async ({ params, body, ip }, actor) =>
    alarmService.mute(ctx, { actor, ip, ...params, ...of(muteAlarm, body) }, body),
  )
  mount(app, ctx, unmuteAlarm, async ({ params, body, ip }, actor) =>
    alarmService.unmute(ctx, { actor, ip, ...params, ...of(unmuteAlarm, body) }),
  )
}

function of({ name }: { name: string }, { version }: { version?: number | undefined }) {
  return { call: name, version }
}
