import {
  addEncoder,
  cloneEncoder,
  controlEncoder,
  countEncoders,
  enableEncoder,
  findEncoder,
  listAllEncoders,
  listEncoders,
  readEncoderHost,
  readEncoderStatus,
  readThumbnail,
  removeEncoder,
  removeEncoderConfig,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import {
  askNextFeederPort,
  countFeedersTo,
  nextFeederPort,
  readFeederStatus,
  removeFeeder,
  saveFeeder,
} from '@trunkline/contract/encoders/feeder.calls'
import { askTaken } from '@trunkline/contract/encoders/host-taken.calls'
import { encodersAsked } from '@trunkline/contract/encoders/encoder-list.rules'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mountAdd } from '../http/mount-add.ts'
import { mount } from '../http/mount.ts'
import * as encoderCloneService from './clone/encoder-clone.service.ts'
import * as encoderCommandService from './encoder-command.service.ts'
import * as encoderEnableService from './encoder-enable.service.ts'
import * as encoderHostService from './host/encoder-host.service.ts'
import * as hostTakenService from './host/host-taken.service.ts'
import * as encoderRemoveService from './encoder-remove.service.ts'
import * as encoderShownService from './encoder-shown.service.ts'
import * as encoderUpdateService from './update/encoder-update.service.ts'
import * as encoderService from './encoder.service.ts'
import * as feederPortService from './feeders/feeder-port.service.ts'
import * as feederRemoveService from './feeders/feeder-remove.service.ts'
import * as feederService from './feeders/feeder.service.ts'
import { Thumbnails } from './thumbnails/thumbnail.service.ts'

export function encoderRoutes(app: FastifyInstance, ctx: Context): void {
  const thumbnails = new Thumbnails(ctx)
  mount(app, ctx, listEncoders, async ({ query }, actor) =>
    encoderService.listForManager(ctx, actor, query),
  )
  mount(app, ctx, listAllEncoders, async ({ query, body }, actor) =>
    encoderShownService.list(ctx, actor, encodersAsked(query, body)),
  )
  mount(app, ctx, countEncoders, async ({ query }, actor) =>
    encoderShownService.count(ctx, actor, query),
  )
  mount(app, ctx, findEncoder, async ({ params }, actor) =>
    encoderService.find(ctx, actor, params.id),
  )
  mountAdd(
    app,
    ctx,
    addEncoder,
    async ({ body }, actor, id) => encoderService.add(ctx, actor, body, id),
    encoderService.added,
  )
  mountAdd(
    app,
    ctx,
    cloneEncoder,
    async ({ params, body }, actor, id) =>
      encoderCloneService.clone(ctx, actor, { originalId: params.id, draft: body, id }),
    encoderCloneService.cloned,
  )
  mount(app, ctx, updateEncoder, async ({ body }, actor) =>
    encoderUpdateService.update(ctx, actor, body),
  )
  mount(app, ctx, removeEncoder, async ({ params }, actor) =>
    encoderRemoveService.remove(ctx, actor, params.id),
  )
  mount(app, ctx, removeEncoderConfig, async ({ params }, actor) =>
    encoderRemoveService.removeConfig(ctx, actor, params.id),
  )
  mount(app, ctx, enableEncoder, async ({ params, body }, actor) =>
    encoderEnableService.enable(ctx, actor, params.id, body),
  )
  mount(app, ctx, readEncoderStatus, async ({ params }, actor) =>
    encoderCommandService.readStatus(ctx, actor, params.id),
  )
  mount(app, ctx, controlEncoder, async ({ params, body }, actor) =>
    encoderCommandService.control(ctx, actor, params.id, body),
  )
  mount(app, ctx, readEncoderHost, async ({ params }, actor) =>
    encoderHostService.read(ctx, actor, params.id),
  )
  mount(app, ctx, askTaken, async ({ body }, actor) => hostTakenService.ask(ctx, actor, body))
  mount(app, ctx, readThumbnail, async ({ params, query }, actor) =>
    thumbnails.read(actor, params.id, query.after),
  )
  mount(app, ctx, saveFeeder, async ({ body }, actor) => feederService.save(ctx, actor, body))
  mount(app, ctx, removeFeeder, async ({ params }, actor) =>
    feederRemoveService.remove(ctx, actor, params),
  )
  mount(app, ctx, readFeederStatus, async ({ params }, actor) =>
    feederService.readStatus(ctx, actor, params.encoderId, params.feederName),
  )
  mount(app, ctx, countFeedersTo, async ({ query }, actor) =>
    feederPortService.countTo(ctx, actor, query),
  )
  mount(app, ctx, nextFeederPort, async ({ query }, actor) =>
    feederPortService.nextPort(ctx, actor, query),
  )
  mount(app, ctx, askNextFeederPort, async ({ body }, actor) =>
    feederPortService.nextPort(ctx, actor, body),
  )
}
