/** All signal paths of a group, or of all that somebody may see, worst first. */
import { rowsOfPage } from '@trunkline/contract/search/sorted-rows.rules'
import type { listSignalPaths } from '@trunkline/contract/paths/path.calls'
import { readingOfStream, viewOfStream } from '@trunkline/contract/channels/stream-view.rules'
import { LISTED_HOPS_AT_MOST } from '@trunkline/contract/paths/path.schema'
import { FAMILIES, needsAttention, type Family } from '@trunkline/contract/fleet/state-view.rules'
import type { QueryOf, ReplyOf } from '@trunkline/contract/route'
import type { Context } from '../context.ts'
import { visibleTo } from '../fleet/counts/reader.rules.ts'
import { keyOf } from '../fleet/object-key.ts'
import { placeOf } from '../fleet/object-place.ts'
import { maySeeObject } from '../fleet/object-scope.ts'
import { mapInSlices } from '../in-slices.ts'
import type { Actor } from '../security/actor.ts'
import { pathMapsOf, type PathMap } from './path-map.ts'
import { allFrom, rootsOf, worstOf } from './path-roots.rules.ts'
import type { PathKey } from './path-source.ts'
import { pathsOf } from './signal-path.service.ts'

export async function list(
  ctx: Context,
  actor: Actor,
  { groupId, show, searchText, page, rowsPerPage }: QueryOf<typeof listSignalPaths>,
): Promise<ReplyOf<typeof listSignalPaths>> {
  const map = await pathMapsOf(ctx).get()
  const search = searchText.trim().toLowerCase()
  const judged = await worstFirst(ctx, actor, map, groupId)
  const found = search === '' ? judged : judged.filter(({ titles }) => titles.includes(search))
  const calmAt = found.findIndex(({ worst }) => !needsAttention(worst))
  const attention = calmAt === -1 ? found.length : calmAt
  const shown = show === 'attention' ? found.slice(0, attention) : found
  const selves = rowsOfPage(shown, { page, rowsPerPage }).flatMap(
    ({ key }) => map.objects.get(key) ?? [],
  )
  const paths = await pathsOf(ctx, actor, selves, LISTED_HOPS_AT_MOST)
  // What was removed since the map was read has no hop of its own.
  const data = paths.filter(({ hops }) => hops.some(({ side }) => side === 'self'))
  return { status: true, data, total: shown.length, attention }
}

interface Root {
  key: string
  /** Of all hops before and behind it, and its own. */
  keys: readonly string[]
  /** Of those hops that the person sees, in small letters. */
  titles: string
}

type JudgedRoot = Root & { worst: Family }

interface Kept {
  roots: Promise<readonly Root[]>
  rootsUntilMs: number
  judged: readonly JudgedRoot[]
  judgedUntilMs: number
}

/** Of the last map, by who sees the same of which group. */
const keptOf = new WeakMap<PathMap, Map<string, Kept>>()
/** Objects may change their group, and people theirs, without a new map. */
const ROOTS_KEPT_MS = 5000
/** However many people look at the same list, it is sorted once in that time. */
const JUDGED_KEPT_MS = 1000

async function worstFirst(
  ctx: Context,
  actor: Actor,
  map: PathMap,
  groupId: string,
): Promise<readonly JudgedRoot[]> {
  const nowMs = ctx.clock()
  const byScope = keptOf.get(map) ?? new Map<string, Kept>()
  keptOf.set(map, byScope)
  const scope = `${visibleTo(actor)}\n${groupId}`
  const known = byScope.get(scope)
  const kept =
    known !== undefined && nowMs < known.rootsUntilMs
      ? known
      : {
          roots: rootsSeen(ctx, actor, map, groupId),
          rootsUntilMs: nowMs + ROOTS_KEPT_MS,
          judged: [],
          judgedUntilMs: 0,
        }
  byScope.set(scope, kept)
  const roots = await kept.roots
  if (nowMs >= kept.judgedUntilMs) {
    kept.judged = judgedOf(ctx, map, roots)
    kept.judgedUntilMs = nowMs + JUDGED_KEPT_MS
  }
  return kept.judged
}

async function rootsSeen(
  ctx: Context,
  actor: Actor,
  map: PathMap,
  groupId: string,
): Promise<readonly Root[]> {
  const seen = new Map<string, boolean>()
  const maySee = (key: string) => {
    const known = seen.get(key)
    if (known !== undefined) return known
    const object = map.objects.get(key)
    const isSeen = object !== undefined && maySeeObject(ctx, actor, object)
    seen.set(key, isSeen)
    return isSeen
  }
  const isOfGroup = (key: string) => {
    const object = map.objects.get(key)
    return object !== undefined && placeOf(ctx, object)?.groupIds.includes(groupId) === true
  }
  const isListed = (key: string) => maySee(key) && (groupId === '' || isOfGroup(key))
  const begins = await rootsOf(map, map.candidates.map(keyOf), isListed)
  return mapInSlices(begins, (key): Root => {
    const keys = [key, ...allFrom(key, map.before), ...allFrom(key, map.behind)]
    const titles = keys.flatMap((each) => (maySee(each) ? (map.titles.get(each) ?? []) : []))
    return { key, keys, titles: titles.join('\n') }
  })
}

function judgedOf(ctx: Context, map: PathMap, roots: readonly Root[]): JudgedRoot[] {
  const families = new Map<string, Family | null>()
  const familyOf = (key: string) => {
    const known = families.get(key)
    if (known !== undefined) return known
    const object = map.objects.get(key)
    const family = object === undefined ? null : familyOfHop(ctx, object)
    families.set(key, family)
    return family
  }
  const rank = ({ worst }: JudgedRoot) => FAMILIES.indexOf(worst)
  return roots
    .map((root) => ({ ...root, worst: worstOf(root.keys, familyOf) }))
    .toSorted((a, b) => rank(a) - rank(b))
}

/** As the row itself says it: of a channel also what is wrong about a stream that is online. */
function familyOfHop({ board, counts, clock }: Context, { kind, id }: PathKey): Family | null {
  if (kind !== 'channel') return counts.familyOfProgram(kind, id)
  const known = board.streams.ofChannel(id)
  if (known === null) return null
  const server = board.streams.server(known.channel.serverId)
  const freshness = { nowMs: clock(), isLoaded: true, brokenSinceMs: null }
  return viewOfStream(readingOfStream(known.status, server), freshness, server).family
}
