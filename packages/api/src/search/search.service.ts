/** One search over all objects that somebody may see, for the command palette. */
import {
  FOUND_KINDS,
  type FoundKey,
  type FoundKind,
} from '@trunkline/contract/search/found-key.rules'
import {
  FOUND_OF_A_KIND,
  type Found,
  type searchObjects,
} from '@trunkline/contract/search/search.calls'
import { mayDo, type Action } from '@trunkline/contract/role-table'
import type { QueryOf, ReplyOf } from '@trunkline/contract/route'
import * as channelService from '../channels/channel.service.ts'
import type { Context } from '../context.ts'
import { encoderScope } from '../encoders/encoder-scope.ts'
import * as encoderService from '../encoders/encoder.service.ts'
import * as encoderStore from '../encoders/encoder.store.ts'
import { templateScope } from '../encoders/templates/template.policy.ts'
import * as templateService from '../encoders/templates/template.service.ts'
import * as inputService from '../links/inputs/input.service.ts'
import * as outputService from '../links/outputs/output.service.ts'
import * as outputStore from '../links/outputs/output.store.ts'
import { groupScope, type Actor } from '../security/actor.ts'
import { userScope } from '../users/user-scope.ts'
import { fullNameOf } from '../users/user.service.ts'
import { readAsked } from './asked.rules.ts'
import * as searchStore from './search.store.ts'

/** Who may look for what; the scope is the query's. */
const RIGHTS: Readonly<Record<FoundKind, Action>> = {
  encoder: 'seeEncoders',
  feeder: 'readFeeder',
  input: 'seeInputs',
  output: 'editOutputs',
  channel: 'seeChannels',
  destination: 'editDestinations',
  // Servers and groups have pages for these roles alone, and are of every group.
  server: 'openPlaces',
  template: 'seeTemplates',
  group: 'openPlaces',
  user: 'openAccess',
}

type Ids = Readonly<Record<FoundKind, readonly string[]>>

export async function search(
  ctx: Context,
  actor: Actor,
  { q, keys }: QueryOf<typeof searchObjects>,
): Promise<ReplyOf<typeof searchObjects>> {
  const asked = readAsked(keys.length > 0 ? '' : q)
  const scope = {
    groups: groupScope(actor),
    templates: templateScope(actor),
    encoders: encoderScope(actor),
    users: userScope(actor),
  }
  const mostOfAKind = keys.length > 0 ? keys.length : FOUND_OF_A_KIND
  let more = 0
  const idsOf = async (kind: FoundKind) => {
    if (!mayDo(actor.role, RIGHTS[kind])) return []
    const wanted = { ...asked, ids: idsAmong(keys, kind) }
    const found = await searchStore.find(ctx.db, kind, wanted, scope)
    more += Math.max(0, found.length - mostOfAKind)
    return found.slice(0, mostOfAKind).map(({ id }) => id)
  }
  const found = await Promise.all(
    FOUND_KINDS.map(async (kind) => [kind, await idsOf(kind)] as const),
  )
  const data = await readFound(ctx, actor, Object.fromEntries(found) as unknown as Ids)
  return { status: true, data, more }
}

function idsAmong(keys: readonly FoundKey[], kind: FoundKind): string[] {
  return keys.filter((key) => key.kind === kind).map(({ id }) => id)
}

/** What was found as this actor may see it, in the order of the ids. */
async function readFound(ctx: Context, actor: Actor, ids: Ids): Promise<Found> {
  const { destinations, servers, groups, users } = await searchStore.placesOf(ctx.db, ids)
  const named = users.map(({ id, email, ...name }) => ({ id, title: fullNameOf(name), email }))
  const inputs = await inputService.listByIds(ctx, ids.input)
  return {
    ...(await readEncoders(ctx, actor, ids)),
    inputs: ids.input.flatMap((id) => {
      const input = inputs.get(id)
      return input === undefined ? [] : [inputService.wireInput(input)]
    }),
    outputs: await readOutputs(ctx, actor, ids.output),
    channels: inOrder(ids.channel, await channelService.listByIds(ctx, actor, ids.channel)),
    destinations: inOrder(ids.destination, destinations),
    servers: inOrder(ids.server, servers),
    templates: inOrder(ids.template, await templateService.listByIds(ctx, actor, ids.template)),
    groups: inOrder(ids.group, groups),
    users: inOrder(ids.user, named),
  }
}

async function readEncoders(
  ctx: Context,
  actor: Actor,
  ids: Ids,
): Promise<Pick<Found, 'encoders' | 'feeders'>> {
  const owners = await searchStore.encodersOfFeeders(ctx.db, ids.feeder)
  const all = [...new Set([...ids.encoder, ...owners.map(({ encoderId }) => encoderId)])]
  const records = await encoderStore.listByIds(ctx.db, all, encoderScope(actor))
  const encoders = await encoderService.withFeeders(ctx, records)
  return {
    encoders: inOrder(ids.encoder, encoders),
    feeders: ids.feeder.flatMap((id) => {
      const encoderId = owners.find((owner) => owner.id === id)?.encoderId
      const encoder = encoders.find((each) => each.id === encoderId)
      const feeder = encoder?.config?.feeder.find(({ name }) => name === id)
      return encoder === undefined || feeder === undefined ? [] : [{ encoder, feeder }]
    }),
  }
}

async function readOutputs(
  ctx: Context,
  actor: Actor,
  ids: readonly string[],
): Promise<Found['outputs']> {
  const outputs = await outputStore.listByIds(ctx.db, ids)
  const inputIds = outputs.map(({ inputId }) => inputId)
  const inputs = await inputService.listByIds(ctx, inputIds)
  const wired = outputs.flatMap((link) => {
    const input = inputs.get(link.inputId)
    return input === undefined ? [] : [outputService.wireOutput({ link, input }, actor)]
  })
  return inOrder(ids, wired)
}

/** Those that are gone meanwhile are left out. */
function inOrder<T extends { id: string }>(ids: readonly string[], found: readonly T[]): T[] {
  const known = new Map(found.map((each) => [each.id, each]))
  return ids.flatMap((id) => known.get(id) ?? [])
}
