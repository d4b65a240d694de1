/** How the signed-in person has arranged lists: read on opening a list and on coming back to the tab. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { ArrangedList, ListView } from '@trunkline/contract/users/list-view.schema'
import { storage } from '../../../lib/storage.ts'
import type { ArrangeChange } from './account-views.client.ts'

export function listViewsQuery(userId: string) {
  return queryOptions({
    queryKey: ['list views', userId],
    queryFn: async ({ signal }) => {
      const views = await (await client()).readViews(userId, signal)
      const kept = views.map(({ list, ...view }) => [list, { ...view, sort: '' }] as const)
      storage.accountViews.write([userId, Object.fromEntries(kept)])
      return views
    },
    // Another tab or machine may have saved since; nothing of it is pushed.
    staleTime: 0,
    // Columns do not jump while they are read.
    placeholderData: () => rememberedViews(userId),
  })
}

/** As the account had them when this browser read them last; what is saved is read anew first. */
function rememberedViews(userId: string): ListView[] | undefined {
  const [owner, views] = storage.accountViews.read() ?? ['', {}]
  if (owner !== userId) return undefined
  return Object.entries(views).map(([list, { hidden, saved }]) => {
    return { list: list as ArrangedList, hidden, saved, version: 0 }
  })
}

/** Shown at once; taken back with a toast when it cannot be saved. */
export async function saveView(
  queries: QueryClient,
  userId: string,
  list: ArrangedList,
  change: ArrangeChange,
): Promise<void> {
  await (await client()).saveView(queries, listViewsQuery(userId), list, change)
}

async function client() {
  return import('./account-views.client.ts')
}
