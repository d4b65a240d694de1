/** Several controls that are one field of a form: left when the focus goes to none of them. */
import type { ReactNode } from 'react'

export function Leaving({ onLeave, children }: { onLeave: () => void; children: ReactNode }) {
  return (
    <div
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) onLeave()
      }}
    >
      {children}
    </div>
  )
}
