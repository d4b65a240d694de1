import { act, screen, waitFor, within } from '@testing-library/react'
import type { HostStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { Role } from '@trunkline/contract/roles'
import {
  listServers,
  readServerStatus,
  removeServer,
} from '@trunkline/contract/servers/server.calls'
import type { Server } from '@trunkline/contract/servers/server.schema'
import { afterEach, expect, test, vi } from 'vitest'
import { storage } from '../lib/storage.ts'
import { type FakeApi, refuse } from '../test/fake-api.ts'
import { snapshotOf } from '../test/fake-stream.ts'
import { hostOf, serverOf } from '../test/place.samples.ts'
import { renderConsole, resetConsole } from '../test/render-console.tsx'

afterEach(resetConsole)

interface Site {
  role: Role
  servers: readonly Server[]
  hosts: readonly HostStatus[]
  prepare: (api: FakeApi) => void
}

async function open(parts: Partial<Site> = {}) {
  const { servers = [serverOf('a')] } = parts
  const { hosts = servers.map((server) => hostOf(server.id)) } = parts
  const scene = renderConsole({
    path: '/dashboard/server',
    role: parts.role ?? 'admin',
    prepare: (api) => {
      api.on(listServers).answer(({ query }) => {
        const size = Number(query.get('rowsPerPage') ?? 100)
        const from = Number(query.get('page') ?? 0) * size
        const found = servers.filter(
          (server) =>
            server.title.includes(query.get('searchText') ?? '') &&
            ['all', server.serverType].includes(query.get('type') ?? 'all') &&
            ['', ...server.groupIds].includes(query.get('groupId') ?? ''),
        )
        const data = size === 0 ? found : found.slice(from, from + size)
        return { status: true, data, total: found.length }
      })
      parts.prepare?.(api)
    },
  })
  await waitFor(() => expect(scene.api.stream.isConnected()).toBe(true))
  scene.api.stream.push(snapshotOf({ hosts: [...hosts] }))
  return scene
}

const rowOf = async (title: string) => screen.findByRole('row', { name: new RegExp(title) })

function pagesAsked(api: FakeApi) {
  return api.askedOf(listServers).map(({ query }) => Object.fromEntries(query))
}

test('SRV-01 SRV-03 the columns, and the titles of the groups', async () => {
  const groupInfo = ['North', 'South', 'East', 'West'].map((title) => ({ _id: title, title }))
  await open({ servers: [serverOf('a', { groupInfo })], hosts: [hostOf('a')] })
  const row = within(await rowOf('Server a'))
  for (const head of ['Title', 'Host', 'Port', 'Groups', 'Status', 'Actions']) {
    screen.getByRole('columnheader', { name: head })
  }
  row.getByText('203.0.113.20')
  row.getByText('8080')
  row.getByText('North, South')
  row.getByRole('button', { name: '+2 more groups' })
  await row.findByText('Online')
  expect(row.getByText(/^for/).textContent).toMatch(/^for 1:0\d$/)
})

test('SRV-02 the host’s state is pushed, with its reason', async () => {
  const { api, user } = await open({ hosts: [hostOf('a')] })
  const row = within(await rowOf('Server a'))
  await row.findByText('Online')
  const cause = 'The host refuses the API key. Correct the key in its record.'
  const wrongKey = hostOf('a', { online: false, fault: 'wrong-key', cause, heardAtMs: null })
  act(() => api.stream.push({ event: 'host', data: wrongKey }))
  await row.findByText('Offline')
  const reason = row.getByText('wrong key')
  await user.hover(reason)
  await screen.findByText(/The host refuses the API key\. Correct the key in its record\./)
  expect(api.askedOf(readServerStatus)).toEqual([])
})

test('SRV-02 without push each server is asked, and a failed call counts as Offline', async () => {
  const { api } = await open({
    servers: [serverOf('a'), serverOf('b')],
    prepare: (fake) =>
      fake
        .on(readServerStatus)
        .answer(({ path }) =>
          path.endsWith('/a')
            ? { status: true, results: 'It answers.', latencyMs: 12 }
            : refuse(502, 'The host is silent.'),
        ),
  })
  api.stream.end()
  await within(await rowOf('Server a')).findByText('Online')
  await within(await rowOf('Server b')).findByText('Offline')
  expect(within(await rowOf('Server a')).getByText(/ s ago$/)).toBeDefined()
})

test('updates that stop make the states stale', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { api } = await open({ hosts: [hostOf('a')] })
  const row = within(await rowOf('Server a'))
  await row.findByText('Online')
  api.setReachable(false)
  api.stream.end()
  await act(async () => vi.advanceTimersByTimeAsync(25_000))
  await row.findByText('Unknown')
  row.getByText('stale')
  expect(screen.getByText(/Live updates stopped at/)).toBeDefined()
})

test('Check now says how fast the server answered, or why it did not', async () => {
  let isUp = true
  const { user } = await open({
    hosts: [hostOf('a')],
    prepare: (fake) =>
      fake
        .on(readServerStatus)
        .answer(() =>
          isUp
            ? { status: true, results: 'It answers.', latencyMs: 12 }
            : refuse(504, 'The host does not answer. Check that it is on.'),
        ),
  })
  const check = await screen.findByRole('button', { name: 'Check Server a now' })
  await user.click(check)
  await screen.findByText('Server a is online')
  screen.getByText('It answered in 12 ms.')
  isUp = false
  await waitFor(() => expect(check.getAttribute('aria-disabled')).toBeNull())
  await user.click(check)
  await screen.findByText('Server a is offline')
  expect(screen.getByText('The host does not answer. Check that it is on.')).toBeDefined()
})

