/** The dashboard's list narrowed to certain states, and how many encoders are in which. */
import type { countEncoders, listAllEncoders } from '@trunkline/contract/encoders/encoder.calls'
import type { EncodersAsked } from '@trunkline/contract/encoders/encoder-list.rules'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { Show } from '@trunkline/contract/fleet/show.rules'
import { ALL_ROWS_LIMIT } from '@trunkline/contract/paging.schema'
import type { QueryOf, ReplyOf } from '@trunkline/contract/route'
import type { Context } from '../context.ts'
import { PART_ROWS, type WithParts } from '../in-slices.ts'
import type { Actor } from '../security/actor.ts'
import { encoderScope } from './encoder-scope.ts'
import * as encoderService from './encoder.service.ts'
import * as encoderStore from './encoder.store.ts'

export async function list(
  ctx: Context,
  actor: Actor,
  asked: EncodersAsked,
): Promise<WithParts<ReplyOf<typeof listAllEncoders>>> {
  const { show } = asked
  if (show === 'all') return encoderService.list(ctx, actor, asked)
  const { ids, total } = await shownIds(ctx, actor, asked, show)
  return { status: true, result: rowsOf(ctx, actor, ids), total }
}

export async function count(
  ctx: Context,
  actor: Actor,
  { search, group }: QueryOf<typeof countEncoders>,
): Promise<ReplyOf<typeof countEncoders>> {
  if (search.trim() === '') {
    const { families, total, worst } = ctx.counts.of(actor, 'encoder', group)
    return { status: true, data: { families, total, worst } }
  }
  const ids = await matchingIds(ctx, actor, { search, group, ids: null })
  return { status: true, data: ctx.counts.ofIds('encoder', ids) }
}

async function shownIds(
  ctx: Context,
  actor: Actor,
  asked: EncodersAsked,
  show: Exclude<Show, 'all'>,
): Promise<{ ids: string[]; total: number }> {
  const count = asked.rows === 0 ? ALL_ROWS_LIMIT : asked.rows
  const offset = asked.page * count
  if (asked.search.trim() === '' && asked.ids === null) {
    return ctx.counts.page(actor, 'encoder', { show, group: asked.group, offset, count })
  }
  const matching = await matchingIds(ctx, actor, asked)
  const picked = ctx.counts.pick('encoder', matching, show)
  return { ids: picked.slice(offset, offset + count), total: picked.length }
}

/** What is searched for stands in the rows, so a search costs what it finds. */
async function matchingIds(
  ctx: Context,
  actor: Actor,
  { search, group: groupId, ids }: Pick<EncodersAsked, 'search' | 'group' | 'ids'>,
): Promise<string[]> {
  return encoderStore.listIds(ctx.db, { scope: encoderScope(actor), groupId, search, ids })
}

/** Cut to the actor's scope once more: the database knows best who may see what. */
async function* rowsOf(
  ctx: Context,
  actor: Actor,
  ids: readonly string[],
): AsyncGenerator<Encoder[]> {
  const scope = encoderScope(actor)
  for (let from = 0; from < ids.length; from += PART_ROWS) {
    const some = ids.slice(from, from + PART_ROWS)
    yield encoderService.withFeeders(ctx, await encoderStore.listByIds(ctx.db, some, scope))
  }
}
