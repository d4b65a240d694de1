/** The lines of the page that is shown, and how many newer ones wait to be shown. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ActivityFilter } from './activity-filter.hook.ts'
import { ACTIVITY_KEY, activityQuery, countSinceQuery } from './activity.queries.ts'

export function useActivityLines(filter: ActivityFilter) {
  const client = useQueryClient()
  const { list } = filter
  const first = useQuery(activityQuery({ ...list, page: 0 }))
  const newest = first.data?.data[0]?.at ?? ''
  // Later pages end where the first one begins, so that no line slips to the next page meanwhile.
  const to = list.page === 0 || newest === '' ? list.to : justAfter(newest)
  const answer = useQuery(activityQuery({ ...list, to }))
  const { data: sinceCount } = useQuery({
    ...countSinceQuery(list, newest),
    enabled: newest !== '' && !first.isPlaceholderData,
  })
  const shownCount = first.data?.data.filter((line) => line.at === newest).length ?? 0
  return {
    answer,
    newCount: Math.max(0, (sinceCount ?? shownCount) - shownCount),
    showNew: () => {
      filter.setPage(0)
      void client.invalidateQueries({ queryKey: [ACTIVITY_KEY, 'list'] })
    },
  }
}

function justAfter(at: string): string {
  return new Date(Date.parse(at) + 1).toISOString()
}
