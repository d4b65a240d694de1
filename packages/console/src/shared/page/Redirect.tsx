/**
 * Goes elsewhere, once. The router's own Navigate goes again on every render while a page loads.
 * Whoever comes Back before that page is there is sent again, as an empty page would remain.
 */
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

interface RedirectProps {
  to: string
  /** Where the operator wanted to go; '' for nowhere in particular (Q9). */
  from: string
}

export function Redirect({ to, from }: RedirectProps) {
  const navigate = useNavigate()
  const pathname = useLocation({ select: (location) => location.pathname })
  // The path changes under our feet while we go; what counts is what it was at first.
  const [first] = useState({ to, from })
  useEffect(() => {
    const isOnItsWay = first.to.split(/[?#]/)[0] === pathname
    if (isOnItsWay) return
    const state = first.from === '' ? {} : { from: first.from }
    void navigate({ to: first.to, replace: true, state })
  }, [navigate, first, pathname])
  return null
}
