import { useEffect, useRef } from 'react'

/** Whether what called is still on the screen, for who waits for an answer: another dialog may be open by then. */
export function useIsShown(): { readonly current: boolean } {
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return isShown
}
