/** The walk through the role table: one cell is a call, as a role, on an object of a place. */
import { readOpenApi } from '@trunkline/contract/open-api/open-api.calls'
import { ROLES, isAdminLevel, type Role } from '@trunkline/contract/roles'
import { inject } from '../inject.ts'
import { expectedOutcome, type Place, type Recipe } from './rules.ts'
import { tokenOf, tokenOfPerson, type WalkSite } from './site.ts'

/** Why a host is away: its kind, or the words of its sentence. */
const FAULT =
  /"fault":"|wrong-key|not-an-agent|refuses the (connection|API key)|closed the connection|is not a (host agent|media server)/

export interface Cell {
  recipe: Recipe
  /** Null: nobody. */
  role: Role | null
  place: Place
}

/** Every role and nobody, at every place of the recipe. */
export function cellsOf(recipe: Recipe): Cell[] {
  return recipe.places.flatMap((place) => [...ROLES, null].map((role) => ({ recipe, role, place })))
}

/** What is wrong about a cell, in a line; '' when nothing is. */
export async function faultOf(walk: WalkSite, { recipe, role, place }: Cell): Promise<string> {
  const { call, variant, letThrough } = recipe
  const input = await recipe.input(walk, place, role ?? 'superadmin')
  const token = role === null ? '' : await tokenOf(walk.site, role)
  const { status, text } = await inject(walk.site.app, call, token, input)
  const wanted = expectedOutcome(recipe, role, place)
  const allowed = wanted === 'through' ? [call.successStatus, ...letThrough] : [wanted]
  const name = [call.name, variant, role ?? 'nobody', place]
    .filter((item) => item !== '')
    .join(', ')
  if (!allowed.includes(status)) return `${name}: ${status}, not ${allowed.join(' or ')}: ${text}`
  // The description of the API names every kind of fault, and none that there is.
  const isOfSite = call.name !== readOpenApi.name
  const isBelowAdmin = role !== null && !isAdminLevel(role)
  const leaks = isBelowAdmin && isOfSite ? leaksIn(walk, role, text) : []
  return leaks.length === 0 ? '' : `${name} tells ${leaks.join(', ')}: ${text}`
}

/** What nobody below admin may read. Keys, passphrases and hashes are looked for by `inject`, in every answer. */
function leaksIn(walk: WalkSite, role: Role, text: string): string[] {
  const fault = FAULT.exec(text)
  const hidden = role === 'editor' ? [...walk.hidden, walk.unassigned.encoderId] : walk.hidden
  return [...hidden.filter((item) => text.includes(item)), ...(fault === null ? [] : [fault[0]])]
}

/** A manager of other groups than the usual: to them what is at `place` is at `seenAt`. */
export async function faultOfManager(
  walk: WalkSite,
  recipe: Recipe,
  managerId: string,
  { place, seenAt }: { place: Place; seenAt: Place },
): Promise<string> {
  const { call, variant, letThrough } = recipe
  const input = await recipe.input(walk, place, 'manager')
  const token = await tokenOfPerson(walk.site, managerId)
  const { status, text } = await inject(walk.site.app, call, token, input)
  const wanted = expectedOutcome(recipe, 'manager', seenAt)
  const allowed = wanted === 'through' ? [call.successStatus, ...letThrough] : [wanted]
  if (allowed.includes(status)) return ''
  return `${call.name}, ${variant}, ${place} as ${seenAt}: ${status}, not ${wanted}: ${text}`
}
