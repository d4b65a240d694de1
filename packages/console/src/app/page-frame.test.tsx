/** What is around every page: who may see it, how a narrow screen gets about, which filters a list has. */
import { waitFor, within } from '@testing-library/react'
import { listAllEncoders, listEncoders } from '@trunkline/contract/encoders/encoder.calls'
import { jwtLogin } from '@trunkline/contract/session/session.calls'
import { afterEach, expect, test } from 'vitest'
import { readSession } from '../lib/session.ts'
import { refuse } from '../test/fake-api.ts'
import { renderConsole, resetConsole } from '../test/render-console.tsx'

afterEach(resetConsole)

test('NAV-16 STATE-08 a stored session is shown, checked, and ended by a check that a path change brings', async () => {
  const { api, screen, user, pathname } = renderConsole({ path: '/dashboard/group', role: 'admin' })
  const [nav] = await screen.findAllByRole('navigation', { name: 'Main' })
  await waitFor(() => expect(api.askedOf(jwtLogin)).toHaveLength(1))
  expect(readSession()).not.toBeNull()

  api.on(jwtLogin).answer(() => refuse(401, 'Your session has expired.'))
  await user.click(within(nav as HTMLElement).getByRole('link', { name: 'Access' }))
  await screen.findByRole('heading', { name: /Sign in/ })
  expect(pathname()).toBe('/login')
  expect(readSession()).toBeNull()
  expect(screen.queryByRole('navigation')).toBeNull()
})

test('NAV-22 Q7 the bar of a narrow screen leads to every area, and logs out', async () => {
  const { screen, user, pathname } = renderConsole({ path: '/dashboard/group', role: 'admin' })
  const [, bar] = await screen.findAllByRole('navigation', { name: 'Main' })
  const inBar = within(bar as HTMLElement)
  const pathsOf = (links: readonly HTMLElement[]) =>
    links.map((link) => [link.textContent, link.getAttribute('href')])
  expect(pathsOf(inBar.getAllByRole('link'))).toEqual([
    ['Dashboard', '/'],
    ['Encoders', '/dashboard/managerEncoder'],
    ['Channels', '/dashboard/channel'],
    ['Contributions', '/dashboard/contribution'],
  ])
  await user.click(inBar.getByRole('button', { name: 'More' }))
  const more = within(await screen.findByRole('dialog', { name: 'More' }))
  expect(pathsOf(more.getAllByRole('link'))).toEqual([
    ['Servers', '/dashboard/server'],
    ['Groups', '/dashboard/group'],
    ['Access', '/dashboard/userManager'],
  ])
  await user.click(more.getByRole('button', { name: 'Log out' }))
  await waitFor(() => expect(pathname()).toBe('/login'))
  expect(readSession()).toBeNull()
})

test.each(['/', '/dashboard/managerEncoder'])(
  'CONST-17 the list at %s is filtered by group alone, there is no filter by tag',
  async (path) => {
    const { screen } = renderConsole({
      path,
      role: 'admin',
      prepare: (api) => {
        api.on(listAllEncoders).answer(() => ({ status: true, result: [], total: 0 }))
        api.on(listEncoders).answer(() => ({ status: true, encoders: [], total: 0 }))
      },
    })
    await screen.findByRole('searchbox', { name: 'Search encoders' })
    expect(screen.getAllByRole('combobox')).toEqual([
      screen.getByRole('combobox', { name: 'Group' }),
    ])
    expect(screen.queryByText(/\btags?\b/i)).toBeNull()
  },
)
