/**
 * Where a path breaks first, and which trouble is only a consequence of it. From what is configured
 * (which hop feeds which) and from each hop's own trouble, and from nothing else.
 */
import type { Shape } from '../fleet/state-view.rules.ts'
import type { TroubleLevel } from './hop-state.rules.ts'
import type { HopEdge } from './path.schema.ts'

export interface PathHop {
  key: string
  /** null: nothing is wrong, or it is off on purpose. */
  trouble: TroubleLevel | null
  shape: Shape
  /** What feeds it comes over a link, not over the local bus of its host. */
  isReceiver: boolean
  /** Hops of one host have the same; '' when not known. */
  hostKey: string
}

export interface PathTrouble {
  /** The hop where it begins. */
  first: string
  /** Hops whose trouble is a consequence of it, in the order of the path. */
  consequences: readonly string[]
}

export class PathGraph {
  readonly #hops: ReadonlyMap<string, PathHop>
  readonly #before: ReadonlyMap<string, readonly string[]>
  readonly #behind: ReadonlyMap<string, readonly string[]>
  /** From the camera on; hops of a stage stand side by side. */
  readonly stages: readonly (readonly string[])[]

  constructor(hops: readonly PathHop[], edges: readonly HopEdge[]) {
    this.#hops = new Map(hops.map((hop) => [hop.key, hop]))
    const known = edges.filter(
      ({ before, behind }) => this.#hops.has(before) && this.#hops.has(behind),
    )
    this.#before = neighbours(known, 'behind', 'before')
    this.#behind = neighbours(known, 'before', 'behind')
    this.stages = stagesOf([...this.#hops.keys()], (key) => this.before(key))
  }

  before(key: string): readonly string[] {
    return this.#before.get(key) ?? []
  }

  behind(key: string): readonly string[] {
    return this.#behind.get(key) ?? []
  }

  /** All hops behind this one, nearest first. */
  allBehind(key: string): string[] {
    return reachedFrom(key, (hop) => this.behind(hop))
  }

  /** In the order of the path: the first bad hop is the first of them. */
  troubles(): PathTrouble[] {
    const inOrder = this.stages.flat().filter((key) => this.#isBad(key))
    const firsts = new Map(inOrder.map((key) => [key, this.#firstOf(key, inOrder)]))
    return inOrder
      .filter((key) => firsts.get(key) === key)
      .map((first) => ({
        first,
        consequences: inOrder.filter((key) => key !== first && firsts.get(key) === first),
      }))
  }

  #firstOf(key: string, inOrder: readonly string[]): string {
    const seen = new Set([key])
    for (let at = key; ;) {
      const cause = this.#causeOf(at)
      if (cause === null) return at
      // Hops that explain each other, in a loop: the first of them.
      if (seen.has(cause)) return inOrder.find((hop) => seen.has(hop)) ?? at
      seen.add(cause)
      at = cause
    }
  }

  /** The hop whose trouble explains that of this one; null: its own. */
  #causeOf(key: string): string | null {
    const hop = this.#hops.get(key)
    switch (hop?.trouble) {
      case 'process':
        return hop.shape === 'diamond-x' ? this.#sameHost(hop) : null
      case 'link': {
        if (hop.isReceiver) return this.#nearestBadBefore(key)
        // A sender has no peer while its receiver does not run.
        const next = this.behind(key).find((other) => this.#hops.get(other)?.trouble === 'process')
        return next ?? null
      }
      case 'media':
        return this.#nearestBadBefore(key)
      case undefined:
      case null:
        return null
    }
  }

  #sameHost({ key, hostKey }: PathHop): string | null {
    if (hostKey === '') return null
    const first = this.stages.flat().find((other) => {
      const hop = this.#hops.get(other)
      return hop?.hostKey === hostKey && hop.shape === 'diamond-x'
    })
    return first === undefined || first === key ? null : first
  }

  #nearestBadBefore(key: string): string | null {
    const before = reachedFrom(key, (hop) => this.before(hop))
    return before.find((hop) => this.#isBad(hop)) ?? null
  }

  #isBad(key: string): boolean {
    return (this.#hops.get(key)?.trouble ?? null) !== null
  }
}

/** All hops that are reached step by step, nearest first; without the one where it begins. */
export function reachedFrom(key: string, step: (key: string) => readonly string[]): string[] {
  const seen = new Set([key])
  for (const hop of seen) for (const next of step(hop)) seen.add(next)
  return [...seen].slice(1)
}

/** By the one end of the edges, the other ends. */
export function neighbours(edges: readonly HopEdge[], of: keyof HopEdge, to: keyof HopEdge) {
  const grouped = Map.groupBy(edges, (edge) => edge[of])
  return new Map([...grouped].map(([key, some]) => [key, some.map((edge) => edge[to])]))
}

/** Each hop behind all that feed it; of a loop the hop that is named first begins. */
function stagesOf(keys: readonly string[], before: (key: string) => readonly string[]): string[][] {
  const stageOf = new Map<string, number>()
  const open = new Set<string>()
  const place = (key: string): number => {
    const known = stageOf.get(key)
    if (known !== undefined) return known
    if (open.has(key)) return -1
    open.add(key)
    const stage = Math.max(-1, ...before(key).map(place)) + 1
    open.delete(key)
    stageOf.set(key, stage)
    return stage
  }
  for (const key of keys) place(key)
  const stages: string[][] = []
  for (const key of keys) {
    const stage = stageOf.get(key) ?? 0
    ;(stages[stage] ??= []).push(key)
  }
  return stages.filter((stage) => stage !== undefined)
}
