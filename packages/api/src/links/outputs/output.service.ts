/** Outputs: listed, read and watched. How they are saved is in output-kind.service.ts. */
import type { Input } from '@trunkline/contract/contributions/input.schema'
import type { listOutputs, readOutputStatus } from '@trunkline/contract/contributions/output.calls'
import type { Output } from '@trunkline/contract/contributions/output.schema'
import type { QueryOf, ReplyOf } from '@trunkline/contract/route'
import type { Context, Db } from '../../context.ts'
import { conflict, notFound } from '../../errors.ts'
import { groupScope, seesGroup, type Actor } from '../../security/actor.ts'
import * as serverService from '../../servers/server.service.ts'
import * as inputService from '../inputs/input.service.ts'
import type { InputRecord } from '../inputs/input.store.ts'
import type { LoadedLink } from '../link-kind.service.ts'
import { linkStatus } from '../link-status.service.ts'
import * as outputStore from './output.store.ts'
import type { OutputRecord } from './output.store.ts'

export async function list(
  ctx: Context,
  actor: Actor,
  query: QueryOf<typeof listOutputs>,
): Promise<ReplyOf<typeof listOutputs>> {
  const { outputs, total } = await outputStore.list(ctx.db, {
    scope: groupScope(actor),
    inputId: query.contributionId,
    destinationId: query.destinationId,
    linkableTo: query.linkableTo,
    search: query.searchValue,
    page: query.page,
    rows: query.rowsPerPage,
    sort: query.sort,
  })
  const inputs = await inputService.listByIds(
    ctx,
    outputs.map((output) => output.inputId),
  )
  const wired = outputs.flatMap((output) => {
    const input = inputs.get(output.inputId)
    return input === undefined ? [] : [wireOutput({ link: output, input }, actor)]
  })
  return { status: true, outputs: wired, total }
}

/** From here to the end of the transaction the input is on the server that it was looked at on. */
export async function holdPlace(trx: Db, { id, title, server }: InputRecord): Promise<void> {
  await serverService.hold(trx, { id: server._id, hostKey: server.hostKey })
  if ((await outputStore.holdInput(trx, id)) === server._id) return
  throw conflict(`Another operator has just moved or removed ${title}. Check it, then try again.`, {
    field: 'contributionId',
  })
}

export async function readStatus(
  ctx: Context,
  actor: Actor,
  contributionId: string,
  name: string,
): Promise<ReplyOf<typeof readOutputStatus>> {
  await inputService.load(ctx.db, actor, contributionId)
  const output = await outputStore.findOfInput(ctx.db, contributionId, name)
  if (output === null) throw notFound('output')
  return linkStatus(ctx, 'output', output)
}

/** As this actor may see it: a destination of a group that is not theirs is an id, no more. */
export function wireOutput(
  { link: output, input }: LoadedLink<OutputRecord>,
  actor: Actor,
): Output {
  const {
    outputType,
    inputId,
    destination,
    config,
    encryption,
    passphraseSealed,
    wantedRunning: _,
    createdAt: __,
    ...plain
  } = output
  const isSeen = destination !== null && seesGroup(actor, destination.groupId)
  const { multicast, port } = inputService.wireInput(input).config
  return {
    ...plain,
    _id: output.id,
    inputType: outputType,
    contributionId: inputId,
    destinationInfo: isSeen ? destination : null,
    contributionInfo: {
      _id: input.id,
      title: input.title,
      serverId: input.server._id,
      config: { multicast: multicast as string, port: port as Input['config']['port'] },
    },
    config: outputType === 'SRT' ? { ...config, port: String(config.port) } : config,
    encryption: { ...encryption, passphrase: '', passphraseSet: passphraseSealed !== null },
  }
}
