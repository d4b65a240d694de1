/** The fourth fact of an encoder and an input: how many of the hops right behind it deliver what it sends. */
import type { Hop, HopEdge, HopFact, HopKind, ShownHop } from './path.schema.ts'

/** Of a single hop: what it delivers, or does not. */
const SINGLES: Readonly<Partial<Record<HopKind, readonly [string, string]>>> = {
  feeder: ['Its feeder delivers', 'Its feeder does not deliver'],
  input: ['Its input delivers', 'Its input does not deliver'],
  output: ['Its output delivers', 'Its output does not deliver'],
  channel: ['Its channel delivers', 'Its channel does not deliver'],
}
const SINGLE_HOP = ['The hop behind it delivers', 'The hop behind it does not deliver'] as const

type Behind = Pick<ShownHop, 'isShown' | 'kind' | 'state' | 'facts'> | Exclude<Hop, ShownHop>

const PLURALS: Readonly<Partial<Record<HopKind, string>>> = {
  feeder: 'feeders',
  input: 'inputs',
  output: 'outputs',
  channel: 'channels',
}

/**
 * The hops with that fact added. Left out where nothing is sent, where everything behind is off on
 * purpose, and of a path that is cut: more may hang behind than is drawn.
 */
export function withDelivery<T extends Hop>(
  hops: readonly T[],
  edges: readonly HopEdge[],
  isCut: boolean,
): T[] {
  if (isCut) return [...hops]
  const byKey = new Map<string, Behind>(hops.map((hop) => [hop.key, hop]))
  const behindOf = Map.groupBy(edges, ({ before }) => before)
  return hops.map((hop) => {
    if (!hop.isShown || !isSender(hop)) return hop
    const behind = (behindOf.get(hop.key) ?? []).flatMap(({ behind: key }) => byKey.get(key) ?? [])
    const fact = deliveryOf(behind)
    return fact === null ? hop : { ...hop, facts: [...hop.facts, fact] }
  })
}

function isSender({ kind, facts }: ShownHop): boolean {
  return (kind === 'encoder' || kind === 'input') && facts.some(({ name }) => name === 'media')
}

function deliveryOf(behind: readonly Behind[]): HopFact | null {
  const on = behind.filter((hop) => familyOf(hop) !== 'off')
  if (on.length === 0) return null
  const delivering = on.filter((hop) => familyOf(hop) === 'ok')
  const isWell = delivering.length === on.length
  const look = isWell
    ? ({ family: 'ok', shape: 'disc' } as const)
    : ({ family: 'warn', shape: 'half-disc' } as const)
  const text =
    on.length === 1
      ? singleText(on, isWell)
      : `${delivering.length} of ${on.length} ${nameOf(on)} deliver`
  return { name: 'delivery', ...look, text, sinceMs: null, readAtMs: oldestReading(on) }
}

function familyOf(hop: Behind) {
  return hop.isShown ? hop.state.family : hop.family
}

function singleText(hops: readonly Behind[], isWell: boolean): string {
  const kind = kindOf(hops)
  const [well, otherwise] = (kind === null ? undefined : SINGLES[kind]) ?? SINGLE_HOP
  return isWell ? well : otherwise
}

function nameOf(hops: readonly Behind[]): string {
  const kind = kindOf(hops)
  return (kind === null ? undefined : PLURALS[kind]) ?? 'hops behind it'
}

/** Null of different kinds, and of what the viewer does not see. */
function kindOf(hops: readonly Behind[]): HopKind | null {
  const kinds = new Set(hops.map((hop) => (hop.isShown ? hop.kind : null)))
  const [kind = null] = kinds
  return kinds.size === 1 ? kind : null
}

/** It is as old as the oldest of what it is made of. Null when of one of them nothing was read. */
function oldestReading(hops: readonly Behind[]): number | null {
  const times = hops.map((hop) => (hop.isShown ? (hop.facts[0]?.readAtMs ?? null) : null))
  const known = times.filter((atMs) => atMs !== null)
  return known.length < times.length ? null : Math.min(...known)
}
