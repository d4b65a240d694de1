/** All signal paths of a group, or of all that somebody may see, worst first. */
import type { listSignalPaths } from '@trunkline/contract/paths/path.calls'
import { LISTED_HOPS_AT_MOST } from '@trunkline/contract/paths/path.schema'
import { FAMILIES, needsAttention, type Family } from '@trunkline/contract/fleet/state-view.rules'
import type { QueryOf, ReplyOf } from '@trunkline/contract/route'
import type { Context } from '../context.ts'
import { visibleTo } from '../fleet/counts/reader.rules.ts'
import { keyOf, objectOf } from '../fleet/object-key.ts'
import { placeOf } from '../fleet/object-place.ts'
import { maySeeObject } from '../fleet/object-scope.ts'
import { rowsOfPage } from '../next-page.ts'
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
  const roots = rootsSeen(ctx, actor, map, groupId)
  const found = search === '' ? roots : roots.filter(({ titles }) => titles.includes(search))
  const judged = worstFirst(ctx, found)
  const attention = judged.filter(({ worst }) => needsAttention(worst)).length
  const shown = show === 'attention' ? judged.slice(0, attention) : judged
  const selves = rowsOfPage(shown, { page, rowsPerPage }).map(({ root }) => root)
  const paths = await pathsOf(ctx, actor, selves, LISTED_HOPS_AT_MOST)
  // What was removed since the map was read has no hop of its own.
  const data = paths.filter(({ hops }) => hops.some(({ side }) => side === 'self'))
  return { status: true, data, total: shown.length, attention }
}

interface Root {
  root: PathKey
  /** Of all hops before and behind it, and its own. */
  keys: readonly string[]
  /** Of those hops that the person sees, in small letters. */
  titles: string
}

/** Of the last map, by who sees the same of which group. */
const kept = new WeakMap<PathMap, Map<string, { roots: readonly Root[]; untilMs: number }>>()
/** Objects may change their group, and people theirs, without a new map. */
const KEPT_MS = 5000

function rootsSeen(ctx: Context, actor: Actor, map: PathMap, groupId: string): readonly Root[] {
  const byScope = kept.get(map) ?? new Map()
  kept.set(map, byScope)
  const scope = `${visibleTo(actor)}\n${groupId}`
  const known = byScope.get(scope)
  if (known !== undefined && ctx.clock() < known.untilMs) return known.roots
  const isSeen = (key: string) => {
    const object = objectOf(key)
    const isOfGroup = groupId === '' || placeOf(ctx, object)?.groupIds.includes(groupId) === true
    return isOfGroup && maySeeObject(ctx, actor, object)
  }
  const roots = rootsOf(map, map.candidates.map(keyOf), isSeen).map((key): Root => {
    const keys = [key, ...allFrom(key, map.before), ...allFrom(key, map.behind)]
    const seen = keys.filter((each) => maySeeObject(ctx, actor, objectOf(each)))
    const titles = seen.map((each) => map.titles.get(each) ?? '').join('\n')
    return { root: objectOf(key) as PathKey, keys, titles }
  })
  byScope.set(scope, { roots, untilMs: ctx.clock() + KEPT_MS })
  return roots
}

function worstFirst(ctx: Context, roots: readonly Root[]): { root: PathKey; worst: Family }[] {
  const families = new Map<string, Family | null>()
  const familyOf = (key: string) => {
    const known = families.get(key)
    if (known !== undefined) return known
    const family = familyOfHop(ctx, objectOf(key) as PathKey)
    families.set(key, family)
    return family
  }
  const rank = ({ worst }: { worst: Family }) => FAMILIES.indexOf(worst)
  return roots
    .map(({ root, keys }) => ({ root, worst: worstOf(keys, familyOf) }))
    .toSorted((a, b) => rank(a) - rank(b))
}

function familyOfHop({ board, counts }: Context, { kind, id }: PathKey): Family | null {
  if (kind !== 'channel') return counts.familyOfProgram(kind, id)
  const channel = board.streams.ofChannel(id)?.channel
  if (channel === undefined) return null
  const { serverId, name: streamName } = channel
  return counts.familyOfStream({ serverId, streamName })
}
