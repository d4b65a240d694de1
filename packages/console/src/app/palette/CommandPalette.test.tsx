import { fireEvent, waitFor, within } from '@testing-library/react'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import { controlEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { listServers } from '@trunkline/contract/servers/server.calls'
import { searchObjects } from '@trunkline/contract/search/search.calls'
import { afterEach, expect, test } from 'vitest'
import { snapshotOf } from '../../test/fake-stream.ts'
import { refuse } from '../../test/fake-api.ts'
import { linkStatusOf, STOPPED } from '../../test/link.samples.ts'
import { hostOf } from '../../test/place.samples.ts'
import {
  answerQuestion,
  findNotice,
  renderConsole,
  resetConsole,
} from '../../test/render-console.tsx'
import { statusOf } from '../../test/samples.ts'
import { CAMERA, MARATHON, NOTHING, openPalette } from './palette.fixture.ts'

afterEach(resetConsole)

test('objects come first with their state, then actions, then pages', async () => {
  const { field, user, option, groups, marked } = await openPalette({
    found: () => ({ inputs: [MARATHON] }),
  })
  await user.type(field, 'marathon')
  const object = await option(/^Marathon km 30/)
  await within(object).findByText('Running')
  await option(/^Stop input Marathon km 30.*asks first/)
  await option(/^Restart input Marathon km 30.*asks first/)
  await option(/^Signal path.*Marathon km 30$/)
  expect(groups()).toEqual(['Objects', 'Actions'])
  expect(marked()).toContain('Marathon km 30Input')
})

test('what is typed before it is there is its text, and acts on nothing of the page', async () => {
  const scene = await openPalette({
    typed: 'maraz{Backspace}thon {Enter}',
    found: () => ({ inputs: [MARATHON] }),
  })
  const { field, user, option, pathname } = scene
  expect(field).toHaveProperty('value', 'marathon ')
  await option(/^Marathon km 30/)
  await user.keyboard('km')
  expect(field).toHaveProperty('value', 'marathon km')
  expect(pathname()).toBe('/dashboard/userManager')
})

test('Escape before it is there cancels it', async () => {
  const { screen, user, pathname } = renderConsole({
    path: '/dashboard/userManager',
    role: 'admin',
  })
  await screen.findByRole('heading', { name: 'Access' })
  await user.keyboard('{Control>}k{/Control}mar{Escape}')
  await user.keyboard('?')
  await screen.findByRole('dialog', { name: 'Keys' })
  expect(screen.queryByRole('dialog', { name: 'Jump to' })).toBeNull()
  expect(pathname()).toBe('/dashboard/userManager')
})

test('the arrows move, Enter opens the object, which is listed first next time', async () => {
  const scene = await openPalette({
    found: ({ query }) =>
      (query.get('keys') ?? '') === 'input:a' || query.get('q') === 'marathon'
        ? { inputs: [MARATHON], encoders: [] }
        : {},
  })
  const { field, user, option, marked, screen, pathname } = scene
  await user.type(field, 'marathon')
  await option(/^Marathon km 30/)
  await user.keyboard('{ArrowDown}')
  expect(marked()).toMatch(/^Stop input/)
  await user.keyboard('{ArrowUp}{ArrowUp}')
  expect(marked()).toMatch(/^Delete.*asks first$/)
  await user.keyboard('{ArrowDown}{Enter}')
  await waitFor(() => expect(pathname()).toBe('/dashboard/gw-west/north/contribution/a'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.keyboard('{Control>}k{/Control}')
  const again = await screen.findByRole('dialog', { name: 'Jump to' })
  await within(again).findByText('Opened last')
  await within(again).findByRole('option', { name: /^Marathon km 30/ })
})

test('a command asks as its row does, and is carried out by the same call', async () => {
  const { field, user, option, marked, screen, api } = await openPalette({
    prepare: (fake) =>
      fake.on(contributionAction).answer(() => ({ status: true, results: 'RUNNING' })),
  })
  await user.type(field, 'restart marathon')
  const line = await option(/^Restart input Marathon km 30/)
  await waitFor(() => expect(line.getAttribute('aria-disabled')).toBeNull())
  expect(screen.queryByRole('option', { name: /^Stop/ })).toBeNull()
  expect(marked()).toMatch(/^Restart/)
  await user.click(line)
  const question = await screen.findByRole('dialog', { name: 'Are you sure?' })
  expect(question.textContent).toContain('Restart Marathon km 30.')
  expect(api.askedOf(contributionAction)).toEqual([])
  await answerQuestion('Restart input')
  await findNotice('Action worked success', 'Marathon km 30 restarted')
  expect(api.askedOf(contributionAction).map(({ body }) => body)).toEqual([
    { id: 'a', type: 1, actionType: 'restart' },
  ])
})

test('what cannot be done now says why, and does nothing', async () => {
  const { field, user, option, screen, api } = await openPalette({
    programs: [linkStatusOf('input', 'a', STOPPED), statusOf('c')],
    found: () => ({ inputs: [MARATHON] }),
  })
  await user.type(field, 'restart marathon')
  const line = await option(/^Restart input Marathon km 30.*Not running. Start it first./)
  expect(line.getAttribute('aria-disabled')).toBe('true')
  await user.keyboard('{Enter}')
  expect(screen.queryByRole('dialog', { name: 'Are you sure?' })).toBeNull()
  expect(screen.queryByRole('dialog', { name: 'Jump to' })).not.toBeNull()
  expect(api.askedOf(contributionAction)).toEqual([])
})

test('ROLE-11 a monitor is offered no command', async () => {
  const { field, user, option, screen } = await openPalette({
    role: 'monitor',
    found: () => ({ encoders: [CAMERA] }),
  })
  await user.type(field, 'marathon')
  await option(/^Signal path.*Marathon camera$/)
  expect(
    screen.queryByRole('option', { name: /^(Start|Stop|Restart|Put|Edit|Disable|Remove|Clone)/ }),
  ).toBeNull()
  await option(/^Log of Marathon camera/)
})

test('a late answer is not listed for what is typed meanwhile', async () => {
  const first = Promise.withResolvers<void>()
  const { field, user, option, screen } = await openPalette({
    found: () => ({}),
    prepare: (api) =>
      api.on(searchObjects).answer(async ({ query }) => {
        const isFirst = query.get('q') === 'marathon'
        if (isFirst) await first.promise
        const data = isFirst ? { ...NOTHING, inputs: [MARATHON] } : NOTHING
        return { status: true, data, more: 0 }
      }),
  })
  await user.type(field, 'marathon')
  await screen.findByText('Searching')
  await user.clear(field)
  await user.type(field, 'servers')
  await option('Servers')
  first.resolve()
  await waitFor(() => expect(screen.queryByText('Searching')).toBeNull())
  expect(screen.queryByRole('option', { name: /Marathon/ })).toBeNull()
})

test('earlier results are listed only while they match the typed text', async () => {
  const { field, user, option, screen } = await openPalette({
    prepare: (api) =>
      api.on(searchObjects).answer(async ({ query }) => {
        // The later questions are never answered.
        if (query.get('q') !== 'marathon') await Promise.withResolvers<void>().promise
        return { status: true, data: { ...NOTHING, inputs: [MARATHON] }, more: 0 }
      }),
  })
  await user.type(field, 'marathon')
  await option(/^Marathon km 30/)
  await user.type(field, ' km')
  expect(screen.queryByRole('option', { name: /^Marathon km 30/ })).not.toBeNull()
  await user.type(field, ' 99')
  expect(screen.queryByRole('option', { name: /Marathon/ })).toBeNull()
})

test('Esc closes, and the focus is back where it was', async () => {
  const { user, screen } = await openPalette()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const button = screen.getByRole('button', { name: 'Jump to Ctrl K' })
  button.focus()
  await user.click(button)
  await screen.findByRole('dialog', { name: 'Jump to' })
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(button))
})

test('what is typed while the palette opens is no key of the page', async () => {
  const { screen, user, pathname } = renderConsole({
    path: '/dashboard/userManager',
    role: 'admin',
  })
  await screen.findByRole('heading', { name: 'Access' })
  fireEvent.keyDown(document.body, { key: 'k', metaKey: true })
  fireEvent.keyDown(document.body, { key: '2' })
  await screen.findByRole('dialog', { name: 'Jump to' })
  await user.keyboard('{Escape}')
  expect(pathname()).toBe('/dashboard/userManager')
})

test('a server is opened in its list, searched for it', async () => {
  const server = {
    id: 's',
    title: 'Gateway 1',
    host: '192.0.2.1',
    port: 9000,
    serverType: 'acants',
  }
  const { field, user, option, screen, api, pathname } = await openPalette({
    found: () => ({ servers: [{ ...server, serverType: 'acants' as const }] }),
    prepare: (fake) => fake.on(listServers).answer(() => ({ status: true, data: [], total: 0 })),
  })
  api.stream.push(snapshotOf({ hosts: [hostOf('s')] }))
  await user.type(field, '192.0.2.1')
  const line = await option(/^Gateway 1/)
  await within(line).findByText('Online')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(pathname()).toBe('/dashboard/server'))
  const search = await screen.findByRole('searchbox', { name: 'Search servers' })
  expect(search).toHaveProperty('value', 'Gateway 1')
  await waitFor(() =>
    expect(api.askedOf(listServers).map(({ query }) => query.get('searchText'))).toContain(
      'Gateway 1',
    ),
  )
})

test('an addition opens its page with its dialog', async () => {
  const { field, user, option, screen, pathname } = await openPalette({ found: () => ({}) })
  await user.type(field, 'add group')
  await option('Add group…')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(pathname()).toBe('/dashboard/group'))
  await screen.findByRole('dialog', { name: /Manage group/i })
})

