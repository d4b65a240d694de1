/** How lists are arranged, as the API keeps it for a person: over several renderings of one test. */
import { listListViews, saveListView } from '@trunkline/contract/users/list-view.calls'
import type { ListView } from '@trunkline/contract/users/list-view.schema'
import { refuseOddly, type FakeApi } from './fake-api.ts'

const SENTENCE = 'Somebody else has saved this list since you opened it.'
const OUTDATED = refuseOddly(409, {
  status: false,
  error: SENTENCE,
  msg: SENTENCE,
  code: 'conflict',
})

const kept = new Map<string, ListView>()

export function answerListViews(api: FakeApi): void {
  api.on(listListViews).answer(() => ({ status: true, data: [...kept.values()] }))
  api.on(saveListView).answer(({ path, body }) => {
    const list = (path.split('/').at(-1) ?? '') as ListView['list']
    const sent = body as Pick<ListView, 'hidden' | 'saved' | 'version'>
    if (sent.version !== (kept.get(list)?.version ?? 0)) return OUTDATED
    const saved = { ...sent, list, version: sent.version + 1 }
    kept.set(list, saved)
    return { status: true, data: saved }
  })
}

/** As if another tab or machine had saved it. */
export function keepListView(view: ListView): void {
  kept.set(view.list, view)
}

export function keptListViews(): readonly ListView[] {
  return [...kept.values()]
}

export function forgetListViews(): void {
  kept.clear()
}
