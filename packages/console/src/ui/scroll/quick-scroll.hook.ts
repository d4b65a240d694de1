/** Whether the page is scrolled faster than anybody reads. */
import { useEffect, useState } from 'react'

/** From one event to the next. A turn of the wheel and Page Down move less, where frames are not late. */
export const QUICK_STEP_PX = 200
/** Without another quick step it is over. */
export const OVER_AFTER_MS = 150

/** Two quick steps in a row: one alone is a jump to a place. */
export function useQuickScroll(): boolean {
  const [isQuick, setQuick] = useState(false)
  useEffect(() => {
    let lastPx = window.scrollY
    let wasQuick = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      const isQuickStep = Math.abs(window.scrollY - lastPx) > QUICK_STEP_PX
      lastPx = window.scrollY
      if (!isQuickStep) return
      if (wasQuick) setQuick(true)
      wasQuick = true
      clearTimeout(timer)
      timer = setTimeout(() => {
        wasQuick = false
        setQuick(false)
      }, OVER_AFTER_MS)
    }
    window.addEventListener('scroll', look, { passive: true })
    return () => {
      window.removeEventListener('scroll', look)
      clearTimeout(timer)
    }
  }, [])
  return isQuick
}
