/** Which status the role table foretells for a call, a role and a place: nothing else is asked. */
import { mayDo, reachOf, type Action, type Reach } from '@trunkline/contract/role-table'
import { mayCall, type Role } from '@trunkline/contract/roles'
import type { Route } from '@trunkline/contract/route'
import type { InjectInput } from '../inject.ts'
import type { WalkSite } from './site.ts'

/**
 * Where the object is, seen from the one who acts.
 * - own: in their group, an encoder also assigned to them
 * - foreign: in another group
 * - shared: a person in their group and in another
 * - unassigned: an encoder of their group that no editor is assigned to
 * - groupless: in no group of theirs or anybody's
 * - above: a superadmin
 * - self: their own account
 * - none: the call names no object
 */
export type Place =
  | 'own'
  | 'foreign'
  | 'shared'
  | 'unassigned'
  | 'groupless'
  | 'above'
  | 'self'
  | 'none'

/** How one call is tried for one right. */
export interface Recipe<T extends Route = Route> {
  readonly call: T
  /** What is tried of a call that serves several rights; '' when there is one only. */
  readonly variant: string
  /** The right that is tried; the call's own when it has one only. */
  readonly action: Action | 'anyone'
  /** Whose sight decides what is not there (404). */
  readonly seenBy: Action | 'anyone'
  readonly places: readonly Place[]
  /** A filter of a list: what is foreign is not refused, it is just not in the list. */
  readonly isFilter: boolean
  /** The right is looked at before the object: 403 wherever it is. */
  readonly isRightFirst: boolean
  /** Statuses that count as let through beside the call's own, such as those of a host that is away. */
  readonly letThrough: readonly number[]
  readonly input: (walk: WalkSite, place: Place, role: Role) => Promise<InjectInput<T>>
}

export interface RecipeSpec<T extends Route> extends Partial<
  Pick<Recipe<T>, 'variant' | 'action' | 'seenBy' | 'isFilter' | 'isRightFirst' | 'letThrough'>
> {
  places: readonly Place[]
  input: (walk: WalkSite, place: Place, role: Role) => InjectInput<T> | Promise<InjectInput<T>>
}

/** Each call of its own type; the walk needs only what all have. */
export function recipe<T extends Route>(call: T, spec: RecipeSpec<T>): Recipe {
  const { variant = '', isFilter = false, isRightFirst = false, letThrough = [] } = spec
  const made: Recipe<T> = {
    call,
    variant,
    action: spec.action ?? call.action,
    seenBy: spec.seenBy ?? call.action,
    places: spec.places,
    isFilter,
    isRightFirst,
    letThrough,
    input: async (...asked) => Promise.resolve(spec.input(...asked)),
  }
  return made as unknown as Recipe
}

/** 'through' is the call's own success. */
export function expectedOutcome(
  { call, action, seenBy, isFilter, isRightFirst }: Recipe,
  role: Role | null,
  place: Place,
): 'through' | 401 | 403 | 404 {
  if (call.action === 'anyone') return 'through'
  if (role === null) return 401
  if (!mayCall(role, call)) return 403
  const mayAct = action === 'anyone' || mayDo(role, action)
  if (isRightFirst && !mayAct) return 403
  if (!isFilter && seenBy !== 'anyone' && !isWithin(reachOf(role, seenBy), place)) return 404
  if (!mayAct) return 403
  if (!isFilter && action !== 'anyone' && !isWithin(reachOf(role, action), place)) return 403
  return 'through'
}

const WITHIN: Readonly<Record<Reach, readonly Place[]>> = {
  all: ['own', 'foreign', 'shared', 'unassigned', 'groupless', 'above', 'self', 'none'],
  notAbove: ['own', 'foreign', 'shared', 'unassigned', 'groupless', 'self', 'none'],
  group: ['own', 'shared', 'unassigned', 'self', 'none'],
  whole: ['own', 'unassigned', 'self', 'none'],
  assigned: ['own', 'self', 'none'],
  self: ['self', 'none'],
  view: [],
  denied: [],
  never: [],
}

function isWithin(reach: Reach, place: Place): boolean {
  return WITHIN[reach].includes(place)
}
