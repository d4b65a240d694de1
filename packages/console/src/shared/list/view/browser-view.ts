/** What this browser keeps of lists: their sorting, and filters and columns until they are moved. */
import { storage } from '../../../lib/storage.ts'

/** Desks are shared by a shift or two. */
const USERS_KEPT = 64
type BrowserView = NonNullable<ReturnType<typeof storage.listViews.read>>[number][1][string]

export function browserViews(userId: string): Readonly<Record<string, BrowserView>> {
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
