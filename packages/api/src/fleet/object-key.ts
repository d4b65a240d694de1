import { ObservedKind } from '@trunkline/contract/fleet/observed-kind.schema'

/** An object whose state is observed; a feeder's id is its name. */
export interface ObjectKey {
  kind: ObservedKind
  id: string
}

export function keyOf({ kind, id }: ObjectKey): string {
  return `${kind} ${id}`
}

/** The other way than keyOf. */
export function objectOf(key: string): ObjectKey {
  const at = key.indexOf(' ')
  return { kind: ObservedKind.parse(key.slice(0, at)), id: key.slice(at + 1) }
}
