/**
 * The player is the heaviest part of the console: a chunk of its own, fetched before it is needed.
 * Not by React's lazy: that shows its fallback once even for a chunk that is there, and React then
 * holds the real thing back for 300 ms.
 */
import { useEffect, useState } from 'react'
import type { Player } from './Player.tsx'

type PlayerComponent = typeof Player

let loaded: PlayerComponent | null = null

/** @throws when the chunk cannot be fetched */
export async function loadPlayer(): Promise<PlayerComponent> {
  const module = await import('./Player.tsx')
  loaded = module.Player
  return loaded
}

/** Fetches it in good time; who needs it later hears of a failure. */
export function preloadPlayer(): void {
  loadPlayer().catch(() => undefined)
}

export function usePlayer(): PlayerComponent | 'loading' | 'failed' {
  const [player, setPlayer] = useState<PlayerComponent | 'loading' | 'failed'>(
    () => loaded ?? 'loading',
  )
  useEffect(() => {
    if (player !== 'loading') return
    loadPlayer().then(
      (component) => setPlayer(() => component),
      () => setPlayer('failed'),
    )
  }, [player])
  return player
}
