/**
 * The hops before and behind objects, joined from what is configured. The cost follows the hops that
 * are found: each step asks a fixed number of queries for all objects together.
 */
import { keyOf, type ObjectKey } from '../fleet/object-key.ts'
import { eachInSlices, mapInSlices } from '../in-slices.ts'
import * as channelEdgeService from './channel-edges.service.ts'
import * as hopEdgeStore from './hop-edges.store.ts'
import type { HopEdge } from './hop-edges.store.ts'
import type { PathKey, PathSource } from './path-source.ts'

/**
 * All hops before each of these objects, nearest first; by `keyOf` the object. An object that nothing
 * feeds has an empty list. Whether a hop is enabled or runs is not asked.
 */
export async function upstreamOf(
  source: PathSource,
  objects: readonly ObjectKey[],
): Promise<Map<string, ObjectKey[]>> {
  const asked = objects.filter((object): object is PathKey => object.kind !== 'server')
  const edges = await edgesBefore(source, asked, Number.POSITIVE_INFINITY)
  const before = Map.groupBy(edges, ({ behind }) => keyOf(behind))
  return new Map(
    await mapInSlices(objects, (object): [string, ObjectKey[]] => [
      keyOf(object),
      nearestFirst(object, before),
    ]),
  )
}

/**
 * Everything on the signal path of these objects, by where it stands: what gets its signal from them,
 * and what they get theirs from. Without themselves.
 */
export async function aroundOf(
  source: PathSource,
  objects: readonly PathKey[],
): Promise<{ before: PathKey[]; behind: PathKey[] }> {
  const before = await edgesBefore(source, objects, Number.POSITIVE_INFINITY)
  const behind = await edgesBehind(source, objects, Number.POSITIVE_INFINITY)
  return {
    before: before.map((edge) => edge.before),
    behind: behind.map((edge) => edge.behind),
  }
}

/** By `keyOf` each of these feeders and outputs: the inputs and channels that it sends to. */
export async function receiversOf(
  source: PathSource,
  senders: readonly ObjectKey[],
): Promise<Map<string, ObjectKey[]>> {
  const asked = senders.filter((sender): sender is PathKey => sender.kind !== 'server')
  if (asked.length === 0) return new Map()
  const edges = Map.groupBy(await stepBehind(source, asked), ({ before }) => keyOf(before))
  return new Map([...edges].map(([key, some]) => [key, some.map(({ behind }) => behind)]))
}

/** The feeders and outputs that send to these inputs and channels. */
export async function sendersTo(
  source: PathSource,
  receivers: readonly ObjectKey[],
): Promise<ObjectKey[]> {
  const asked = receivers.filter((each): each is PathKey => each.kind !== 'server')
  return (await stepBefore(source, asked)).map(({ before }) => before)
}

function nearestFirst(object: ObjectKey, before: ReadonlyMap<string, HopEdge[]>): ObjectKey[] {
  const seen = new Map([[keyOf(object), object]])
  for (const hop of seen.values()) {
    for (const edge of before.get(keyOf(hop)) ?? []) {
      const key = keyOf(edge.before)
      if (!seen.has(key)) seen.set(key, edge.before)
    }
  }
  return [...seen.values()].slice(1)
}

/** What feeds these objects, and what feeds that, to the beginning; no more than about `most` hops. */
export async function edgesBefore(
  source: PathSource,
  objects: readonly PathKey[],
  most: number,
): Promise<HopEdge[]> {
  return (await followSide(source, objects, 'before', most)).edges
}

/** What these objects feed, and what that feeds, to the end; no more than about `most` hops. */
export async function edgesBehind(
  source: PathSource,
  objects: readonly PathKey[],
  most: number,
): Promise<HopEdge[]> {
  return (await followSide(source, objects, 'behind', most)).edges
}

interface FollowedSide {
  edges: HopEdge[]
  /** By `keyOf`, the hops whose own neighbours were not asked for any more. */
  unfollowed: ReadonlySet<string>
}

/** As the two above, and where it ended before the end. */
export async function followSide(
  source: PathSource,
  objects: readonly PathKey[],
  side: 'before' | 'behind',
  most: number,
): Promise<FollowedSide> {
  const step = side === 'before' ? stepBefore : stepBehind
  return follow(objects, async (some) => step(source, some), side, most)
}

/** Each object is followed once: a loop in the configuration ends. */
async function follow(
  objects: readonly PathKey[],
  step: (some: readonly PathKey[]) => Promise<readonly HopEdge[]>,
  end: 'before' | 'behind',
  most: number,
): Promise<FollowedSide> {
  const seen = new Set(objects.map(keyOf))
  const edges = new Map<string, HopEdge>()
  let next = objects
  while (next.length > 0 && seen.size <= most) {
    const found = await step(next)
    const added: PathKey[] = []
    await eachInSlices(found, (edge) => {
      edges.set(`${keyOf(edge.before)} > ${keyOf(edge.behind)}`, edge)
      const key = keyOf(edge[end])
      if (seen.has(key)) return
      seen.add(key)
      added.push(edge[end])
    })
    next = added
  }
  return { edges: [...edges.values()], unfollowed: new Set(next.map(keyOf)) }
}

async function stepBefore(source: PathSource, objects: readonly PathKey[]): Promise<HopEdge[]> {
  const { db } = source
  const ids = idsByKind(objects)
  return [
    ...(await hopEdgeStore.encoderToFeeder(db, 'id', ids('feeder'))),
    ...(await hopEdgeStore.inputToOutput(db, 'id', ids('output'))),
    ...(await hopEdgeStore.feederToInput(db, 'inputs.id', ids('input'))),
    ...(await hopEdgeStore.outputToInput(db, 'inputs.id', ids('input'))),
    ...(await hopEdgeStore.outputToCallingInput(db, 'inputs.id', ids('input'))),
    ...(await channelEdgeService.beforeChannels(source, ids('channel'))),
  ]
}

async function stepBehind(source: PathSource, objects: readonly PathKey[]): Promise<HopEdge[]> {
  const { db } = source
  const ids = idsByKind(objects)
  return [
    ...(await hopEdgeStore.encoderToFeeder(db, 'encoder_id', ids('encoder'))),
    ...(await hopEdgeStore.feederToInput(db, 'feeders.id', ids('feeder'))),
    ...(await hopEdgeStore.inputToOutput(db, 'input_id', ids('input'))),
    ...(await hopEdgeStore.outputToInput(db, 'outputs.id', ids('output'))),
    ...(await hopEdgeStore.outputToCallingInput(db, 'outputs.id', ids('output'))),
    ...(await channelEdgeService.behindSenders(source, {
      feederIds: ids('feeder'),
      outputIds: ids('output'),
    })),
  ]
}

/** None of a kind ask no query. */
function idsByKind(objects: readonly PathKey[]) {
  const byKind = Map.groupBy(objects, ({ kind }) => kind)
  return (kind: PathKey['kind']) => (byKind.get(kind) ?? []).map(({ id }) => id)
}
