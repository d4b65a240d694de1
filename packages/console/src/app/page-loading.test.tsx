import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  RouterProvider,
} from '@tanstack/react-router'
import { act, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Providers } from './providers.tsx'
import { makeQueryClient } from '../lib/query-client.ts'
import { renderConsole, resetConsole } from '../test/render-console.tsx'
import { PageFailed } from './PageState.tsx'

vi.mock('../channels/list/ChannelsPage.tsx', () => {
  throw new Error('The code of this page could not be fetched.')
})

vi.mock('../groups/GroupsPage.tsx', async () => new Promise(() => {}))

afterEach(resetConsole)

test('a page that cannot be loaded shows a message, and the header stays', async () => {
  const { screen } = renderConsole({ path: '/dashboard/channel', role: 'admin' })
  await screen.findByText('This page could not be shown.')
  screen.getByRole('button', { name: 'Reload the console' })
  expect(screen.getAllByRole('navigation', { name: 'Main' }).length).toBeGreaterThan(0)
})

test('a page that a hanging server does not deliver is shown as being opened, and its tab is lit', async () => {
  const { screen, user } = renderConsole({ path: '/dashboard/server', role: 'admin' })
  await screen.findByRole('heading', { name: 'Servers' })
  const [tab] = screen.getAllByRole('link', { name: /Groups/ })
  if (tab === undefined) throw new Error('The header has no such tab.')
  await user.click(tab)
  await screen.findByRole('heading', { name: 'Opening the page' })
  expect(tab.getAttribute('aria-current')).toBe('page')
})

test('a page that could not be loaded is loaded again automatically', async () => {
  vi.useFakeTimers()
  const load = vi
    .fn<() => Promise<{ Page: () => ReactNode }>>(async () =>
      Promise.resolve({ Page: () => <h1>Loaded</h1> }),
    )
    .mockRejectedValueOnce(new Error('No network'))
  const root = createRootRoute()
  const page = createRoute({
    getParentRoute: () => root,
    path: '/',
    component: lazyRouteComponent(load, 'Page'),
  })
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory(),
    defaultErrorComponent: PageFailed,
  })
  render(
    <Providers queryClient={makeQueryClient()} nonce="">
      {/* The type is of the routes of the console. */}
      <RouterProvider router={router as never} />
    </Providers>,
  )
  await act(async () => vi.advanceTimersByTimeAsync(100))
  screen.getByText('This page could not be shown.')
  await act(async () => vi.advanceTimersByTimeAsync(5000))
  expect(screen.queryByRole('heading', { name: 'Loaded' })).not.toBeNull()
})
