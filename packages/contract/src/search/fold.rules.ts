/** Search without case and accents, the same wherever it is done: SQLite's lower() knows ASCII only. */

/** 'Élan' and 'ELAN' fold to 'elan'. */
export function foldCase(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
