/** While it is there, another page and the end of this one wait for an answer. */
import { useBlocker, useRouter } from '@tanstack/react-router'
import { readSession } from '../../lib/session.ts'

interface PageGuardProps {
  /** Asked before the page changes; the browser asks in its own words before it closes the page. */
  mayLeave: () => boolean | Promise<boolean>
}

/** A dialog that stands beside the pages stays open over a change of page: nothing is lost by one. */
export function PageGuard(props: PageGuardProps) {
  // Outside of the pages there is none, whatever its type says.
  const router: unknown = useRouter({ warn: false })
  return Boolean(router) && <Guard {...props} />
}

function Guard({ mayLeave }: PageGuardProps) {
  useBlocker({
    shouldBlockFn: async ({ current, next, action }) => {
      // What a page notes in its own address is no leaving; who is signed out cannot stay.
      const isNote = current.pathname === next.pathname && action === 'REPLACE'
      if (isNote || readSession() === null) return false
      return !(await mayLeave())
    },
    enableBeforeUnload: true,
  })
  return null
}
