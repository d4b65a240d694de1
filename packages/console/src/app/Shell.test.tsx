import { act, waitFor, within } from '@testing-library/react'
import { findEncoder, listAllEncoders } from '@trunkline/contract/encoders/encoder.calls'
import { LIVE_BEAT_MS, LIVE_PATH } from '@trunkline/contract/fleet/fleet.schema'
import { jwtLogin, signOut } from '@trunkline/contract/session/session.calls'
import type { Role } from '@trunkline/contract/roles'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { readSession } from '../lib/session.ts'
import { storage } from '../lib/storage.ts'
import { refuse } from '../test/fake-api.ts'
import { snapshotOf } from '../test/fake-stream.ts'
import { renderConsole, resetConsole } from '../test/render-console.tsx'
import { hostOf } from '../test/place.samples.ts'
import { encoderOf, statusOf, userOf } from '../test/samples.ts'

afterEach(resetConsole)

function open(path: string, role: Role | null) {
  return renderConsole({
    path,
    role,
    prepare: (api) => {
      const encoder = encoderOf('e1')
      api.on(listAllEncoders).answer(() => ({ status: true, result: [], total: 0 }))
      api
        .on(findEncoder)
        .answer(({ path: asked }) =>
          asked.endsWith('/e1')
            ? { status: true, data: encoder, encoder }
            : refuse(404, 'There is no such encoder.'),
        )
    },
  })
}

async function tabsOf({ screen }: ReturnType<typeof open>) {
  const [nav] = await screen.findAllByRole('navigation', { name: 'Main' })
  if (nav === undefined) throw new Error('There is no navigation.')
  return within(nav).getAllByRole('link')
}

test('a skip link leads past the search and filters to the list, a landmark', async () => {
  const scene = renderConsole({
    path: '/',
    role: 'admin',
    prepare: (api) => {
      const result = [encoderOf('e1')]
      api.on(listAllEncoders).answer(() => ({ status: true, result, total: 1 }))
    },
  })
  const { screen, user } = scene
  await screen.findByRole('link', { name: 'Camera e1' })
  await user.click(screen.getByRole('link', { name: 'Skip to list' }))
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Encoders' }))
  await user.tab()
  expect(document.activeElement?.textContent).toBe('Camera e1')
})

test('NAV-17 NAV-27 the tabs of an editor, in order', async () => {
  const tabs = await tabsOf(open('/dashboard/userManager', 'editor'))
  // Q6: the digit is to be seen, not to be heard.
  const labels = tabs.map((tab) => tab.textContent?.replace(/^\d/, ''))
  expect(labels).toEqual(['Dashboard', 'Access', 'Encoders', 'Channels'])
})

test.each([
  ['/dashboard', 'Welcome to Trunkline', 'Dashboard'],
  ['/dashboard/alarm', 'Alarms', 'Dashboard'],
  ['/dashboard/notification', 'Notifications', 'Dashboard'],
  ['/dashboard/path', 'Signal paths', 'Dashboard'],
  ['/dashboard/path/input/i1', 'Signal path', 'Dashboard'],
  ['/dashboard/channel', 'Channels', 'Channels'],
  ['/dashboard/wall', 'Wall', 'Channels'],
  ['/dashboard/contribution', 'Contributions', 'Contributions'],
  ['/dashboard/server', 'Servers', 'Servers'],
  ['/dashboard/group', 'Groups', 'Groups'],
  ['/dashboard/user_manager', 'Access', 'Access'],
  ['/dashboard/manager_encoder', 'Encoders', 'Encoders'],
  ['/dashboard/edit_encoder/e1', 'Configure Encoder', 'Encoders'],
  ['/dashboard/s1/g1/contribution/new', 'Contribution Config', 'Contributions'],
  ['/dashboard/s1/output/i1', 'Output Configuration', 'Contributions'],
  ['/dashboard/s1/output_edit/o1', 'Output Configuration', 'Contributions'],
])(
  'NAV-04 to NAV-14 NAV-19 NAV-23 NAV-24 AUTH-18 %s shows %s, lights %s, and each of its calls carries the token',
  async (path, title, tab) => {
    const scene = open(path, 'superadmin')
    await scene.screen.findByRole('heading', { level: 1, name: title })
    const lit = (await tabsOf(scene)).filter((item) => item.getAttribute('aria-current') === 'page')
    expect(lit.map((item) => item.textContent?.replace(/^\d/, ''))).toEqual([tab])
    expect(scene.pathname()).toBe(path)
    const asked = () => scene.api.asked
    await waitFor(() => expect(asked().map((item) => item.path)).toContain(LIVE_PATH))
    const stored = `Bearer ${storage.token.read()}`
    const others = asked().filter(({ headers }) => headers.get('authorization') !== stored)
    expect(others.map((other) => `${other.method} ${other.path}`)).toEqual([])
  },
)

