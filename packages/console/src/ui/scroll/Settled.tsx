import { type ReactNode, useState } from 'react'

interface SettledProps {
  /** Of `useQuickScroll`. */
  isQuick: boolean
  /** As high as what it stands for. */
  waiting: ReactNode
  children: ReactNode
}

/** Of a long list, what came into sight during quick scrolling is drawn when that is over. What is drawn stays. */
export function Settled({ isQuick, waiting, children }: SettledProps) {
  const [isDrawn, setDrawn] = useState(!isQuick)
  if (!isQuick && !isDrawn) setDrawn(true)
  return isDrawn ? children : waiting
}
