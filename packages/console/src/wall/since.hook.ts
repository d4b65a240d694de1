/** Since when a tile is in its state: as the server says, else as this page has seen it. */
import type { StateView } from '@trunkline/contract/fleet/state-view.rules'
import { useState } from 'react'

export interface Since {
  sinceMs: number
  /** It was so already when this page first looked. */
  isAtLeast: boolean
}

/** `nowMs`: the API's clock. */
export function useSince(view: StateView, nowMs: number): Since {
  const state = `${view.family} ${view.word} ${view.cause}`
  const [seen, setSeen] = useState({ state, atMs: nowMs, isFirst: true })
  if (seen.state !== state) {
    // What comes after the first reading was so before it.
    const isFirst = seen.isFirst && seen.state.startsWith('move Reading')
    setSeen({ state, atMs: nowMs, isFirst })
  }
  if (view.sinceMs !== null) return { sinceMs: view.sinceMs, isAtLeast: false }
  return { sinceMs: seen.atMs, isAtLeast: seen.isFirst }
}
