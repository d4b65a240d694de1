/** How the signed-in person has arranged lists: read on opening a list and on coming back to the tab. */
import { queryOptions } from '@tanstack/react-query'
import { listListViews, saveListView } from '@trunkline/contract/users/list-view.calls'
import { ArrangedList, ListView } from '@trunkline/contract/users/list-view.schema'
import { call } from '../../lib/call.ts'
import { storage } from '../../lib/storage.ts'
import { mergeBrowserView, viewIn, withView } from './list-view.rules.ts'

export function listViewsQuery(userId: string) {
  return queryOptions({
    queryKey: ['list views', userId],
    queryFn: async ({ signal }) => {
      const { data } = await call(listListViews, { signal })
      const views = await moveFromBrowser(userId, data)
      storage.accountViews.write([userId, views])
      return views
    },
    // Another tab or machine may have saved since; nothing of it is pushed.
    staleTime: 0,
    // Columns do not jump while they are read.
    placeholderData: () => rememberedViews(userId),
  })
}

/** As the account had them when this browser read them last. */
function rememberedViews(userId: string): ListView[] | undefined {
  const [owner, views] = storage.accountViews.read() ?? ['', []]
  return owner === userId ? ListView.array().safeParse(views).data : undefined
}

export async function putView({ list, hidden, saved, version }: ListView): Promise<ListView> {
  const body = { hidden, saved, version }
  return (await call(saveListView, { params: { name: list }, body })).data
}

/**
 * What this browser kept before accounts did is added to the account, and then no longer kept here.
 * What could not be saved stays, and is tried again when the lists are read next.
 */
async function moveFromBrowser(userId: string, views: readonly ListView[]): Promise<ListView[]> {
  let moved = [...views]
  for (const [name, old] of Object.entries(browserViews(userId))) {
    const list = ArrangedList.safeParse(name).data
    if (list === undefined || (old.saved.length === 0 && old.hidden.length === 0)) continue
    const before = viewIn(moved, list)
    const { view, left } = mergeBrowserView(before, old)
    try {
      const isNew = JSON.stringify(view) !== JSON.stringify(before)
      if (isNew) moved = withView(moved, await putView(view))
      keepInBrowser(userId, name, { saved: left, hidden: [] })
    } catch (error) {
      console.warn(`What this browser has of ${name} was not moved to the account.`, error)
    }
  }
  return moved
}

/** Desks are shared by a shift or two. */
const USERS_KEPT = 64
type BrowserView = NonNullable<ReturnType<typeof storage.listViews.read>>[number][1][string]

function browserViews(userId: string): Readonly<Record<string, BrowserView>> {
  return storage.listViews.read()?.find(([id]) => id === userId)?.[1] ?? {}
}

/** The sorting of a list is the browser's own: its first page is asked for before anything is read. */
export function browserSort(userId: string, list: string): string {
  return browserViews(userId)[list]?.sort ?? ''
}

export function keepInBrowser(userId: string, list: string, next: Partial<BrowserView>): void {
  const others = (storage.listViews.read() ?? []).filter(([id]) => id !== userId)
  const known = browserViews(userId)
  const view = { sort: '', hidden: [], saved: [], ...known[list], ...next }
  const mine: [string, Record<string, BrowserView>] = [userId, { ...known, [list]: view }]
  storage.listViews.write([...others.slice(1 - USERS_KEPT), mine])
}
