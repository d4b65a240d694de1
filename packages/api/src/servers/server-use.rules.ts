/** What lives on a server, in words: it keeps a server from being removed or changed under it (Q117). */

/** What is counted, in the order of the sentence. */
const USES = ['input', 'feeder', 'channel'] as const
type Use = (typeof USES)[number]
export type UseCounts = Readonly<Record<Use, number>>

/** '2 inputs, 1 feeder and 3 channels'; null when nothing uses it. */
export function usesInWords(counts: UseCounts): string | null {
  const parts = USES.filter((name) => counts[name] > 0).map(
    (name) => `${counts[name]} ${name}${counts[name] === 1 ? '' : 's'}`,
  )
  const last = parts.pop()
  if (last === undefined) return null
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}

export function themOrIt(counts: UseCounts): 'it' | 'them' {
  return USES.reduce((sum, name) => sum + counts[name], 0) === 1 ? 'it' : 'them'
}

/** Null when nothing is in the way. */
export function stillUsed(title: string, counts: UseCounts): string | null {
  const uses = usesInWords(counts)
  if (uses === null) return null
  return `${title} is still used by ${uses}. Delete or move ${themOrIt(counts)} first.`
}

/** One address has one server. */
export function addressTaken(host: string, port: number): string {
  return `There is a server at ${host} port ${port} already. Change host or port.`
}
