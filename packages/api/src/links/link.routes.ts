/** The calls of inputs, of outputs, and those that serve both. */
import { carryEncoder } from '@trunkline/contract/contributions/carry.calls'
import {
  contributionAction,
  updateTitle,
} from '@trunkline/contract/contributions/contribution.calls'
import {
  addInput,
  askNextMulticast,
  cloneInput,
  listInputs,
  matchInputs,
  nextMulticast,
  readInput,
  readInputStatus,
  removeInput,
  removeInputs,
  setInputsStatus,
  updateInput,
} from '@trunkline/contract/contributions/input.calls'
import {
  addOutput,
  changeOutputDestination,
  cloneOutput,
  listOutputs,
  matchOutputs,
  readOutput,
  readOutputStatus,
  removeOutput,
  removeOutputs,
  setOutputsStatus,
  updateOutput,
} from '@trunkline/contract/contributions/output.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mountAdd } from '../http/mount-add.ts'
import { mount } from '../http/mount.ts'
import type { Actor } from '../security/actor.ts'
import * as actionService from './action.service.ts'
import * as carryService from './carry/carry.service.ts'
import * as feederInputService from './inputs/feeder-input.service.ts'
import { INPUT } from './inputs/input-kind.service.ts'
import * as inputService from './inputs/input.service.ts'
import * as linkCloneService from './link-clone.service.ts'
import * as linkEnableService from './link-enable.service.ts'
import * as linkMatchService from './matching/link-match.service.ts'
import * as linkRemoveService from './link-remove.service.ts'
import * as linkRenameService from './link-rename.service.ts'
import * as linkUpdateService from './link-update.service.ts'
import * as linkService from './link.service.ts'
import * as outputDestinationService from './outputs/output-destination.service.ts'
import { OUTPUT } from './outputs/output-kind.service.ts'
import * as outputService from './outputs/output.service.ts'

export function linkRoutes(app: FastifyInstance, ctx: Context): void {
  inputRoutes(app, ctx)
  outputRoutes(app, ctx)
  mount(app, ctx, contributionAction, async ({ body }, actor) =>
    actionService.act(ctx, actor, body),
  )
  mount(app, ctx, carryEncoder, async ({ params, body }, actor) =>
    carryService.carry(ctx, actor, params.id, body),
  )
  mount(app, ctx, updateTitle, async ({ body }, actor) =>
    linkRenameService.rename(ctx, actor, body),
  )
}

function inputRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listInputs, async ({ query }, actor) => inputService.list(ctx, actor, query))
  mount(app, ctx, matchInputs, async ({ query }, actor) =>
    linkMatchService.matchingInputs(ctx, actor, query),
  )
  const added = async (_: Context, actor: Actor, id: string) =>
    linkService.added(ctx, actor, INPUT, id)
  mountAdd(
    app,
    ctx,
    addInput,
    async ({ body }, actor, id) => feederInputService.add(ctx, actor, body, id),
    added,
  )
  mountAdd(
    app,
    ctx,
    cloneInput,
    async ({ params, body }, actor, id) =>
      linkCloneService.cloneInput(ctx, actor, { originalId: params.id, copy: body, id }),
    added,
  )
  mount(app, ctx, readInputStatus, async ({ params }, actor) =>
    inputService.readStatus(ctx, actor, params.id),
  )
  mount(app, ctx, readInput, async ({ params }, actor) => {
    const data = await linkService.read(ctx, actor, INPUT, params.id)
    return { status: true as const, data, contribution: data }
  })
  mount(app, ctx, updateInput, async ({ params, body }, actor) =>
    linkUpdateService.update(ctx, actor, INPUT, params.id, body),
  )
  mount(app, ctx, removeInput, async ({ params }, actor) =>
    linkRemoveService.remove(ctx, actor, INPUT, params.id),
  )
  mount(app, ctx, setInputsStatus, async ({ body }, actor) =>
    linkEnableService.setStatus(ctx, actor, INPUT, body),
  )
  mount(app, ctx, removeInputs, async ({ body }, actor) =>
    linkRemoveService.removeInputsNamed(ctx, actor, body.contriNames),
  )
  mount(app, ctx, nextMulticast, async ({ query }, actor) =>
    inputService.nextMulticast(ctx, actor, query.serverId),
  )
  mount(app, ctx, askNextMulticast, async ({ body }, actor) =>
    inputService.nextMulticast(ctx, actor, body.serverId),
  )
}

function outputRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, listOutputs, async ({ query }, actor) => outputService.list(ctx, actor, query))
  mount(app, ctx, matchOutputs, async ({ query }, actor) =>
    linkMatchService.matchingOutputs(ctx, actor, query),
  )
  const added = async (_: Context, actor: Actor, id: string) =>
    linkService.added(ctx, actor, OUTPUT, id)
  mountAdd(
    app,
    ctx,
    addOutput,
    async ({ body }, actor, id) => linkService.add(ctx, actor, OUTPUT, body, { id, deed: 'add' }),
    added,
  )
  mountAdd(
    app,
    ctx,
    cloneOutput,
    async ({ params, body }, actor, id) =>
      linkCloneService.cloneOutput(ctx, actor, { originalId: params.id, copy: body, id }),
    added,
  )
  mount(app, ctx, readOutputStatus, async ({ params }, actor) =>
    outputService.readStatus(ctx, actor, params.contributionId, params.name),
  )
  mount(app, ctx, readOutput, async ({ params }, actor) => {
    const output = await linkService.read(ctx, actor, OUTPUT, params.id)
    return { status: true as const, data: output, output }
  })
  mount(app, ctx, updateOutput, async ({ params, body }, actor) =>
    linkUpdateService.update(ctx, actor, OUTPUT, params.id, body),
  )
  mount(app, ctx, removeOutput, async ({ params }, actor) =>
    linkRemoveService.remove(ctx, actor, OUTPUT, params.id),
  )
  mount(app, ctx, removeOutputs, async ({ body }, actor) =>
    linkRemoveService.removeOutputsNamed(ctx, actor, body.outputNames),
  )
  mount(app, ctx, setOutputsStatus, async ({ body }, actor) =>
    linkEnableService.setStatus(ctx, actor, OUTPUT, body),
  )
  mount(app, ctx, changeOutputDestination, async ({ body }, actor) =>
    outputDestinationService.changeDestination(ctx, actor, body),
  )
}
