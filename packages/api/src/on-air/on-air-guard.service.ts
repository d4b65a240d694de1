/**
 * Refuses what would interrupt something on air, until whoever asks for it has named what loses the stream.
 * Every call passes here; while nothing is on air it costs a look at a number.
 */
import {
  isTitle,
  ON_AIR_OVERRIDE_HEADER,
  ON_AIR_TITLES_HEADER,
  titlesInHeader,
} from '@trunkline/contract/on-air/on-air.rules'
import {
  ON_AIR_LISTED,
  type OnAirEffect,
  type OnAirRefusal,
} from '@trunkline/contract/on-air/on-air.schema'
import type { askOnAir } from '@trunkline/contract/on-air/on-air.calls'
import { mayDo } from '@trunkline/contract/role-table'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import type { Context } from '../context.ts'
import { AppError, invalid } from '../errors.ts'
import { keyOf } from '../fleet/object-key.ts'
import { maySeeObject } from '../fleet/object-scope.ts'
import type { GuardedCall } from '../http/call-guard.ts'
import type { HopDetails } from '../paths/hop-details.store.ts'
import { aroundOf } from '../paths/path-graph.service.ts'
import type { PathKey } from '../paths/path-source.ts'
import type { Actor } from '../security/actor.ts'
import { INTERRUPTIONS } from './interruption.service.ts'
import { detailsOf, recordedObject } from './on-air.service.ts'
import { effectsOf, titlesText } from './on-air.rules.ts'

/** Throws AppError 'on_air', 409, with what loses the stream. */
export async function assertMayInterrupt(ctx: Context, guarded: GuardedCall): Promise<void> {
  const found = INTERRUPTIONS.get(guarded.call.name)
  if (found === undefined) return
  const affected = await affectedBy(ctx, async () => found.find(ctx, guarded.actor, guarded.input))
  if (affected.length > 0) await assertConfirmed(ctx, guarded, affected)
}

/** What those calls would be refused with while they confirm nothing; null: they would not be. */
export async function ask(
  ctx: Context,
  actor: Actor,
  { others, ...first }: BodyOf<typeof askOnAir>,
): Promise<ReplyOf<typeof askOnAir>> {
  const affected = await affectedBy(ctx, async () => {
    const touched = new Map<string, PathKey>()
    for (const intended of [first, ...others]) {
      // One after the other: the answer for a thousand is no reason to keep others waiting.
      // oxlint-disable-next-line no-await-in-loop
      const some = await touchedBy(async () => touchedIf(ctx, actor, intended))
      for (const each of some) touched.set(keyOf(each), each)
    }
    return [...touched.values()]
  })
  const { seen, hidden } = await seenBy(ctx, actor, affected)
  return { status: true, data: seen.length + hidden === 0 ? null : refusalOf(actor, seen, hidden) }
}

type Intended = Omit<BodyOf<typeof askOnAir>, 'others'>

/** Nothing where the call would be refused, in its own words. */
async function touchedIf(ctx: Context, actor: Actor, intended: Intended): Promise<PathKey[]> {
  const found = INTERRUPTIONS.get(intended.call)
  if (found === undefined) return []
  const { call, find } = found
  if (call.action !== 'anyone' && !mayDo(actor.role, call.action)) return []
  const params = call.params.safeParse(intended.params ?? {})
  const body = call.body.safeParse(intended.body)
  if (!params.success || !body.success) return []
  return find(ctx, actor, { params: params.data, body: body.data })
}

async function affectedBy(ctx: Context, find: () => Promise<PathKey[]>): Promise<Affected[]> {
  // What another process has put on air is not heard without the database's connection for notices.
  if (!ctx.notices.hearsOthers()) await ctx.onAir.reload()
  const onAir = ctx.onAir.onAir()
  if (onAir.size === 0) return []
  const touched = await touchedBy(find)
  if (touched.length === 0) return []
  const around = await aroundOf(ctx, touched)
  return effectsOf(touched, around, (object) => onAir.has(keyOf(object)))
}

/** Who may not see or change it is refused by the call itself, in its own words. */
async function touchedBy(find: () => Promise<PathKey[]>): Promise<PathKey[]> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof AppError) return []
    throw error
  }
}

interface Affected extends PathKey {
  effect: OnAirEffect['effect']
}

async function assertConfirmed(
  ctx: Context,
  guarded: GuardedCall,
  affected: readonly Affected[],
): Promise<void> {
  const { actor, headers } = guarded
  const { seen, hidden, details } = await seenBy(ctx, actor, affected)
  if (seen.length + hidden === 0) return
  if (isOverridden(actor, headers[ON_AIR_OVERRIDE_HEADER])) {
    await record(ctx, guarded, { details, how: 'without its title' })
    return
  }
  const refusal = refusalOf(actor, seen, hidden)
  const titles = titlesOf(headers[ON_AIR_TITLES_HEADER])
  const isNamed = ({ title }: OnAirEffect) => titles.some((typed) => isTitle(typed, title))
  if (hidden > 0 || !refusal.effects.every(isNamed)) {
    throw new AppError('on_air', sentenceOf(refusal), { onAir: refusal })
  }
  await record(ctx, guarded, { details, how: 'after typing its title' })
}

async function seenBy(ctx: Context, actor: Actor, affected: readonly Affected[]) {
  const details = await detailsOf(ctx.db, affected)
  const seen: OnAirEffect[] = []
  let hidden = 0
  for (const each of affected) {
    const known = details.get(keyOf(each))
    // It was removed meanwhile.
    if (known === undefined) continue
    if (maySeeObject(ctx, actor, each)) seen.push({ ...each, title: known.title })
    else hidden += 1
  }
  return { seen, hidden, details }
}

function refusalOf(actor: Actor, seen: readonly OnAirEffect[], hidden: number): OnAirRefusal {
  const effects = seen.slice(0, ON_AIR_LISTED)
  const mayOverride = mayDo(actor.role, 'overrideOnAir')
  return { effects, more: seen.length - effects.length, hidden, mayOverride }
}

function isOverridden(actor: Actor, header: string | readonly string[] | undefined): boolean {
  return header === 'yes' && mayDo(actor.role, 'overrideOnAir')
}

function titlesOf(header: string | string[] | undefined): string[] {
  const titles = titlesInHeader([header ?? ''].flat().join(','))
  if (titles !== null) return titles
  throw invalid(ON_AIR_TITLES_HEADER, 'must be titles in percent-encoding, with commas between.')
}

function sentenceOf(refusal: OnAirRefusal): string {
  const { effects, more, hidden } = refusal
  if (hidden > 0) {
    return 'This interrupts something in another group that is on air. Ask an admin. Nothing was changed.'
  }
  const are = effects.length + more === 1 ? 'which is' : 'which are'
  return `This interrupts ${titlesText(refusal)}, ${are} on air. Nothing was changed. To go on, send the call again with the listed titles in the header ${ON_AIR_TITLES_HEADER}, in percent-encoding, with commas between.`
}

/** On the timeline of each object that is on air: who went on, with which call, and how. */
async function record(
  ctx: Context,
  { call, actor }: GuardedCall,
  { details, how }: { details: ReadonlyMap<string, HopDetails>; how: string },
): Promise<void> {
  for (const each of details.values()) {
    await auditService.record(ctx, {
      actor,
      call: 'onAir.interrupt',
      object: recordedObject(each),
      reason: `${call.name} while on air, ${how}`,
    })
  }
}