test('group, type and search narrow the list at the API; the group is remembered', async () => {
  const servers = [serverOf('a'), serverOf('b', { serverType: 'channel', groupIds: ['south'] })]
  const { api, user } = await open({ servers })
  await rowOf('Server a')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Group' }), 'Sports South')
  await rowOf('Server b')
  await waitFor(() => expect(screen.queryByRole('row', { name: /Server a/ })).toBeNull())
  expect(storage.serverGroupId.read(), 'STORE-03').toBe('south')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'acants')
  await screen.findByText('No servers here')
  expect(pagesAsked(api).at(-1)).toEqual({
    searchText: '',
    groupId: 'south',
    type: 'acants',
    page: '0',
    rowsPerPage: '24',
  })
  await user.click(screen.getByRole('button', { name: 'Show all servers' }))
  await rowOf('Server a')
  await user.type(screen.getByRole('searchbox', { name: 'Search servers' }), 'nothing')
  await screen.findByText("Nothing matches 'nothing'")
})

test('pages of 24 to 200, read by the API', async () => {
  const servers = Array.from({ length: 60 }, (_, at) => serverOf(`s${at}.`))
  const { user } = await open({ servers })
  await rowOf('Server s23\\.')
  screen.getByText('1–24 of 60')
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  await rowOf('Server s24\\.')
  const rows = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Rows per page' })
  expect([...rows.options].map(({ text }) => text)).toEqual(['24', '50', '100', '200'])
})

test('a server added elsewhere appears, and the list is read again by itself', async () => {
  const servers = [serverOf('a')]
  const { api } = await open({ servers })
  await rowOf('Server a')
  servers.push(serverOf('b'))
  api.stream.push({ event: 'object', data: { kind: 'server', id: 'b', change: 'added' } })
  expect(await rowOf('Server b')).toBeDefined()
})

test('SRV-17 ERR-33 delete asks, then deletes', async () => {
  const { user, api } = await open({
    prepare: (fake) => fake.on(removeServer).answer(() => ({ status: true, id: 'a' })),
  })
  await user.click(await screen.findByRole('button', { name: 'Delete Server a' }))
  let question = within(await screen.findByRole('dialog', { name: 'Are you sure?' }))
  question.getByText('Are you sure you want to delete this Server?')
  await user.click(question.getByRole('button', { name: 'Keep server' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.askedOf(removeServer), 'DLG-15').toEqual([])

  await user.click(screen.getByRole('button', { name: 'Delete Server a' }))
  question = within(await screen.findByRole('dialog', { name: 'Are you sure?' }))
  await user.click(question.getByRole('button', { name: 'Delete server' }))
  await screen.findByText('Server deleted successfully')
  expect(api.askedOf(removeServer).map(({ path }) => path)).toEqual(['/api/servers/a'])
})

test('SRV-17 Q117 a refused delete says what still uses it', async () => {
  const sentence = 'Server a is still used by 2 inputs. Move or delete them first.'
  const { user } = await open({
    prepare: (api) => api.on(removeServer).answer(() => refuse(409, sentence)),
  })
  await user.click(await screen.findByRole('button', { name: 'Delete Server a' }))
  await user.click(await screen.findByRole('button', { name: 'Delete server' }))
  expect(await screen.findByText(sentence)).toBeDefined()
})

test('SRV-17 ERR-02 ERR-34 a delete that fails without a message shows the fixed text', async () => {
  const { user } = await open({
    prepare: (api) => api.on(removeServer).answer(() => refuse(500, '')),
  })
  await user.click(await screen.findByRole('button', { name: 'Delete Server a' }))
  await user.click(await screen.findByRole('button', { name: 'Delete server' }))
  expect(await screen.findByText('Failed to delete server')).toBeDefined()
})

test.each<Role>(['manager', 'editor', 'monitor'])(
  'SRV-19 %s gets neither page nor its calls',
  async (role) => {
    const { api, pathname } = await open({ role })
    await waitFor(() => expect(pathname()).toBe('/'))
    expect(api.askedOf(listServers)).toEqual([])
    expect(api.askedOf(readServerStatus)).toEqual([])
  },
)

test('an empty list says what a server is, and n adds the first', async () => {
  const { user } = await open({ servers: [] })
  await screen.findByText('No servers yet')
  await user.keyboard('n')
  expect(await screen.findByRole('dialog', { name: 'Manage Servers' })).toBeDefined()
})

test('a server that the push does not know is polled after a delay', async () => {
  const { api } = await open({
    hosts: [],
    prepare: (fake) => fake.on(readServerStatus).answer(() => refuse(502, 'The host is silent.')),
  })
  const row = within(await rowOf('Server a'))
  await row.findByText('Reading')
  expect(api.askedOf(readServerStatus)).toEqual([])
  expect(await row.findByText('Offline')).toBeDefined()
})
