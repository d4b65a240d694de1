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

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((each, index) => isSame(each, b[index]))
  }
  if (!isPlain(a) || !isPlain(b)) return false
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].every((name) => isSame(a[name], b[name]))
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
