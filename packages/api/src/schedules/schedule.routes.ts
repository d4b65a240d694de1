import {
  addSchedule,
  listScheduleMarks,
  listScheduleRuns,
  listSchedules,
  removeSchedule,
  updateSchedule,
} from '@trunkline/contract/schedules/schedule.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mountAdd } from '../http/mount-add.ts'
import { mount } from '../http/mount.ts'
import * as scheduleService from './schedule.service.ts'

export function scheduleRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listSchedules, async ({ query }, actor) =>
    scheduleService.list(ctx, actor, query),
  )
  mount(app, ctx, listScheduleMarks, async (_input, actor) => scheduleService.listMarks(ctx, actor))
  mount(app, ctx, listScheduleRuns, async ({ params }, actor) =>
    scheduleService.listRuns(ctx, actor, params.id),
  )
  mountAdd(
    app,
    ctx,
    addSchedule,
    async ({ body }, actor, id) => scheduleService.add(ctx, actor, body, id),
    scheduleService.added,
  )
  mount(app, ctx, updateSchedule, async ({ params, body }, actor) =>
    scheduleService.update(ctx, actor, params.id, body),
  )
  mount(app, ctx, removeSchedule, async ({ params }, actor) =>
    scheduleService.remove(ctx, actor, params.id),
  )
}
