import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { RouterAt } from '../../test/render-at.tsx'
import { Redirect } from './Redirect.tsx'

afterEach(cleanup)

test('AUTH-17 whoever goes Back before the sign-in page is loaded is sent there again', async () => {
  const loaded = Promise.withResolvers<{ Page: () => React.ReactNode }>()
  const root = createRootRoute()
  const shell = createRoute({
    getParentRoute: () => root,
    id: 'shell',
    component: () => <Redirect to="/login" from="" />,
  })
  const routeTree = root.addChildren([
    createRoute({
      getParentRoute: () => root,
      path: '/login',
      component: lazyRouteComponent(async () => loaded.promise, 'Page'),
    }),
    shell.addChildren(
      ['/channels', '/encoders'].map((path) => createRoute({ getParentRoute: () => shell, path })),
    ),
  ])
  const initialEntries = ['/channels', '/encoders']
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries }) })
  render(<RouterAt router={router as never} />)
  const isSentOn = async () =>
    waitFor(() => {
      expect(router.history.location.pathname).toBe('/login')
    })
  await isSentOn()

  await act(async () => router.history.back())
  await isSentOn()
  loaded.resolve({ Page: () => <h1>Sign in</h1> })
  await screen.findByRole('heading', { name: 'Sign in' })
})
