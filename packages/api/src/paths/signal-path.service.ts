/** The signal path of an object, for those who may read the object; of other hops what they may see. */
import { readingOfStream } from '@trunkline/contract/channels/stream-view.rules'
import type { Freshness } from '@trunkline/contract/fleet/state-view.rules'
import { factsOfHop, stateOfHop, type HopEvidence } from '@trunkline/contract/paths/hop-state.rules'
import type { PathKind, readSignalPath } from '@trunkline/contract/paths/path.calls'
import { HOPS_AT_MOST, type Hop, type ShownHop } from '@trunkline/contract/paths/path.schema'
import { pushHopsOf } from '@trunkline/contract/paths/push-hop.rules'
import { isManagerLevel } from '@trunkline/contract/roles'
import type { ReplyOf } from '@trunkline/contract/route'
import type { Context } from '../context.ts'
import * as eventService from '../events/event.service.ts'
import { maySeeProgram, maySeeStream } from '../fleet/scope.rules.ts'
import { programIdOf } from '../programs/wanted-program.ts'
import { seesGroup, type Actor } from '../security/actor.ts'
import * as hopDetailsStore from './hop-details.store.ts'
import type { HopDetails, StoredKind } from './hop-details.store.ts'
import * as hopEdgeStore from './hop-edges.store.ts'
import { edgesBefore, edgesBehind } from './path-graph.service.ts'

interface HopRef {
  kind: StoredKind
  id: string
}

interface RefEdge {
  before: HopRef
  behind: HopRef
}

export async function read(
  ctx: Context,
  actor: Actor,
  { kind, id }: { kind: PathKind; id: string },
): Promise<ReplyOf<typeof readSignalPath>> {
  const self = { kind, id }
  await eventService.assertMaySee(ctx, actor, self)
  const before = await edgesBefore(ctx, [self], HOPS_AT_MOST / 2)
  const behind = await edgesBehind(ctx, [self], HOPS_AT_MOST / 2)
  const edges: RefEdge[] = [...before, ...behind, ...(await destinationEdges(ctx, self, behind))]
  const found = new Map<string, { ref: HopRef; side: Hop['side'] }>()
  found.set(keyOf(self), { ref: self, side: 'self' })
  for (const [side, some] of [
    ['before', before.map((edge) => edge.before)],
    ['behind', edges.map((edge) => edge.behind)],
  ] as const) {
    for (const ref of some) if (!found.has(keyOf(ref))) found.set(keyOf(ref), { ref, side })
  }
  const kept = [...found.values()].slice(0, HOPS_AT_MOST)
  const hops = await describe(ctx, actor, kept)
  const keys = new Map([...hops].map(([ref, hop]) => [ref, hop.key]))
  const pushes = [...hops.values()].flatMap((hop) => pushHops(ctx, hop))
  const shownPushes = pushes.slice(0, HOPS_AT_MOST - hops.size)
  const data = {
    hops: [...hops.values(), ...shownPushes],
    edges: [
      ...edges.flatMap((edge) => {
        const [from, to] = [keys.get(keyOf(edge.before)), keys.get(keyOf(edge.behind))]
        return from === undefined || to === undefined ? [] : [{ before: from, behind: to }]
      }),
      ...shownPushes.map(({ key, ownerId: id }) => {
        return { before: keyOf({ kind: 'channel', id }), behind: key }
      }),
    ],
    isCut: found.size > kept.length || pushes.length > shownPushes.length,
  }
  return { status: true, data }
}

/** A channel that may not be seen shows none. */
function pushHops(ctx: Context, hop: Hop): ShownHop[] {
  if (!hop.isShown || hop.kind !== 'channel') return []
  const evidence = evidenceOf(ctx, { ...hop, kind: 'channel' })
  return typeof evidence.reading === 'string' ? [] : pushHopsOf(hop, evidence.reading, evidence)
}

function keyOf({ kind, id }: HopRef): string {
  return `${kind} ${id}`
}

async function destinationEdges(
  ctx: Context,
  self: HopRef,
  behind: readonly RefEdge[],
): Promise<RefEdge[]> {
  const outputs = [self, ...behind.map((edge) => edge.behind)].filter(
    ({ kind }) => kind === 'output',
  )
  const found = await hopEdgeStore.outputToDestination(ctx.db, [
    ...new Set(outputs.map(({ id }) => id)),
  ])
  return found.map(({ outputId, destinationId }) => ({
    before: { kind: 'output', id: outputId },
    behind: { kind: 'destination', id: destinationId },
  }))
}