test('a search that fails says so, and pages are found all the same', async () => {
  const { field, user, option, screen } = await openPalette({
    prepare: (api) => api.on(searchObjects).answer(() => refuse(503, 'The database is busy.')),
  })
  await user.type(field, 'servers')
  await option('Servers')
  expect(
    await screen.findByText('Objects could not be searched. The database is busy.'),
  ).toBeDefined()
})

test('a search without an answer says what to check', async () => {
  const { field, user, screen } = await openPalette({
    prepare: (api) => api.on(searchObjects).answer(async () => Promise.reject(new TypeError())),
  })
  await user.type(field, 'servers')
  expect(
    await screen.findByText(
      'Objects could not be searched. The console server does not answer. Check your network and that the server runs.',
    ),
  ).toBeDefined()
})

test('an encoder is started at once, as by its button', async () => {
  const { field, user, option, api } = await openPalette({
    programs: [statusOf('c', STOPPED)],
    found: () => ({ encoders: [CAMERA] }),
    prepare: (fake) =>
      fake
        .on(controlEncoder)
        .answer(() => ({ status: true, results: 'encoder0 RUNNING pid 7', state: 'running' })),
  })
  await user.type(field, 'start marathon')
  const line = await option(/^Start encoder Marathon camera/)
  await waitFor(() => expect(line.getAttribute('aria-disabled')).toBeNull())
  await user.keyboard('{Enter}')
  await findNotice('Action worked success', 'Marathon camera started')
  expect(api.askedOf(controlEncoder)).toHaveLength(1)
})
