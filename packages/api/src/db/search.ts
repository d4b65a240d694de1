/** How texts are stored, ordered and looked for. */
import { foldCase } from '@trunkline/contract/search/fold.rules'
import { hostKeyOf } from '@trunkline/contract/servers/server.schema'

export { foldCase } from '@trunkline/contract/search/fold.rules'
export { titleKey } from '@trunkline/contract/search/title-key.rules'

/** The `search` column: the parts on lines of their own, so that no hit spans two of them. */
export function searchText(parts: readonly string[]): string {
  return foldCase(parts.join('\n'))
}

/** What addresses are ordered by: 192.0.2.9 stands before 192.0.2.10, and names behind all of them. */
export function addressKey(host: string): string {
  const key = hostKeyOf(host)
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(key)) return key
  return key
    .split('.')
    .map((part) => part.padStart(3, '0'))
    .join('.')
}

/** The pattern of `search LIKE ? ESCAPE '\'`; what the operator typed stays plain text. */
export function likePattern(search: string): string {
  return `%${foldCase(search.trim()).replace(/[\\%_]/g, (character) => `\\${character}`)}%`
}
