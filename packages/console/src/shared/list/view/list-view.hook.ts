/** How somebody has arranged a list: filters and columns with the account, sorting in this browser. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ArrangedList, ListView } from '@trunkline/contract/users/list-view.schema'
import { useState } from 'react'
import { useSession } from '../../../lib/session.ts'
import { browserSort, keepInBrowser } from './browser-view.ts'
import type { ArrangeChange } from './account-views.client.ts'
import { listViewsQuery, saveView } from './list-view.queries.ts'
import { viewIn } from './list-view.rules.ts'

const NOTHING: Pick<ListView, 'hidden' | 'saved'> = { hidden: [], saved: [] }

/** `list`: its name; '' keeps nothing. */
export function useListView(list: ArrangedList | '') {
  const userId = useSession()?.user._id ?? ''
  const { data, isError, refetch } = useQuery({
    ...listViewsQuery(userId),
    enabled: list !== '' && userId !== '',
  })
  const [sort, setSort] = useState(() => browserSort(userId, list))
  const client = useQueryClient()
  const { hidden, saved } = list === '' ? NOTHING : viewIn(data ?? [], list)
  return {
    sort,
    hidden,
    saved,
    /** Where they could not be read. */
    readAgain: isError ? () => void refetch() : null,
    setSort: (next: string) => {
      if (list !== '') keepInBrowser(userId, list, { sort: next })
      setSort(next)
    },
    arrange: (change: ArrangeChange) => {
      if (list !== '') void saveView(client, userId, list, change)
    },
  }
}
