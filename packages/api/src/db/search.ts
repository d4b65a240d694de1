/** Search without case and accents, the same on both databases: SQLite's lower() knows ASCII only. */

/** 'Élan' and 'ELAN' fold to 'elan'. */
export function foldCase(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

/** The `search` column: the parts on lines of their own, so that no hit spans two of them. */
export function searchText(parts: readonly string[]): string {
  return foldCase(parts.join('\n'))
}

/** The pattern of `search LIKE ? ESCAPE '\'`; what the operator typed stays plain text. */
export function likePattern(search: string): string {
  return `%${foldCase(search.trim()).replace(/[\\%_]/g, (character) => `\\${character}`)}%`
}
