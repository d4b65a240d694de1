/** A part of the console that reads the address, in a test: alone, at a path, without the rest. */
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { makeQueryClient } from '../lib/query-client.ts'

/** `shown` is read at each render. Hand its result to a `RouterAt`. */
export function makeRouterAt(path: string, shown: () => ReactNode) {
  return createRouter({
    routeTree: createRootRoute({ component: shown }),
    history: createMemoryHistory({ initialEntries: [path] }),
  })
}

type Router = ReturnType<typeof makeRouterAt>

export function RouterAt({ router }: { router: Router }) {
  // The console has one type of router, and this is not it.
  return <RouterProvider router={router as never} />
}

/** `change` waits until the address has changed too; `address` is what a link would have. */
export async function renderHookAt<T>(path: string, hook: () => T) {
  let child: ReactNode = null
  const client = makeQueryClient()
  const router = makeRouterAt(path, () => child)
  const { result, unmount } = renderHook(hook, {
    wrapper: ({ children }) => {
      child = children
      return (
        <QueryClientProvider client={client}>
          <RouterAt router={router} />
        </QueryClientProvider>
      )
    },
  })
  // The router shows a page once it has looked for what the page loads.
  await waitFor(() => {
    if (result.current === null) throw new Error('The hook is not rendered yet.')
  })
  return {
    result,
    unmount,
    change: async (work: (now: T) => void) => act(async () => work(result.current)),
    back: async () => act(async () => router.history.back()),
    address: () => router.state.location.href,
  }
}
