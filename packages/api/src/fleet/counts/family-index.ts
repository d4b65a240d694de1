/**
 * How many things are in which state, kept by who may see them: a change costs that one thing, a
 * question the groups of the person who asks. Pure: it knows neither hosts nor clocks.
 */
import { isShown, noFamilies, type Show } from '@trunkline/contract/fleet/show.rules'
import { FAMILIES, needsAttention, type Family } from '@trunkline/contract/fleet/state-view.rules'
import { SortedItems } from './sorted-items.ts'

/** Whose things are meant, as lists are cut: everybody's, those of groups, those of an editor. */
export type Reader =
  | { by: 'all' }
  | { by: 'groups'; groupIds: readonly string[] }
  | { by: 'editor'; userId: string }

export interface Counted {
  readonly id: string
  /** First the one with the smallest; by id where they are equal. */
  readonly order: number
  readonly family: Family
  /** Groups whose people see it. */
  readonly groupIds: readonly string[]
  /** Who sees it by assignment. */
  readonly editorIds: readonly string[]
}

export interface Part {
  /** '' for all groups. */
  group: string
  reader: Reader
}

export class FamilyIndex {
  readonly #byId = new Map<string, Counted>()
  readonly #buckets = new Map<string, Bucket>()
  /** A thing of several groups is in one bucket, so that nobody counts it twice. */
  readonly #bucketsOfGroup = new Map<string, Set<string>>()
  readonly #isListed: boolean

  /** `isListed`: ids are asked for too, not only counts. */
  constructor(isListed: boolean) {
    this.#isListed = isListed
  }

  get(id: string): Counted | undefined {
    return this.#byId.get(id)
  }

  /** In place of what was known of it; null: it is gone. Answers whether that changes anything. */
  put(id: string, counted: Counted | null): boolean {
    const before = this.#byId.get(id)
    if (before === undefined && counted === null) return false
    if (before !== undefined && counted !== null && isAlike(before, counted)) return false
    if (before !== undefined) this.#remove(before)
    if (counted !== null) this.#add(counted)
    return true
  }

  /** Counts of each state are added to `sums`. */
  addTo(sums: Record<Family, number>, part: Part): void {
    for (const { counts } of this.#of(part)) {
      for (const family of FAMILIES) sums[family] += counts[family]
    }
  }

  /** Ids of those that need attention, worst first. */
  worst(part: Part, most: number): string[] {
    return this.page(part, 'attention', 0, most)
  }

  /** Ids of those in the states that are shown: trouble worst first, everything else by its order. */
  page(part: Part, show: Exclude<Show, 'all'>, offset: number, count: number): string[] {
    const buckets = this.#of(part)
    const found: string[] = []
    let skip = offset
    for (const section of SECTIONS_OF[show]) {
      const size = buckets.reduce((sum, bucket) => sum + bucket.size(section), 0)
      if (skip < size) {
        for (const { id } of merged(buckets, section, skip, count - found.length)) found.push(id)
      }
      skip = Math.max(0, skip - size)
      if (found.length >= count) break
    }
    return found
  }

  /** Of these ids the known ones in such states, in the order of `page`. */
  pick(ids: readonly string[], show: Show): Counted[] {
    return ids
      .flatMap((id) => this.#byId.get(id) ?? [])
      .filter(({ family }) => isShown(show, family))
      .toSorted((a, b) => rankOf(a) - rankOf(b) || inOrder(a, b))
  }

  #of({ group, reader }: Part): Bucket[] {
    return this.#keysOf(reader, group).flatMap((key) => this.#buckets.get(key) ?? [])
  }

