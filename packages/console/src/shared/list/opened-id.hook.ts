/** A link may lead to a single object of a list: `?open=` has its id, and the page opens it. */
import { useNavigate, useSearch } from '@tanstack/react-router'

interface Search {
  open?: unknown
}

/** '' for none. `forget` takes it out of the address once it was closed, so that a reload opens nothing. */
export function useOpenedId() {
  const search: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const openedId = typeof search.open === 'string' ? search.open : ''
  const forget = () => {
    if (openedId === '') return
    void navigate({
      to: '.',
      search: (was: Search) => ({ ...was, open: undefined }),
      replace: true,
    })
  }
  return { openedId, forget }
}
