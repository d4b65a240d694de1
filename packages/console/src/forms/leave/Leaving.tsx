/** Several controls that are one field of a form: left when the focus goes to none of them. */
import { type ReactNode, useRef } from 'react'

interface LeavingProps {
  onLeave: () => void
  children: ReactNode
}

export function Leaving({ onLeave, children }: LeavingProps) {
  // A press on a label takes the focus away before it gives it to that label's control.
  const isPressedWithin = useRef(false)
  return (
    <div
      onPointerDown={() => {
        isPressedWithin.current = true
      }}
      onFocus={() => {
        isPressedWithin.current = false
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        const isWithin = relatedTarget === null && isPressedWithin.current
        isPressedWithin.current = false
        if (!isWithin && !currentTarget.contains(relatedTarget)) onLeave()
      }}
    >
      {children}
    </div>
  )
}
