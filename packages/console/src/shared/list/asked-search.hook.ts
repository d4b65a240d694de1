/** A link may lead to a list that is searched already: `?search=` has the text. */
import { useSearch } from '@tanstack/react-router'

/** '' for none. */
export function useAskedSearch(): string {
  const { search }: { search?: unknown } = useSearch({ strict: false })
  // The router reads digits as a number.
  return typeof search === 'string' || typeof search === 'number' ? String(search) : ''
}