test('NAV-29 an editor who opens Servers lands on the dashboard, also by the keys of tabs that are not offered', async () => {
  const { api, screen, user, pathname } = open('/dashboard/server', 'editor')
  await screen.findByRole('heading', { name: 'Welcome to Trunkline' })
  await user.keyboard('23')
  expect(pathname()).toBe('/')
  const asked = api.asked.map((request) => request.path)
  expect(asked.filter((path) => /^\/api\/(server|contribution)/.test(path))).toEqual([])
})

test('NAV-15 an unknown encoder leads to the dashboard', async () => {
  const { screen, pathname } = open('/dashboard/editEncoder/nobody', 'admin')
  await screen.findByRole('heading', { name: 'Welcome to Trunkline' })
  expect(pathname()).toBe('/')
})

test('NAV-30 an unknown path falls back to the dashboard', async () => {
  const { screen, pathname } = open('/dashboard/nope', 'admin')
  await screen.findByRole('heading', { name: 'Welcome to Trunkline' })
  expect(pathname()).toBe('/')
})

test('NAV-20 AUTH-12 the name is there before the session is checked', async () => {
  const { api, screen } = open('/dashboard/userManager', 'manager')
  api.on(jwtLogin).answer(async () => new Promise<never>(() => {}))
  await screen.findByText('Night Desk')
  expect(screen.queryByRole('heading', { name: /Sign in/ })).toBeNull()
})

test('AUTH-13 AUTH-14 the session is checked at load and on each path change; the answer replaces the token', async () => {
  const scene = open('/dashboard/userManager', 'admin')
  const user = userOf('admin')
  await tabsOf(scene)
  await waitFor(() => expect(scene.api.askedOf(jwtLogin)).toHaveLength(1))
  scene.api.on(jwtLogin).answer(() => ({ status: true, user, token: 'slid' }))
  for (const [index, name] of ['Servers', 'Groups', 'Encoders'].entries()) {
    const tab = (await tabsOf(scene)).find((item) => item.textContent?.endsWith(name))
    await scene.user.click(tab as HTMLElement)
    await waitFor(() => expect(scene.api.askedOf(jwtLogin)).toHaveLength(index + 2))
  }
  expect(scene.api.askedOf(jwtLogin)[0]?.body).toEqual({})
  await waitFor(() => expect(storage.token.read()).toBe('slid'))
})

test('AUTH-15 ERR-04 a refused check shows the server’s sentence, forgets the account and opens /login', async () => {
  const scene = renderConsole({
    path: '/dashboard/userManager',
    role: 'admin',
    prepare: (api) => api.on(jwtLogin).answer(() => refuse(401, 'Your session has expired.')),
  })
  await scene.screen.findByText('Your session has expired.')
  expect(scene.pathname()).toBe('/login')
  expect(storage.user.read()).toBeNull()
  expect(storage.token.read()).toBeNull()
})

test('Q11 without an answer the operator stays signed in and sees a single notice', async () => {
  const scene = open('/dashboard/userManager', 'admin')
  await tabsOf(scene)
  scene.api.setReachable(false)
  for (const name of ['Servers', 'Groups']) {
    const tab = (await tabsOf(scene)).find((item) => item.textContent?.endsWith(name))
    await scene.user.click(tab as HTMLElement)
    await scene.screen.findByRole('heading', { level: 1, name })
  }
  const notices = await scene.screen.findAllByText(/Cannot contact the backend server/)
  expect(notices).toHaveLength(1)
  expect(readSession()).not.toBeNull()
  scene.api.setReachable(true)
})

test('AUTH-17 NAV-21 Log out forgets the account; Back shows no shell', async () => {
  const scene = open('/dashboard/userManager', 'admin')
  await scene.user.click(await scene.screen.findByRole('button', { name: 'Log out' }))
  await scene.screen.findByRole('heading', { name: /Sign in/ })
  expect(storage.token.read()).toBeNull()
  scene.router.history.back()
  await waitFor(() => expect(scene.pathname()).toBe('/login'))
  expect(scene.screen.queryByRole('navigation')).toBeNull()
})

test('T5 Log out ends the session at the server', async () => {
  const scene = open('/dashboard/userManager', 'admin')
  const token = storage.token.read()
  await scene.user.click(await scene.screen.findByRole('button', { name: 'Log out' }))
  const [request] = scene.api.askedOf(signOut)
  expect(request?.headers.get('authorization')).toBe(`Bearer ${token}`)
  await scene.screen.findByRole('heading', { name: /Sign in/ })
  expect(scene.screen.queryByText('Signed out in this browser only')).toBeNull()
})

