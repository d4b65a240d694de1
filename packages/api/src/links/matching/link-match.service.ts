/** What an action of all that match is about: ids and names by state, without reading the rows of a large site. */
import type { matchInputs } from '@trunkline/contract/contributions/input.calls'
import type { MatchedState, MatchingLinks } from '@trunkline/contract/contributions/link.schema'
import type { matchOutputs } from '@trunkline/contract/contributions/output.calls'
import type { QueryOf, ReplyOf } from '@trunkline/contract/route'
import type { Context } from '../../context.ts'
import { mapInSlices } from '../../in-slices.ts'
import { programIdOf } from '../../programs/wanted-program.ts'
import { groupScope, type Actor } from '../../security/actor.ts'
import * as inputStore from '../inputs/input.store.ts'
import type { LinkMatch } from './link-match.store.ts'
import type { LinkName } from '../link.store.ts'
import * as outputStore from '../outputs/output.store.ts'

export async function matchingInputs(
  ctx: Context,
  actor: Actor,
  query: QueryOf<typeof matchInputs>,
): Promise<ReplyOf<typeof matchInputs>> {
  const { matches, total } = await inputStore.listMatches(ctx.db, {
    scope: groupScope(actor),
    serverId: query.serverId,
    groupId: query.groupId,
    port: query.port ?? null,
    search: query.searchValue,
  })
  return { status: true, data: await byState(ctx, 'input', matches, total) }
}

export async function matchingOutputs(
  ctx: Context,
  actor: Actor,
  query: QueryOf<typeof matchOutputs>,
): Promise<ReplyOf<typeof matchOutputs>> {
  const { matches, total } = await outputStore.listMatches(ctx.db, {
    scope: groupScope(actor),
    inputId: query.contributionId,
    destinationId: query.destinationId,
    linkableTo: '',
    search: query.searchValue,
  })
  return { status: true, data: await byState(ctx, 'output', matches, total) }
}

async function byState(
  ctx: Context,
  kind: LinkName,
  matches: readonly LinkMatch[],
  total: number,
): Promise<MatchingLinks> {
  const states = await mapInSlices(matches, (match) => stateOf(ctx, kind, match))
  const grouped = Map.groupBy(matches.entries(), ([at]) => states[at])
  return {
    total,
    states: [...grouped].flatMap(([state, entries]) => {
      if (state === undefined) return []
      const those = entries.map(([, match]) => match)
      const outputs = kind === 'input' ? those.map((match) => match.outputs) : []
      const names = those.map(({ name }) => name)
      return [{ state, ids: those.map(({ id }) => id), names, outputs }]
    }),
  }
}

function stateOf(
  ctx: Context,
  kind: LinkName,
  { id, isEnabled, isLocal }: LinkMatch,
): MatchedState {
  if (!isEnabled) return 'disabled'
  if (isLocal) return 'local'
  const wanted = ctx.programs.wanted(programIdOf(kind, id))
  return wanted === undefined ? 'unknown' : ctx.board.look(wanted).state
}
