/** How somebody has arranged a list: filters and columns with the account, sorting in this browser. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrangedList, type ListView } from '@trunkline/contract/users/list-view.schema'
import { useState } from 'react'
import { ApiError, sentenceFor } from '../../lib/api-error.ts'
import { useSession } from '../../lib/session.ts'
import { showToast } from '../../lib/toast.ts'
import { browserSort, keepInBrowser, listViewsQuery, putView } from './list-view.queries.ts'
import { viewIn, withView } from './list-view.rules.ts'

type Arranged = Pick<ListView, 'hidden' | 'saved'>
export type ArrangeChange = (view: Arranged) => Partial<Arranged>

const NOTHING: Arranged = { hidden: [], saved: [] }
const NOT_SAVED = 'The list was not saved with your account.'
/** How often a change is made anew to what another tab saved in between. */
const MOST_TRIES = 3

/** `list`: its name, such as 'encoders'; '' keeps nothing. */
export function useListView(list: string) {
  const userId = useSession()?.user._id ?? ''
  const name = ArrangedList.safeParse(list).data
  const { data } = useQuery({
    ...listViewsQuery(userId),
    enabled: name !== undefined && userId !== '',
  })
  const [sort, setSort] = useState(() => browserSort(userId, list))
  const save = useSaveView(userId)
  const { hidden, saved } = name === undefined ? NOTHING : viewIn(data ?? [], name)
  return {
    sort,
    hidden,
    saved,
    setSort: (next: string) => {
      if (list !== '') keepInBrowser(userId, list, { sort: next })
      setSort(next)
    },
    arrange: (change: ArrangeChange) => {
      if (name !== undefined) void save(name, change)
    },
  }
}

/** Shown at once; taken back with a toast when it cannot be saved. Never throws. */
function useSaveView(userId: string) {
  const client = useQueryClient()
  const query = listViewsQuery(userId)
  const show = (view: ListView) =>
    client.setQueryData(query.queryKey, (views) => withView(views ?? [], view))
  return async (list: ArrangedList, change: ArrangeChange): Promise<void> => {
    try {
      for (let tries = 1; ; tries++) {
        const views = client.getQueryData(query.queryKey) ?? (await client.fetchQuery(query))
        const before = viewIn(views, list)
        const next = { ...before, ...change(before) }
        show(next)
        try {
          show(await putView(next))
          return
        } catch (error) {
          const isOutdated = error instanceof ApiError && error.code === 'conflict'
          if (!isOutdated || tries === MOST_TRIES) throw error
          await client.fetchQuery(query)
        }
      }
    } catch (error) {
      showToast('failure', NOT_SAVED, sentenceFor(error, ''))
      void client.invalidateQueries({ queryKey: query.queryKey })
    }
  }
}