test('Log out without an answer says that the session stays open on the server', async () => {
  const scene = open('/dashboard/userManager', 'admin')
  const out = await scene.screen.findByRole('button', { name: 'Log out' })
  scene.api.setReachable(false)
  await scene.user.click(out)
  await scene.screen.findByText('Signed out in this browser only')
  expect(storage.token.read()).toBeNull()
})

test('NAV-16 AUTH-16 with the token removed by hand the next change of the path leads to the sign-in', async () => {
  const { screen, user, pathname } = open('/', 'admin')
  await screen.findByRole('heading', { name: 'Welcome to Trunkline' })
  localStorage.removeItem('token')
  const [tab] = screen.getAllByRole('link', { name: /Servers/ })
  await user.click(tab as HTMLElement)
  await screen.findByRole('heading', { name: /Sign in/ })
  expect(pathname()).toBe('/login')
  expect(storage.user.read()).toBeNull()
})

const TAB_PATHS = [
  '/',
  '/dashboard/server',
  '/dashboard/group',
  '/dashboard/userManager',
  '/dashboard/managerEncoder',
  '/dashboard/channel',
  '/dashboard/contribution',
]

test('NAV-18 each tab opens its own path', async () => {
  const scene = open('/dashboard/userManager', 'admin')
  const opened: string[] = []
  for (const at of (await tabsOf(scene)).keys()) {
    const tab = (await tabsOf(scene))[at] as HTMLElement
    await scene.user.click(tab)
    await waitFor(() => expect(tab.getAttribute('aria-current')).toBe('page'))
    opened.push(scene.pathname())
  }
  expect(opened).toEqual(TAB_PATHS)
})

test('NAV-18 keys open tabs by their number, but not while somebody types', async () => {
  const scene = open('/', 'admin')
  await scene.screen.findByRole('heading', { name: 'Welcome to Trunkline' })
  await scene.user.keyboard('/')
  const search = scene.screen.getByRole('searchbox', { name: 'Search encoders' })
  expect(document.activeElement).toBe(search)
  await scene.user.keyboard('2')
  expect(scene.pathname()).toBe('/')
  search.blur()
  await scene.user.keyboard('2')
  await waitFor(() => expect(scene.pathname()).toBe('/dashboard/server'))
})

test('NAV-18 the keys 1 to 7 open the same paths', async () => {
  const scene = open('/dashboard/userManager', 'admin')
  await tabsOf(scene)
  const opened: string[] = []
  for (const [digit, path] of TAB_PATHS.entries()) {
    await scene.user.keyboard(String(digit + 1))
    await waitFor(() => expect(scene.pathname()).toBe(path))
    opened.push(scene.pathname())
  }
  expect(opened).toEqual(TAB_PATHS)
})

test('a key does nothing for a tab that the role does not have', async () => {
  const scene = open('/', 'editor')
  await scene.screen.findByRole('heading', { name: 'Welcome to Trunkline' })
  await scene.user.keyboard('2')
  await scene.user.keyboard('4')
  await waitFor(() => expect(scene.pathname()).toBe('/dashboard/userManager'))
})

test('WCAG 2.1.4 single keys can be switched off', async () => {
  const scene = open('/', 'admin')
  await scene.screen.findByRole('heading', { name: 'Welcome to Trunkline' })
  await scene.user.keyboard('?')
  await scene.user.click(
    await scene.screen.findByRole('button', { name: 'Switch single keys off' }),
  )
  await scene.user.keyboard('{Escape}')
  await waitFor(() => expect(scene.screen.queryByRole('dialog')).toBeNull())
  await scene.user.keyboard('2')
  expect(scene.pathname()).toBe('/')
})

test('the tally is of the whole fleet: All OK, then what is wrong', async () => {
  const { api, screen } = open('/dashboard/userManager', 'admin')
  await waitFor(() => expect(api.stream.isConnected()).toBe(true))
  api.stream.push(snapshotOf({ programs: [statusOf('a'), statusOf('b')] }))
  await screen.findByText('All OK')
  api.stream.push({ event: 'program', data: statusOf('a', { state: 'fatal' }) })
  api.stream.push({
    event: 'program',
    data: statusOf('b', { state: 'stopped', wanted: 'stopped' }),
  })
  const word = await screen.findByText('critical')
  expect(word.parentElement?.textContent).toBe('1 critical')
  expect(screen.queryByText('All OK')).toBeNull()
})

