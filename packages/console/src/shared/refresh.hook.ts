import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

/** CON-IN-40. */
export const REFRESH_DELAY_MS = 1500

/**
 * CON-IN-40: what is under way is dropped, and after a moment everything is read anew.
 * `kind`: the first part of the query keys, such as 'user'.
 */
export function useRefresh(kind: string) {
  const client = useQueryClient()
  const [isWaiting, setWaiting] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const refresh = () => {
    clearTimeout(timer.current)
    setWaiting(true)
    void client.cancelQueries({ queryKey: [kind] })
    timer.current = setTimeout(() => {
      setWaiting(false)
      void client.invalidateQueries({ queryKey: [kind] })
    }, REFRESH_DELAY_MS)
  }
  return { isWaiting, refresh }
}