  #keysOf(reader: Reader, group: string): string[] {
    if (reader.by === 'editor') return [editorKey(reader.userId, group)]
    if (reader.by === 'all') return group === '' ? [ALL_KEY] : [...this.#keysOfGroup(group)]
    if (group !== '') return reader.groupIds.includes(group) ? [...this.#keysOfGroup(group)] : []
    return [...new Set(reader.groupIds.flatMap((id) => [...this.#keysOfGroup(id)]))]
  }

  #keysOfGroup(groupId: string): ReadonlySet<string> {
    return this.#bucketsOfGroup.get(groupId) ?? NO_KEYS
  }

  #add(counted: Counted): void {
    this.#byId.set(counted.id, counted)
    for (const key of keysOf(counted)) {
      let bucket = this.#buckets.get(key)
      if (bucket === undefined) {
        bucket = new Bucket(this.#isListed)
        this.#buckets.set(key, bucket)
        if (key === groupsKey(counted)) this.#join(key, counted)
      }
      bucket.add(counted)
    }
  }

  #remove(counted: Counted): void {
    this.#byId.delete(counted.id)
    for (const key of keysOf(counted)) {
      const bucket = this.#buckets.get(key)
      if (bucket === undefined) continue
      bucket.remove(counted)
      if (bucket.total > 0) continue
      this.#buckets.delete(key)
      if (key === groupsKey(counted)) this.#leave(key, counted)
    }
  }

  #join(key: string, { groupIds }: Counted): void {
    for (const groupId of groupIds) {
      const keys = this.#bucketsOfGroup.get(groupId)
      if (keys === undefined) this.#bucketsOfGroup.set(groupId, new Set([key]))
      else keys.add(key)
    }
  }

  #leave(key: string, { groupIds }: Counted): void {
    for (const groupId of groupIds) {
      const keys = this.#bucketsOfGroup.get(groupId)
      keys?.delete(key)
      if (keys?.size === 0) this.#bucketsOfGroup.delete(groupId)
    }
  }
}

const NO_KEYS: ReadonlySet<string> = new Set()
const ALL_KEY = 'all'

/** Ids have no space in them. */
function groupsKey({ groupIds }: Pick<Counted, 'groupIds'>): string {
  return `group ${groupIds.length > 1 ? groupIds.toSorted().join(' ') : (groupIds[0] ?? '')}`
}

function editorKey(userId: string, groupId: string): string {
  return `editor ${userId} ${groupId}`
}

function keysOf(counted: Counted): string[] {
  const { editorIds, groupIds } = counted
  const editors = editorIds.flatMap((userId) =>
    ['', ...groupIds].map((groupId) => editorKey(userId, groupId)),
  )
  return [ALL_KEY, groupsKey(counted), ...editors]
}

/** States that stand together in a list: troubles one after the other, all that is well mixed. */
type Section = 'bad' | 'blind' | 'warn' | 'well' | 'off'

const SECTIONS_OF: Record<Exclude<Show, 'all'>, readonly Section[]> = {
  attention: ['bad', 'blind', 'warn'],
  well: ['well'],
  off: ['off'],
}

function sectionOf(family: Family): Section {
  return family === 'ok' || family === 'move' ? 'well' : family
}

/** Before the order of creation; all that needs nobody stands together. */
function rankOf({ family }: Counted): number {
  return needsAttention(family) ? FAMILIES.indexOf(family) : FAMILIES.length
}

class Bucket {
  readonly counts = noFamilies()
  total = 0
  readonly #sections: Map<Section, SortedItems<Counted>> | null

  constructor(isListed: boolean) {
    this.#sections = isListed ? new Map() : null
  }

  size(section: Section): number {
    return this.#sections?.get(section)?.size ?? 0
  }

  slice(section: Section, offset: number, count: number): Counted[] {
    return this.#sections?.get(section)?.slice(offset, count) ?? []
  }

  add(counted: Counted): void {
    this.counts[counted.family] += 1
    this.total += 1
    if (this.#sections === null) return
    const section = sectionOf(counted.family)
    const items = this.#sections.get(section) ?? new SortedItems<Counted>(inOrder)
    this.#sections.set(section, items)
    items.add(counted)
  }

  remove(counted: Counted): void {
    this.counts[counted.family] -= 1
    this.total -= 1
    this.#sections?.get(sectionOf(counted.family))?.remove(counted)
  }
}

/** Those of several buckets in one order; a person has few groups, and most ask for one. */
function merged(
  buckets: readonly Bucket[],
  section: Section,
  offset: number,
  count: number,
): Counted[] {
  const [only] = buckets
  if (only !== undefined && buckets.length === 1) return only.slice(section, offset, count)
  return buckets
    .flatMap((bucket) => bucket.slice(section, 0, offset + count))
    .toSorted(inOrder)
    .slice(offset, offset + count)
}

function inOrder(a: Counted, b: Counted): number {
  if (a.order !== b.order) return a.order - b.order
  if (a.id === b.id) return 0
  return a.id < b.id ? -1 : 1
}

function isAlike(a: Counted, b: Counted): boolean {
  return (
    a.family === b.family &&
    a.order === b.order &&
    isSameList(a.groupIds, b.groupIds) &&
    isSameList(a.editorIds, b.editorIds)
  )
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at])
}
