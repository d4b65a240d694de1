/** Spoils a right request in none, one or a few places. */
import fc from 'fast-check'
import { knownTexts } from './known-texts.ts'
import { HOSTILE } from './schema-values.ts'

interface Whole {
  params?: unknown
  query?: unknown
  body?: unknown
}

export type Spoil = (right: Whole) => Whole

/** What is done to one place, wherever that is. */
interface Change {
  /** Which of the places, as a share of all. */
  at: number
  /** undefined: the field is left out. */
  value: unknown
}

export function spoils(): fc.Arbitrary<Spoil> {
  const value = fc.oneof(
    { weight: 4, arbitrary: knownTexts() },
    { weight: 4, arbitrary: fc.constantFrom(...HOSTILE) },
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
    { weight: 2, arbitrary: fc.integer({ min: -2, max: 70_000 }) },
  )
  const change: fc.Arbitrary<Change> = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    value,
  })
  const changes = fc.oneof(
    { weight: 4, arbitrary: fc.constant<Change[]>([]) },
    { weight: 5, arbitrary: fc.array(change, { minLength: 1, maxLength: 1 }) },
    { weight: 2, arbitrary: fc.array(change, { minLength: 2, maxLength: 3 }) },
  )
  return changes.map((some) => (right) => some.reduce<Whole>(changed, structuredClone(right)))
}

interface Spot {
  holder: Record<string, unknown>
  name: string
}

function changed(whole: Whole, { at, value }: Change): Whole {
  const spots = spotsOf(whole as Record<string, unknown>)
  const spot = spots[Math.min(spots.length - 1, Math.floor(at * spots.length))]
  if (spot === undefined) return whole
  const { holder, name } = spot
  if (value === undefined) Reflect.deleteProperty(holder, name)
  else holder[name] = value
  return whole
}

/** Every field, also of what stands in fields, and items of lists. */
function spotsOf(holder: Record<string, unknown>): Spot[] {
  return Object.entries(holder).flatMap(([name, value]) => [
    { holder, name },
    ...(typeof value === 'object' && value !== null
      ? spotsOf(value as Record<string, unknown>)
      : []),
  ])
}
