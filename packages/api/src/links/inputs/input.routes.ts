import {
  addInput,
  askNextMulticast,
  cloneInput,
  listInputs,
  nextMulticast,
  readInput,
  readInputStatus,
  removeInput,
  removeInputs,
  setInputsStatus,
  updateInput,
} from '@trunkline/contract/contributions/input.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { mount } from '../../http/mount.ts'
import * as feederInputService from './feeder-input.service.ts'
import * as inputRemoveService from '../input-remove.service.ts'
import * as inputStatusService from '../input-status.service.ts'
import * as inputUpdateService from '../input-update.service.ts'
import * as inputService from './input.service.ts'
import * as linkCloneService from '../link-clone.service.ts'

export function inputRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listInputs, async ({ query }, actor) => inputService.list(ctx, actor, query))
  mount(app, ctx, addInput, async ({ body, ip }, actor) =>
    feederInputService.add(ctx, actor, body, ip),
  )
  mount(app, ctx, cloneInput, async ({ params, body, ip }, actor) =>
    linkCloneService.cloneInput(ctx, actor, params.id, body, ip),
  )
  mount(app, ctx, readInputStatus, async ({ params }, actor) =>
    inputService.readStatus(ctx, actor, params.id),
  )
  mount(app, ctx, readInput, async ({ params }, actor) => inputService.read(ctx, actor, params.id))
  mount(app, ctx, updateInput, async ({ params, body, ip }, actor) =>
    inputUpdateService.update(ctx, actor, params.id, body, ip),
  )
  mount(app, ctx, removeInput, async ({ params, ip }, actor) =>
    inputRemoveService.remove(ctx, actor, params.id, ip),
  )
  mount(app, ctx, setInputsStatus, async ({ body, ip }, actor) =>
    inputStatusService.setStatus(ctx, actor, body, ip),
  )
  mount(app, ctx, removeInputs, async ({ body, ip }, actor) =>
    inputRemoveService.removeSeveral(ctx, actor, body.contriNames, ip),
  )
  mount(app, ctx, nextMulticast, async ({ query }, actor) =>
    inputService.nextMulticast(ctx, actor, query.serverId),
  )
  mount(app, ctx, askNextMulticast, async ({ body }, actor) =>
    inputService.nextMulticast(ctx, actor, body.serverId),
  )
}
