/** What a change does to objects on air. Pure. */
import type { OnAirEffect, OnAirRefusal } from '@trunkline/contract/on-air/on-air.schema'
import { keyOf } from '../fleet/object-key.ts'
import type { PathKey } from '../paths/path-source.ts'

/**
 * Of what is on air each object once, those that lose the stream first: what is touched itself and whatever is
 * behind it. What is before it goes on, but is cut off from its way on.
 */
export function effectsOf(
  touched: readonly PathKey[],
  { before, behind }: { before: readonly PathKey[]; behind: readonly PathKey[] },
  isOnAir: (object: PathKey) => boolean,
): (PathKey & Pick<OnAirEffect, 'effect'>)[] {
  const found = new Map<string, PathKey & Pick<OnAirEffect, 'effect'>>()
  const add = (objects: readonly PathKey[], effect: OnAirEffect['effect']) => {
    for (const { kind, id } of objects) {
      const key = keyOf({ kind, id })
      if (!found.has(key) && isOnAir({ kind, id })) found.set(key, { kind, id, effect })
    }
  }
  add([...touched, ...behind], 'dark')
  add(before, 'cut')
  return [...found.values()]
}

/** "'News' and 3 more": what is listed by its title, the others counted. */
export function titlesText({ effects, more }: Pick<OnAirRefusal, 'effects' | 'more'>): string {
  const titles = effects.map(({ title }) => `'${title}'`).join(', ')
  return more > 0 ? `${titles} and ${more} more` : titles
}
