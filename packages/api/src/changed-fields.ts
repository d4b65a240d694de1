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
  if (isPlain(sent) && isPlain(current)) {
    return Object.keys(sent).flatMap((name) =>
      differing(`${path}.${name}`, sent[name], current[name]),
    )
  }
  return isSame(sent, current) ? [] : [path]
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => isSame(each, other[index]))
  }
  if (!isPlain(one) || !isPlain(other)) return false
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].every((name) => isSame(one[name], other[name]))
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
