/** The signal path of an object, for those who may read the object; of other hops what they may see. */
import { readingOfStream } from '@trunkline/contract/channels/stream-view.rules'
import type { Freshness } from '@trunkline/contract/fleet/state-view.rules'
import { withDelivery } from '@trunkline/contract/paths/delivery.rules'
import { factsOfHop, stateOfHop, type HopEvidence } from '@trunkline/contract/paths/hop-state.rules'
import type { PathKind, readSignalPath } from '@trunkline/contract/paths/path.calls'
import {
  HOPS_AT_MOST,
  type Hop,
  type ShownHop,
  type SignalPath,
} from '@trunkline/contract/paths/path.schema'
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
import { followSide } from './path-graph.service.ts'
import type { PathKey } from './path-source.ts'

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
  self: { kind: PathKind; id: string },
): Promise<ReplyOf<typeof readSignalPath>> {
  await eventService.assertMaySee(ctx, actor, self)
  const [data = NO_PATH] = await pathsOf(ctx, actor, [self], HOPS_AT_MOST)
  return { status: true, data }
}

const NO_PATH: SignalPath = { hops: [], edges: [], isCut: false }

/**
 * The path of each of these objects, in their order, with at most so many hops; the queries are those
 * of a single path. Whether the actor may see the objects themselves is not asked.
 */
export async function pathsOf(
  ctx: Context,
  actor: Actor,
  selves: readonly PathKey[],
  hopsAtMost: number,
): Promise<SignalPath[]> {
  const most = (hopsAtMost / 2) * selves.length
  const before = await followSide(ctx, selves, 'before', most)
  const behind = await followSide(ctx, selves, 'behind', most)
  const ends = await destinationEdges(ctx, selves, behind.edges)
  const toBefore = neighbours(before.edges, 'behind')
  const toBehind = neighbours([...behind.edges, ...ends], 'before')
  const isUnfollowed = (key: string) => before.unfollowed.has(key) || behind.unfollowed.has(key)
  const drawn = selves.map((self) => {
    const beforeSelf = reached(self, toBefore, 'before')
    const behindSelf = reached(self, toBehind, 'behind')
    const found = new Map<string, { ref: HopRef; side: Hop['side'] }>()
    found.set(keyOf(self), { ref: self, side: 'self' })
    for (const [side, some] of [
      ['before', beforeSelf],
      ['behind', behindSelf],
    ] as const) {
      for (const edge of some) {
        const ref = edge[side]
        if (!found.has(keyOf(ref))) found.set(keyOf(ref), { ref, side })
      }
    }
    return {
      edges: [...beforeSelf, ...behindSelf],
      kept: [...found.values()].slice(0, hopsAtMost),
      // Paths of a list share what is read: a long one may end the others early.
      isCut: found.size > hopsAtMost || [...found.keys()].some(isUnfollowed),
    }
  })
  const known = await readDetails(
    ctx,
    actor,
    drawn.flatMap(({ kept }) => kept.map(({ ref }) => ref)),
  )
  return drawn.map(({ edges, kept, isCut }) => {
    const hops = describe(ctx, actor, kept, known)
    return pathFrom(ctx, hops, { edges, isCut, hopsAtMost })
  })
}

function neighbours(edges: readonly RefEdge[], from: keyof RefEdge): Map<string, RefEdge[]> {
  return Map.groupBy(edges, (edge) => keyOf(edge[from]))
}

/** The edges on one side of an object, nearest first. */
function reached(
  self: HopRef,
  edgesOf: ReadonlyMap<string, readonly RefEdge[]>,
  end: keyof RefEdge,
): RefEdge[] {
  const seen = new Map([[keyOf(self), self]])
  const edges: RefEdge[] = []
  for (const hop of seen.values()) {
    for (const edge of edgesOf.get(keyOf(hop)) ?? []) {
      edges.push(edge)
      if (!seen.has(keyOf(edge[end]))) seen.set(keyOf(edge[end]), edge[end])
    }
  }
  return edges
}

function pathFrom(
  ctx: Context,
  hops: ReadonlyMap<string, Hop>,
  drawn: { edges: readonly RefEdge[]; isCut: boolean; hopsAtMost: number },
): SignalPath {
  const pushes = [...hops.values()].flatMap((hop) => pushHops(ctx, hop))
  const shownPushes = pushes.slice(0, drawn.hopsAtMost - hops.size)
  const edges = [
    ...drawn.edges.flatMap((edge) => {
      const [from, to] = [hops.get(keyOf(edge.before)), hops.get(keyOf(edge.behind))]
      return from === undefined || to === undefined ? [] : [{ before: from.key, behind: to.key }]
    }),
    ...shownPushes.map(({ key, ownerId: id }) => {
      return { before: keyOf({ kind: 'channel', id }), behind: key }
    }),
  ]
  const isCut = drawn.isCut || pushes.length > shownPushes.length
  return { hops: withDelivery([...hops.values(), ...shownPushes], edges, isCut), edges, isCut }
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
  selves: readonly HopRef[],
  behind: readonly RefEdge[],
): Promise<RefEdge[]> {
  const outputs = [...selves, ...behind.map((edge) => edge.behind)].filter(
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

interface Details {
  /** By `keyOf`. */
  byKey: ReadonlyMap<string, HopDetails>
  /** Encoders that the actor is assigned to. */
  assigned: ReadonlySet<string>
}

async function readDetails(ctx: Context, actor: Actor, refs: readonly HopRef[]): Promise<Details> {
  const byKey = new Map<string, HopDetails>()
  for (const [kind, some] of Map.groupBy(refs, (ref) => ref.kind)) {
    const ids = [...new Set(some.map(({ id }) => id))]
    for (const each of await hopDetailsStore.DETAILS_OF[kind](ctx.db, ids)) {
      byKey.set(keyOf(each), each)
    }
  }
  const encoderIds = [...byKey.values()].flatMap(({ kind, id, ownerId }) =>
    kind === 'encoder' ? [id] : kind === 'feeder' ? [ownerId] : [],
  )
  const assigned = await hopDetailsStore.assigned(ctx.db, actor.id, [...new Set(encoderIds)])
  return { byKey, assigned }
}

/** By `keyOf` the hop. What was removed meanwhile is not there. */
function describe(
  ctx: Context,
  actor: Actor,
  found: readonly { ref: HopRef; side: Hop['side'] }[],
  { byKey, assigned }: Details,
): Map<string, Hop> {
  const hosts = new Map<string, string>()
  const hops = new Map<string, Hop>()
  for (const { ref, side } of found) {
    const known = byKey.get(keyOf(ref))
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