/** By `keyOf` the hop. What was removed meanwhile is not there. */
async function describe(
  ctx: Context,
  actor: Actor,
  found: readonly { ref: HopRef; side: Hop['side'] }[],
): Promise<Map<string, Hop>> {
  const byKind = Map.groupBy(found, ({ ref }) => ref.kind)
  const details = new Map<string, HopDetails>()
  for (const [kind, some] of byKind) {
    const ids = some.map(({ ref }) => ref.id)
    for (const each of await hopDetailsStore.DETAILS_OF[kind](ctx.db, ids)) {
      details.set(keyOf(each), each)
    }
  }
  const encoderIds = [...details.values()].flatMap(({ kind, id, ownerId }) =>
    kind === 'encoder' ? [id] : kind === 'feeder' ? [ownerId] : [],
  )
  const assigned = await hopDetailsStore.assigned(ctx.db, actor.id, [...new Set(encoderIds)])
  const hosts = new Map<string, string>()
  const hops = new Map<string, Hop>()
  for (const { ref, side } of found) {
    const known = details.get(keyOf(ref))
    if (known === undefined) continue
    const why = whyHidden(actor, known, assigned)
    if (why === null) hops.set(keyOf(ref), shownHop(ctx, known, side, hosts))
    else {
      const key = `hidden ${hops.size}`
      const { family } = stateOfHop(known, evidenceOf(ctx, known))
      hops.set(keyOf(ref), { isShown: false, key, side, why, family })
    }
  }
  return hops
}

/** The same rights as for lists and the live stream. Null: it is shown. */
function whyHidden(
  actor: Actor,
  { kind, id, ownerId, groupIds }: HopDetails,
  assigned: ReadonlySet<string>,
): 'group' | 'role' | null {
  const [groupId = ''] = groupIds
  if (kind === 'channel') return maySeeStream(actor, groupIds) ? null : 'group'
  const isContribution = kind === 'input' || kind === 'output' || kind === 'destination'
  if (isContribution && !isManagerLevel(actor.role)) return 'role'
  if (kind === 'destination') return seesGroup(actor, groupId) ? null : 'group'
  const editorIds = assigned.has(kind === 'feeder' ? ownerId : id) ? [actor.id] : []
  return maySeeProgram(actor, { kind, groupId, editorIds }) ? null : 'group'
}

function shownHop(
  ctx: Context,
  details: HopDetails,
  side: Hop['side'],
  hosts: Map<string, string>,
): ShownHop {
  const { groupIds: _, groups, hostKey, ...known } = details
  const evidence = evidenceOf(ctx, details)
  if (hostKey !== '' && !hosts.has(hostKey)) hosts.set(hostKey, `host ${hosts.size + 1}`)
  return {
    ...known,
    isShown: true,
    key: keyOf(details),
    side,
    groups: [...groups],
    hostKey: hosts.get(hostKey) ?? '',
    state: stateOfHop(details, evidence),
    facts: factsOfHop(details, evidence),
  }
}

function evidenceOf(
  ctx: Context,
  hop: Pick<HopDetails, 'kind' | 'id' | 'serverId' | 'streamName'>,
): HopEvidence {
  const freshness: Freshness = { nowMs: ctx.clock(), isLoaded: true, brokenSinceMs: null }
  if (hop.kind === 'destination') return { ...NO_EVIDENCE, freshness }
  if (hop.kind !== 'channel') {
    const status = ctx.board.program(programIdOf(hop.kind, hop.id))
    return { ...NO_EVIDENCE, status, freshness }
  }
  const server = ctx.board.streams.server(hop.serverId)
  const stream = ctx.board.streams.find(hop.serverId, hop.streamName)
  const reading = stream === null ? ('unread' as const) : readingOfStream(stream, server)
  return { status: null, reading, readAtMs: stream?.readAtMs ?? null, server, freshness }
}

const NO_EVIDENCE = { status: null, reading: 'unread', readAtMs: null, server: null } as const