test('a tally of thousands is written as every other number', async () => {
  const { api, screen } = open('/dashboard/userManager', 'admin')
  await waitFor(() => expect(api.stream.isConnected()).toBe(true))
  const programs = Array.from({ length: 1200 }, (_, at) => statusOf(`p${at}`, { state: 'fatal' }))
  api.stream.push(snapshotOf({ programs }))
  const word = await screen.findByText('critical')
  expect(word.parentElement?.textContent).toBe('1,200 critical')
})

async function openWithClock() {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const scene = open('/dashboard/userManager', 'admin')
  await waitFor(() => expect(scene.api.stream.isConnected()).toBe(true))
  scene.api.stream.push(snapshotOf({ programs: [statusOf('a')] }))
  await scene.screen.findByText('All OK')
  return { ...scene, pass: async (ms: number) => act(async () => vi.advanceTimersByTimeAsync(ms)) }
}

test('nothing older than 5 s is shown as OK or live', async () => {
  const { api, screen, pass } = await openWithClock()
  api.stream.fallSilent()
  await pass(2000)
  screen.getByText('All OK')
  expect(screen.getAllByText('Live')).not.toHaveLength(0)
  await pass(3000)
  screen.getByText('Not current')
  expect(screen.queryByText('All OK')).toBeNull()
  expect(screen.queryByText('Live')).toBeNull()
  expect(screen.getAllByText(/Data from \d\d:\d\d:\d\d/)).not.toHaveLength(0)
  api.stream.push({ event: 'beat', data: { atMs: Date.now() } })
  await pass(1000)
  screen.getByText('All OK')
  expect(screen.getAllByText('Live')).not.toHaveLength(0)
})

test('a lost connection is not shown as OK, not even for a moment', async () => {
  const { api, screen, pass } = await openWithClock()
  act(() => api.stream.end())
  await pass(100)
  screen.getByText('Not current')
  expect(screen.queryByText('All OK')).toBeNull()
  expect(screen.getAllByText(/Data from \d\d:\d\d:\d\d/)).not.toHaveLength(0)
})

test('with beats at their usual interval the header stays at All OK', async () => {
  const { api, screen, pass } = await openWithClock()
  for (let beats = 0; beats < 5; beats++) {
    await pass(LIVE_BEAT_MS)
    expect(screen.queryByText('All OK')).not.toBeNull()
    act(() => api.stream.push({ event: 'beat', data: { atMs: Date.now() } }))
  }
})

test('after the computer has slept nothing is shown as OK until the API answers again', async () => {
  const { screen, pass } = await openWithClock()
  // The monotonic clock stands still meanwhile.
  vi.setSystemTime(Date.now() + 3_600_000)
  await pass(1000)
  screen.getByText('Not current')
  expect(screen.queryByText('All OK')).toBeNull()
})

test('the tally counts servers too, and no host of an encoder', async () => {
  const { api, screen } = open('/dashboard/userManager', 'admin')
  await waitFor(() => expect(api.stream.isConnected()).toBe(true))
  const away = { online: false, fault: 'timeout', cause: 'The host did not answer.' } as const
  api.stream.push(snapshotOf({ hosts: [hostOf('a'), hostOf('e', { ...away, kind: 'encoder' })] }))
  await screen.findByText('All OK')
  api.stream.push({ event: 'host', data: hostOf('a', away) })
  const silent = await screen.findByText('unreachable')
  expect(silent.parentElement?.textContent).toBe('1 unreachable')
  api.stream.push({ event: 'host', data: hostOf('a', { ...away, fault: 'wrong-key' }) })
  const broken = await screen.findByText('critical')
  expect(broken.parentElement?.textContent).toBe('1 critical')
  api.stream.push({ event: 'host', data: hostOf('a') })
  await screen.findByText('All OK')
})

test('a revoked session ends at once on the open page', async () => {
  const { api, screen } = open('/dashboard/userManager', 'admin')
  await waitFor(() => expect(api.stream.isConnected()).toBe(true))
  api.stream.push({ event: 'gone', data: { error: 'Your role has changed. Sign in again.' } })
  await screen.findByText('Your role has changed. Sign in again.')
  await screen.findByRole('heading', { name: /Sign in/ })
})

test('the header shows since when live updates are missing', async () => {
  const { api, screen } = open('/dashboard/userManager', 'admin')
  await waitFor(() => expect(api.stream.isConnected()).toBe(true))
  api.stream.push(snapshotOf({}))
  await screen.findAllByText('Live')
  api.setReachable(false)
  api.stream.end()
  const notices = await screen.findAllByText(/Data from \d\d:\d\d:\d\d/)
  expect(notices).not.toHaveLength(0)
})
