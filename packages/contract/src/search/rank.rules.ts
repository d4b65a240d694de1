/** Which of those that match stand first. */
import { compareKeys, titleKey } from './title-key.rules.ts'

export interface Candidate {
  id: string
  /** searchText(): name, title and address on lines of their own. */
  search: string
  /** Of two that match alike the lower is first; missing: by their texts, as titles are ordered. */
  order?: number
}

/**
 * `text`: folded as `search` is. First a line that is the text, or an object of that id; then lines that
 * begin with it, words that begin with it, any part; last what was found by its port alone.
 */
export function bestFirst<T extends Candidate>(text: string, candidates: readonly T[]): T[] {
  const ranked = candidates.map((candidate) => ({
    candidate,
    rank: rankOf(text, candidate),
    key: titleKey(candidate.search),
  }))
  ranked.sort(
    (a, b) =>
      a.rank - b.rank ||
      (a.candidate.order ?? 0) - (b.candidate.order ?? 0) ||
      compareKeys(a.key, b.key) ||
      compareKeys(a.candidate.id, b.candidate.id),
  )
  return ranked.map(({ candidate }) => candidate)
}

function rankOf(text: string, { id, search }: Candidate): number {
  if (text === '') return 0
  const lines = search.split('\n')
  if (id === text || lines.includes(text)) return 0
  if (lines.some((line) => line.startsWith(text))) return 1
  const at = search.indexOf(text)
  if (at === -1) return 4
  return hasWordAt(search, text) ? 2 : 3
}

function hasWordAt(search: string, text: string): boolean {
  for (let at = search.indexOf(text); at !== -1; at = search.indexOf(text, at + 1)) {
    if (!/[\p{L}\p{N}]/u.test(search.charAt(at - 1))) return true
  }
  return false
}
