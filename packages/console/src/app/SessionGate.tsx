/** Lets only a signed-in operator see the shell, and only the areas their role may open (Q8, NAV-29). */
import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useLocation, useMatches } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useKeptDialogNotice } from '../shared/kept/kept-typing.hook.ts'
import { startLive } from '../lib/live/live-link.ts'
import { showAs } from '../lib/locale/shown-as.ts'
import { invalidateKind, invalidateMissed } from '../lib/query-client.ts'
import {
  endSession,
  hasSignedInHere,
  hasSignedOut,
  readSession,
  useRole,
  useSession,
} from '../lib/session.ts'
import { checkSession } from '../session/session.actions.ts'
import { Redirect } from '../shared/page/Redirect.tsx'
import { mayOpen, paths } from './paths.ts'
import { Shell } from './Shell.tsx'

export function SessionGate() {
  const session = useSession()
  const role = useRole()
  const { pathname, href } = useLocation()
  const area = useMatches().at(-1)?.staticData.area ?? null
  const isSignedIn = session !== null
  useLiveLink(session?.user._id ?? null)
  useKeptDialogNotice(session?.user._id ?? null)
  // AUTH-13: at load and on every path change; the stored user stays on the screen meanwhile.
  useEffect(() => {
    if (isSignedIn) void checkSession()
  }, [isSignedIn, pathname])
  // Somebody has signed in: nothing is typed on the page that was asked for.
  useEffect(() => {
    if (isSignedIn && hasSignedInHere()) showAs(readSession()?.user ?? null)
  }, [isSignedIn])
  if (!isSignedIn) {
    const isAsked = !hasSignedOut() && href !== paths.root
    return <Redirect to={paths.login} from={isAsked ? href : ''} />
  }
  if (area !== null && !mayOpen(role, area)) return <Redirect to={paths.root} from="" />
  // What one person has opened and typed is not for another who signs in in another tab.
  return (
    <Shell key={session.user._id} area={area} user={session.user}>
      <Outlet />
    </Shell>
  )
}

/** Holds the live stream open for as long as that user is signed in; null for nobody. */
function useLiveLink(userId: string | null): void {
  const client = useQueryClient()
  useEffect(() => {
    if (userId === null) return
    return startLive({
      onObject: (kind) => void invalidateKind(client, kind),
      onGone: endSession,
      onBack: () => void invalidateMissed(client),
    })
  }, [client, userId])
}
