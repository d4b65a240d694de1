/** How somebody has arranged a list: kept per person, list and browser. */
import { useState } from 'react'
import { useSession } from '../../lib/session.ts'
import { type ListView, storage } from '../../lib/storage.ts'

/** Desks are shared by a shift or two. */
const USERS_KEPT = 64
const AS_MADE: ListView = { sort: '', hidden: [], saved: [] }

/** `list`: its name, such as 'encoders'; '' keeps nothing. */
export function useListView(list: string) {
  const userId = useSession()?.user._id ?? ''
  const [view, setView] = useState(() => remembered(userId, list))
  const change = (next: Partial<ListView>) => {
    const changed = { ...remembered(userId, list), ...next }
    if (list !== '') remember(userId, list, changed)
    setView(changed)
  }
  return [view, change] as const
}

function viewsOf(userId: string): Readonly<Record<string, ListView>> {
  return storage.listViews.read()?.find(([id]) => id === userId)?.[1] ?? {}
}

function remembered(userId: string, list: string): ListView {
  return viewsOf(userId)[list] ?? AS_MADE
}

function remember(userId: string, list: string, view: ListView): void {
  const others = (storage.listViews.read() ?? []).filter(([id]) => id !== userId)
  const mine: [string, Record<string, ListView>] = [userId, { ...viewsOf(userId), [list]: view }]
  storage.listViews.write([...others.slice(1 - USERS_KEPT), mine])
}
