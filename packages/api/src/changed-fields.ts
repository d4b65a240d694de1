import { isSameValue, isTree } from '@trunkline/contract/as-text/tree.rules'

/** Which fields of a saved object differ from what a client sends, as dotted paths. */
export function changedFields(
  sent: Readonly<Record<string, unknown>>,
  current: Readonly<Record<string, unknown>>,
): string[] {
  return Object.keys(sent)
    .filter((name) => sent[name] !== undefined)
    .flatMap((name) => differing(name, sent[name], current[name]))
}

/** Objects are looked into; lists and values are compared whole. */
function differing(path: string, sent: unknown, current: unknown): string[] {
  if (isTree(sent) && isTree(current)) {
    return Object.keys(sent).flatMap((name) =>
      differing(`${path}.${name}`, sent[name], current[name]),
    )
  }
  return isSameValue(sent, current) ? [] : [path]
}
