import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { startLive } from '../lib/live-link.ts'
import { invalidateKind } from '../lib/query-client.ts'
import { endSession } from '../lib/session.ts'

/** Holds the live stream open for as long as that user is signed in; null for nobody. */
export function useLiveLink(userId: string | null): void {
  const client = useQueryClient()
  useEffect(() => {
    if (userId === null) return
    return startLive({
      onObject: (kind) => void invalidateKind(client, kind),
      onGone: endSession,
      onBack: () => void client.invalidateQueries(),
    })
  }, [client, userId])
}
