/**
 * Which hop feeds which, of the whole site: for the list of all paths, which must know where each
 * begins. Read when somebody looks at that list, and again after a change.
 */
import { neighbours } from '@trunkline/contract/paths/first-bad-hop.rules'
import type { PathKind } from '@trunkline/contract/paths/path.calls'
import type { Context } from '../context.ts'
import { keyOf } from '../fleet/object-key.ts'
import { giveWay } from '../in-slices.ts'
import { countChanges } from '../record-changes.ts'
import { edgesBefore } from './path-graph.service.ts'
import type { PathEdges } from './path-roots.rules.ts'
import * as pathTitleStore from './path-title.store.ts'
import type { PathKey, PathSource } from './path-source.ts'

export interface PathMap extends PathEdges {
  /** What a path can begin with, by kind and title: encoders, inputs and channels. */
  candidates: readonly PathKey[]
  /** By `keyOf`, each hop. */
  objects: ReadonlyMap<string, PathKey>
  /** By `keyOf`, in small letters. */
  titles: ReadonlyMap<string, string>
}

/** What media servers say of the sources of channels is written nowhere. */
const KEPT_MS = 30_000
/** Reading it takes at most a twentieth of a core, however often something changes. */
const REST_FACTOR = 20

export class PathMaps {
  readonly #ctx: Context
  readonly #changes: () => number
  #last: { map: PathMap; changes: number; atMs: number; tookMs: number } | null = null
  #reading: Promise<PathMap> | null = null

  constructor(ctx: Context) {
    this.#ctx = ctx
    const changes = countChanges(ctx)
    this.#changes = () => changes('records')
  }

  /** The same object until it is read again. */
  async get(): Promise<PathMap> {
    const last = this.#last
    if (last !== null) {
      const ageMs = this.#ctx.clock() - last.atMs
      const isChanged = last.changes !== this.#changes()
      if (ageMs < last.tookMs * REST_FACTOR || (ageMs < KEPT_MS && !isChanged)) return last.map
    }
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  async #read(): Promise<PathMap> {
    const { clock, programs } = this.#ctx
    const [changes, startedAtMs] = [this.#changes(), clock()]
    const map = await readPathMap(this.#ctx, [...programs.allWanted()])
    const atMs = clock()
    this.#last = { map, changes, atMs, tookMs: atMs - startedAtMs }
    return map
  }
}

/** `programs`: all that are wanted; feeders are known by these alone. */
async function readPathMap(
  source: PathSource,
  programs: readonly { kind: PathKind; id: string }[],
): Promise<PathMap> {
  const titled = await pathTitleStore.readAll(source.db)
  const feederTitles = await pathTitleStore.readOfFeeders(source.db)
  const feeders = programs.filter(({ kind }) => kind === 'feeder')
  const edges = await edgesBefore(source, [...titled, ...feeders], Number.POSITIVE_INFINITY)
  await giveWay()
  const pairs = edges.map((edge) => ({ before: keyOf(edge.before), behind: keyOf(edge.behind) }))
  const before = neighbours(pairs, 'behind', 'before')
  await giveWay()
  const behind = neighbours(pairs, 'before', 'behind')
  await giveWay()
  const hops = [...titled, ...feeders, ...edges.map((edge) => edge.before)]
  return {
    objects: new Map(hops.map(({ kind, id }) => [keyOf({ kind, id }), { kind, id }])),
    candidates: titled.filter(({ kind }) => kind !== 'output'),
    titles: new Map(
      [...titled, ...feeders.map((key) => ({ ...key, title: feederTitles.get(key.id) ?? '' }))].map(
        (object) => [keyOf(object), object.title.toLowerCase()],
      ),
    ),
    before,
    behind,
  }
}

const maps = new WeakMap<Context, PathMaps>()

/** The one of this API, from the first call on. */
export function pathMapsOf(ctx: Context): PathMaps {
  const known = maps.get(ctx)
  if (known !== undefined) return known
  const made = new PathMaps(ctx)
  maps.set(ctx, made)
  return made
}
