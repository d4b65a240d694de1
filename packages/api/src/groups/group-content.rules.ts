/** What keeps a group from being deleted, in words (Q110). */

/** What is counted, in the order of the sentence; the manager is no member here. */
export const CONTENTS = ['member', 'encoder', 'server', 'channel', 'input', 'destination'] as const
export type Content = (typeof CONTENTS)[number]

/** Null when nothing is in it. */
export function stillInUse(
  title: string,
  counts: Readonly<Record<Content, number>>,
): string | null {
  const parts = CONTENTS.filter((name) => counts[name] > 0).map(
    (name) => `${counts[name]} ${name}${counts[name] === 1 ? '' : 's'}`,
  )
  if (parts.length === 0) return null
  const last = parts.at(-1)
  const listed = parts.length === 1 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`
  const them = parts.length === 1 && parts[0]?.startsWith('1 ') === true ? 'it' : 'them'
  return `${title} still has ${listed}. Move or delete ${them} first.`
}
