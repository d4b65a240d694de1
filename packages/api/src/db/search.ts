/** How texts are stored and looked for. */
import { foldCase } from '@trunkline/contract/search/fold.rules'

export { foldCase } from '@trunkline/contract/search/fold.rules'

/** The `search` column: the parts on lines of their own, so that no hit spans two of them. */
export function searchText(parts: readonly string[]): string {
  return foldCase(parts.join('\n'))
}

/** The pattern of `search LIKE ? ESCAPE '\'`; what the operator typed stays plain text. */
export function likePattern(search: string): string {
  return `%${foldCase(search.trim()).replace(/[\\%_]/g, (character) => `\\${character}`)}%`
}
