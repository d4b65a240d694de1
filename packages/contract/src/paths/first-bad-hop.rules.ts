/**
 * Where a path breaks first, and which trouble is only a consequence of it. From what is configured
 * (which hop feeds which) and from each hop's own trouble, and from nothing else.
 */
import type { Shape } from '../fleet/state-view.rules.ts'
import type { TroubleLevel, Unsettled } from './hop-state.rules.ts'
import type { HopEdge } from './path.schema.ts'

export interface PathHop {
  key: string
  /** null: nothing is wrong, or it is off on purpose. */
  trouble: TroubleLevel | null
  /** What it is waiting for while it is between two states; null: it is not. */
  unsettled: Unsettled | null
  /** Its trouble may be over as soon as a hop near it is no longer unsettled. */
  mayWait: boolean
  /** Its trouble is that its packets are lost. */
  isLosing: boolean
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
  /** False: it begins where something is being set up, which has not failed. */
  isSettled: boolean
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

  /** In the order of the path: the first bad hop is the first of those that are settled. */
  troubles(): PathTrouble[] {
    const inOrder = this.stages.flat()
    const bad = inOrder.filter((key) => this.#isBad(key))
    const byFirst = Map.groupBy(bad, (key) => this.#firstOf(key, inOrder))
    return inOrder.flatMap((first) => {
      const all = byFirst.get(first)
      if (all === undefined) return []
      const consequences = all.filter((key) => key !== first)
      return [{ first, consequences, isSettled: this.#isBad(first) }]
    })
  }

  #firstOf(key: string, inOrder: readonly string[]): string {
    const seen = new Set([key])
    for (let at = key; ;) {
      const cause = this.#causeOf(at)
      if (cause === null) return at
      // Hops that explain each other, in a loop: what is being set up, else the first of them.
      if (seen.has(cause)) {
        const explaining = inOrder.filter((hop) => seen.has(hop))
        return explaining.find((hop) => this.#isUnsettled(hop)) ?? explaining[0] ?? at
      }
      seen.add(cause)
      at = cause
    }
  }

  /** The hop whose trouble, or whose wait, explains that of this one; null: its own. */
  #causeOf(key: string): string | null {
    const hop = this.#hops.get(key)
    if (hop === undefined) return null
    switch (hop.trouble) {
      case 'process':
        return hop.shape === 'diamond-x' ? this.#sameHost(hop) : null
      case 'link':
        if (hop.isReceiver) return this.#nearestCauseBefore(hop)
        return this.#receiverAway(key, hop.mayWait)
      case 'media':
        return (
          this.#nearestCauseBefore(hop) ??
          this.#receiverAwaited(hop) ??
          // Until it takes its peer for lost, what a receiver that is away does not take counts as lost.
          (hop.isLosing && !hop.isReceiver ? this.#receiverAway(key, true) : null)
        )
      case null:
        return this.#causeOfWait(hop)
    }
  }

  #causeOfWait({ key, unsettled, isReceiver }: PathHop): string | null {
    switch (unsettled) {
      case 'peer': {
        const others = isReceiver ? this.before(key) : this.behind(key)
        return others.find((other) => this.#isDownOrComing(other)) ?? null
      }
      case 'media':
        return this.#nearestCauseBefore({ key, mayWait: true })
      case 'itself':
      case null:
        return null
    }
  }

  /** A sender has sent nothing yet to a receiver that has just come back. */
  #receiverAwaited({ key, isReceiver, mayWait }: PathHop): string | null {
    if (isReceiver || !mayWait) return null
    return this.behind(key).find((other) => this.#isUnsettled(other)) ?? null
  }

  /** A sender has no peer while its receiver does not run, or is not there yet. */
  #receiverAway(key: string, mayWait: boolean): string | null {
    return this.behind(key).find((other) => this.#keepsPeerAway(other, mayWait)) ?? null
  }

  #isDownOrComing(key: string): boolean {
    const hop = this.#hops.get(key)
    return hop?.trouble === 'process' || hop?.unsettled === 'itself'
  }

  #keepsPeerAway(key: string, mayWait: boolean): boolean {
    if (this.#hops.get(key)?.trouble === 'process') return true
    const unsettled = this.#hops.get(key)?.unsettled
    return mayWait && (unsettled === 'itself' || unsettled === 'peer')
  }

  #sameHost({ key, hostKey }: PathHop): string | null {
    if (hostKey === '') return null
    const first = this.stages.flat().find((other) => {
      const hop = this.#hops.get(other)
      return hop?.hostKey === hostKey && hop.shape === 'diamond-x'
    })
    return first === undefined || first === key ? null : first
  }

  #nearestCauseBefore({ key, mayWait }: Pick<PathHop, 'key' | 'mayWait'>): string | null {
    const before = reachedFrom(key, (hop) => this.before(hop))
    const isCause = (hop: string) => this.#isBad(hop) || (mayWait && this.#isUnsettled(hop))
    return before.find(isCause) ?? null
  }

  #isUnsettled(key: string): boolean {
    return (this.#hops.get(key)?.unsettled ?? null) !== null
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
