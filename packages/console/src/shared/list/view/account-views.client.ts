/** The calls for how lists are arranged, with what this browser kept before. Loaded once a list is shown. */
import { listListViews, saveListView } from '@trunkline/contract/users/list-view.calls'
import { ArrangedList, type ListView } from '@trunkline/contract/users/list-view.schema'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError, sentenceFor } from '../../../lib/api-error.ts'
import { showToast } from '../../../lib/toast.ts'
import { call } from '../../../lib/call.ts'
import { browserViews, keepInBrowser } from './browser-view.ts'
import type { listViewsQuery } from './list-view.queries.ts'
import { viewIn, withView } from './list-view.rules.ts'
import { mergeBrowserView } from './merge-view.rules.ts'

export async function readViews(userId: string, signal: AbortSignal): Promise<ListView[]> {
  const { data } = await call(listListViews, { signal })
  return moveFromBrowser(userId, data)
}

async function putView({ list, hidden, saved, version }: ListView): Promise<ListView> {
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

type Arranged = Pick<ListView, 'hidden' | 'saved'>
export type ArrangeChange = (view: Arranged) => Partial<Arranged>

const NOT_SAVED = 'The list was not saved with your account.'
/** How often a change is made anew to what another tab saved in between. */
const MOST_TRIES = 3

/** Never throws: a toast says when it was not saved. */
export async function saveView(
  queries: QueryClient,
  query: ReturnType<typeof listViewsQuery>,
  list: ArrangedList,
  change: ArrangeChange,
): Promise<void> {
  const show = (view: ListView) =>
    queries.setQueryData(query.queryKey, (views) => withView(views ?? [], view))
  try {
    for (let tries = 1; ; tries++) {
      const views = queries.getQueryData(query.queryKey) ?? (await queries.fetchQuery(query))
      const before = viewIn(views, list)
      const next = { ...before, ...change(before) }
      show(next)
      try {
        show(await putView(next))
        return
      } catch (error) {
        const isOutdated = error instanceof ApiError && error.code === 'conflict'
        if (!isOutdated || tries === MOST_TRIES) throw error
        await queries.fetchQuery(query)
      }
    }
  } catch (error) {
    showToast('failure', NOT_SAVED, sentenceFor(error, ''))
    void queries.invalidateQueries({ queryKey: query.queryKey })
  }
}
