import {
  addOutput,
  changeOutputDestination,
  cloneOutput,
  listOutputs,
  readOutput,
  readOutputStatus,
  removeOutput,
  removeOutputs,
  setOutputsStatus,
  updateOutput,
} from '@trunkline/contract/contributions/output.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mount } from '../../http/mount.ts'
import * as linkCloneService from '../link-clone.service.ts'
import * as outputDestinationService from './output-destination.service.ts'
import * as outputRemoveService from '../output-remove.service.ts'
import * as outputStatusService from '../output-status.service.ts'
import * as outputUpdateService from '../output-update.service.ts'
import * as outputService from './output.service.ts'

export function outputRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listOutputs, async ({ query }, actor) => outputService.list(ctx, actor, query))
  mount(app, ctx, addOutput, async ({ body, ip }, actor) =>
    outputService.add(ctx, actor, body, { call: 'outputs.add', ip }),
  )
  mount(app, ctx, cloneOutput, async ({ params, body, ip }, actor) =>
    linkCloneService.cloneOutput(ctx, actor, params.id, body, ip),
  )
  mount(app, ctx, readOutputStatus, async ({ params }, actor) =>
    outputService.readStatus(ctx, actor, params.contributionId, params.name),
  )
  mount(app, ctx, readOutput, async ({ params }, actor) =>
    outputService.read(ctx, actor, params.id),
  )
  mount(app, ctx, updateOutput, async ({ params, body, ip }, actor) =>
    outputUpdateService.update(ctx, actor, params.id, body, ip),
  )
  mount(app, ctx, removeOutput, async ({ params, ip }, actor) =>
    outputRemoveService.remove(ctx, actor, params.id, ip),
  )
  mount(app, ctx, removeOutputs, async ({ body, ip }, actor) =>
    outputRemoveService.removeSeveral(ctx, actor, body.outputNames, ip),
  )
  mount(app, ctx, setOutputsStatus, async ({ body, ip }, actor) =>
    outputStatusService.setStatus(ctx, actor, body, ip),
  )
  mount(app, ctx, changeOutputDestination, async ({ body, ip }, actor) =>
    outputDestinationService.changeDestination(ctx, actor, body, ip),
  )
}
