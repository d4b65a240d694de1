/** A hook that reads the address, in a test: alone, at a path, without the rest of the console. */
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router'
import { act, renderHook, waitFor } from '@testing-library/react'

/** `change` waits until the address has changed too; `address` is what a link would have. */
export async function renderHookAt<T>(path: string, hook: () => T) {
  let child: React.ReactNode = null
  const router = createRouter({
    routeTree: createRootRoute({ component: () => child }),
    history: createMemoryHistory({ initialEntries: [path] }),
  })
  const { result, unmount } = renderHook(hook, {
    wrapper: ({ children }) => {
      child = children
      return <RouterProvider router={router as never} />
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
