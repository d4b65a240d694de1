/** What is around every page: who may see it, how a narrow screen gets about, which filters a list has. */
import { act, waitFor, within } from '@testing-library/react'
import { listAllEncoders, listEncoders } from '@trunkline/contract/encoders/encoder.calls'
import { signInWays } from '@trunkline/contract/session/oidc.calls'
import { jwtLogin } from '@trunkline/contract/session/session.calls'
import { afterEach, expect, test } from 'vitest'
import { readSession } from '../lib/session.ts'
import { refuse } from '../test/fake-api.ts'
import { renderConsole, resetConsole } from '../test/render-console.tsx'
import { encoderOf, userOf } from '../test/samples.ts'

afterEach(resetConsole)

test('AUTH-16 Q10 without a user a page leads to /login, and only what that page shows is asked for', async () => {
  const { api, screen, pathname } = renderConsole({ path: '/dashboard/contribution', role: null })
  await screen.findByRole('heading', { name: /Sign in/ })
  expect(pathname()).toBe('/login')
  expect(screen.queryByRole('navigation')).toBeNull()
  const shown = ['/api/health', signInWays.path]
  expect(api.asked.map((item) => item.path).filter((path) => !shown.includes(path))).toEqual([])
})

test.each(['token', 'user'])(
  'NAV-16 decisions 36 with the %s removed by hand, Back leads to the sign-in',
  async (key) => {
    const { screen, user, router, pathname } = renderConsole({
      path: '/dashboard/userManager',
      role: 'admin',
    })
    const [tab] = await screen.findAllByRole('link', { name: /Servers/ })
    await user.click(tab as HTMLElement)
    await screen.findByRole('heading', { level: 1, name: 'Servers' })
    localStorage.removeItem(key)
    act(() => router.history.back())
    await screen.findByRole('heading', { name: /Sign in/ })
    expect(pathname()).toBe('/login')
    expect([localStorage.getItem('token'), localStorage.getItem('user')]).toEqual([null, null])
  },
)

test.each(['at once', 'by the check'])(
  'AUTH-18 decisions 36 what one account read is not shown to another put there by hand, seen %s',
  async (when) => {
    const other = { ...userOf('admin'), _id: 'other', id: 'other', fullName: 'Other Desk' }
    const { api, screen, user } = renderConsole({
      path: '/',
      role: 'admin',
      prepare: (fake) => {
        fake.on(listAllEncoders).answer(({ headers }) => {
          const isOther = headers.get('authorization') === 'Bearer token-other'
          return { status: true, result: [encoderOf(isOther ? 'theirs' : 'mine')], total: 1 }
        })
      },
    })
    await screen.findByRole('link', { name: 'Camera mine' })
    api.on(jwtLogin).answer(() => ({ status: true, user: other, token: 'token-other' }))
    localStorage.setItem('token', 'token-other')
    if (when === 'at once') localStorage.setItem('user', JSON.stringify(other))
    const [servers] = screen.getAllByRole('link', { name: /Servers/ })
    await user.click(servers as HTMLElement)
    await screen.findByText('Other Desk')
    const [dashboard] = screen.getAllByRole('link', { name: /Dashboard/ })
    await user.click(dashboard as HTMLElement)
    await screen.findByRole('link', { name: 'Camera theirs' })
    expect(screen.queryByRole('link', { name: 'Camera mine' })).toBeNull()
  },
)

test('AUTH-25 Q5 a signed-in user who opens /signup sees the dashboard', async () => {
  const { screen, pathname } = renderConsole({ path: '/signup', role: 'monitor' })
  await screen.findByRole('heading', { name: 'Welcome to Trunkline' })
  expect(pathname()).toBe('/')
})

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

test('NAV-22 NAV-27 the bar offers an editor the own areas alone', async () => {
  const { screen, user } = renderConsole({ path: '/', role: 'editor' })
  const [, bar] = await screen.findAllByRole('navigation', { name: 'Main' })
  const inBar = within(bar as HTMLElement)
  const names = (links: readonly HTMLElement[]) => links.map((link) => link.textContent)
  expect(names(inBar.getAllByRole('link'))).toEqual(['Dashboard', 'Encoders', 'Channels'])
  await user.click(inBar.getByRole('button', { name: 'More' }))
  const more = within(await screen.findByRole('dialog', { name: 'More' }))
  expect(names(more.getAllByRole('link'))).toEqual(['Access'])
})

test.each([
  ['/dashboard/wall', 'Channels'],
  ['/dashboard/server', 'More'],
])('NAV-19 NAV-22 at %s the bar marks %s as open', async (path, label) => {
  const { screen } = renderConsole({ path, role: 'admin' })
  const [, bar] = await screen.findAllByRole('navigation', { name: 'Main' })
  const marked = (bar as HTMLElement).querySelectorAll('[aria-current], [data-current]')
  expect([...marked].map((item) => item.textContent)).toEqual([label])
})

test('a link that goes with its page leaves the focus to the content of the new page, a tab keeps it', async () => {
  const { screen, user, pathname } = renderConsole({ path: '/dashboard/alarm', role: 'admin' })
  const main = await screen.findByRole('main')
  await user.click(await within(main).findByRole('link', { name: 'Signal paths' }))
  await waitFor(() => expect(document.activeElement).toBe(main))
  expect(pathname()).toBe('/dashboard/path')
  const [nav] = await screen.findAllByRole('navigation', { name: 'Main' })
  const tab = within(nav as HTMLElement).getByRole('link', { name: 'Dashboard' })
  await user.click(tab)
  await waitFor(() => expect(pathname()).toBe('/'))
  expect(document.activeElement).toBe(tab)
})

test('NAV-19 the lit tab follows links, Back and Forward', async () => {
  const { screen, user, router } = renderConsole({ path: '/dashboard/group', role: 'admin' })
  const [nav] = await screen.findAllByRole('navigation', { name: 'Main' })
  const inNav = within(nav as HTMLElement)
  const isLit = async (name: string) =>
    waitFor(() => {
      const lit = inNav.getAllByRole('link').filter((link) => link.hasAttribute('aria-current'))
      expect(lit.map((link) => link.textContent?.replace(/^\d/, ''))).toEqual([name])
    })
  await isLit('Groups')
  await user.click(inNav.getByRole('link', { name: 'Servers' }))
  await isLit('Servers')
  await user.click(inNav.getByRole('link', { name: 'Channels' }))
  await isLit('Channels')
  act(() => router.history.back())
  await isLit('Servers')
  act(() => router.history.forward())
  await isLit('Channels')
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
