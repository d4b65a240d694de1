import { act, within } from '@testing-library/react'
import type { ApiToken } from '@trunkline/contract/users/api-token.schema'
import {
  addApiToken,
  addServiceToken,
  listApiTokens,
  listOwnApiTokens,
  revokeApiToken,
} from '@trunkline/contract/users/api-token.calls'
import type { Role } from '@trunkline/contract/roles'
import { beginOidc } from '@trunkline/contract/session/oidc.calls'
import { jwtLogin } from '@trunkline/contract/session/session.calls'
import { afterEach, expect, test, vi } from 'vitest'
import { storage } from '../lib/storage.ts'
import { refuse, type FakeApi } from '../test/fake-api.ts'
import { answerQuestion, findNotice, renderConsole, resetConsole } from '../test/render-console.tsx'
import { userOf } from '../test/samples.ts'

afterEach(resetConsole)

const OWN: ApiToken = {
  id: 't1',
  title: 'Grafana',
  scope: 'read',
  start: 'trk_1a2b',
  owner: { kind: 'person', id: 'u1', fullName: 'Night Desk', role: 'admin' },
  createdAt: '2026-11-20T10:00:00.000Z',
  createdBy: 'Night Desk',
  expiresAt: '2027-02-18T10:00:00.000Z',
  usedAt: null,
  usedAddress: '',
}
const SERVICE: ApiToken = {
  ...OWN,
  id: 't2',
  title: 'Scheduler',
  scope: 'operate',
  owner: { kind: 'service', role: 'manager', groups: [{ _id: 'north', title: 'Sports North' }] },
}
const TOKEN = `trk_${'a1'.repeat(24)}`

function openPage(role: Role, prepare: (api: FakeApi) => void = () => undefined) {
  return renderConsole({
    path: '/dashboard/userManager?tab=tokens',
    role,
    prepare: (api) => {
      api.on(listOwnApiTokens).answer(() => ({ status: true, data: [OWN] }))
      api.on(listApiTokens).answer(() => ({ status: true, data: [OWN, SERVICE], total: 2 }))
      prepare(api)
    },
  })
}

function rowsIn(table: HTMLElement): (string | null)[] {
  const [, ...rows] = within(table).getAllByRole('row')
  return rows.map((row) => row.textContent)
}

test('everybody sees their own tokens, an admin also those of services and others', async () => {
  const { screen, user } = openPage('admin')
  const table = await screen.findByRole('table', { name: 'API tokens' })
  expect(rowsIn(table)).toEqual(['Grafanatrk_1a2b…Night Desk, adminRead onlyNever2027-02-18Revoke'])
  await user.click(screen.getByRole('button', { name: 'All' }))
  await screen.findByText('Service, manager of Sports North')
})

test('who may not manage tokens is offered neither those of others nor services', async () => {
  const { screen, user } = openPage('monitor')
  await screen.findByRole('table', { name: 'API tokens' })
  expect(screen.queryByRole('button', { name: 'All' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'New token' }))
  await screen.findByRole('dialog', { name: /New API token/ })
  expect(screen.queryByLabelText('For')).toBeNull()
})

test('somebody from the provider signs in there again in place of a password', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {})
  const user = userOf('monitor', { isFromProvider: true })
  const {
    api,
    screen,
    user: hand,
  } = openPage('monitor', (prepared) => {
    prepared.on(jwtLogin).answer(() => ({ status: true, user, token: user.token }))
    prepared
      .on(beginOidc)
      .answer(() => ({ status: true, url: 'https://login.example/', binding: 'b' }))
    prepared.on(addApiToken).answer(() => ({ status: true, data: OWN, token: TOKEN }))
  })
  await hand.click(await screen.findByRole('button', { name: 'New token' }))
  await hand.type(await screen.findByLabelText('Title'), 'Grafana')
  expect(screen.queryByLabelText('Your current password')).toBeNull()
  await hand.click(screen.getByRole('button', { name: 'Sign in again' }))
  await vi.waitFor(() => expect(assign.mock.calls).toEqual([['https://login.example/']]))
  expect(api.askedOf(beginOidc).map(({ body }) => body)).toEqual([{ again: true }])
  expect(storage.providerSignIn.read()?.from).toBe('/dashboard/userManager?tab=tokens')
  await hand.click(screen.getByRole('button', { name: 'Make token' }))
  await screen.findByText(TOKEN)
  expect(api.askedOf(addApiToken).map(({ body }) => body)).toEqual([
    { title: 'Grafana', scope: 'read', days: 90 },
  ])
  assign.mockRestore()
  storage.providerSignIn.clear()
})

test('a new token is shown once, with the header that carries it', async () => {
  const { api, screen, user } = openPage('monitor', (prepared) => {
    prepared.on(addApiToken).answer(() => ({ status: true, data: OWN, token: TOKEN }))
  })
  await user.click(await screen.findByRole('button', { name: 'New token' }))
  await user.type(await screen.findByLabelText('Title'), 'Grafana')
  await user.type(screen.getByLabelText('Your current password'), 'my password')
  await user.click(screen.getByRole('button', { name: 'Make token' }))
  await screen.findByText(TOKEN)
  screen.getByText(`Authorization: Bearer ${TOKEN}`)
  expect(api.askedOf(addApiToken).map(({ body }) => body)).toEqual([
    { title: 'Grafana', scope: 'read', days: 90, currentPassword: 'my password' },
  ])
  await user.click(screen.getByRole('button', { name: 'Done' }))
  expect(screen.queryByText(TOKEN)).toBeNull()
})

test('a token whose answer is awaited is given up only by who says so, and is shown when it comes', async () => {
  const answer = Promise.withResolvers<void>()
  const { screen, user, router } = openPage('monitor', (prepared) => {
    prepared.on(addApiToken).answer(async () => {
      await answer.promise
      return { status: true, data: OWN, token: TOKEN }
    })
  })
  await user.click(await screen.findByRole('button', { name: 'New token' }))
  await user.type(await screen.findByLabelText('Title'), 'Grafana')
  await user.type(screen.getByLabelText('Your current password'), 'my password')
  await user.click(screen.getByRole('button', { name: 'Make token' }))
  const ways = [
    async () => user.keyboard('{Escape}'),
    async () => user.click(screen.getByRole('button', { name: 'Cancel' })),
    async () => user.click(screen.getByRole('button', { name: 'Close' })),
  ]
  for (const leave of ways) {
    await leave()
    await user.click(await screen.findByRole('button', { name: 'Keep waiting' }))
  }
  act(() => void router.navigate({ to: '/dashboard/channel' }))
  await screen.findByText(/what it answers is shown only once/)
  answer.resolve()
  await screen.findByText(TOKEN)
  expect(screen.queryByRole('button', { name: 'Keep waiting' })).toBeNull()
  act(() => void router.navigate({ to: '/dashboard/channel' }))
  await user.click(screen.getByRole('button', { name: 'Copy token' }))
  screen.getByText(TOKEN)
  await user.click(screen.getByRole('button', { name: 'Done' }))
  act(() => void router.navigate({ to: '/dashboard/channel' }))
  await screen.findByRole('heading', { name: 'Channels' })
})

test('a service needs a group, unless it is an admin', async () => {
  const { api, screen, user } = openPage('admin', (prepared) => {
    prepared.on(addServiceToken).answer(() => ({ status: true, data: SERVICE, token: TOKEN }))
  })
  await user.click(await screen.findByRole('button', { name: 'New token' }))
  await user.type(await screen.findByLabelText('Title'), 'Scheduler')
  await user.selectOptions(screen.getByLabelText('For'), 'service')
  await user.type(screen.getByLabelText('Your current password'), 'my password')
  await user.click(screen.getByRole('button', { name: 'Make token' }))
  await screen.findByText('Choose at least 1 group: this role sees only its groups.')
  await user.selectOptions(screen.getByLabelText('Role of the service'), 'admin')
  await user.click(screen.getByRole('button', { name: 'Make token' }))
  await screen.findByText(TOKEN)
  expect(api.askedOf(addServiceToken).map(({ body }) => body)).toMatchObject([
    { title: 'Scheduler', role: 'admin', groupIds: [] },
  ])
  await user.click(screen.getByRole('button', { name: 'Done' }))
  await screen.findByText('Service, manager of Sports North')
})

test('a wrong password stands at its field, and what was typed stays', async () => {
  const { screen, user } = openPage('monitor', (prepared) => {
    prepared.on(addApiToken).answer(() => refuse(422, 'This is not your current password.'))
  })
  await user.click(await screen.findByRole('button', { name: 'New token' }))
  await user.type(await screen.findByLabelText('Title'), 'Grafana')
  await user.type(screen.getByLabelText('Your current password'), 'wrong')
  await user.click(screen.getByRole('button', { name: 'Make token' }))
  await findNotice('This is not your current password.')
  expect(screen.getByLabelText('Title')).toHaveProperty('value', 'Grafana')
})

test('a token is revoked after a question', async () => {
  const { api, screen, user } = openPage('monitor', (prepared) => {
    prepared.on(revokeApiToken).answer(() => ({ status: true, id: OWN.id }))
  })
  await user.click(await screen.findByRole('button', { name: 'Revoke Grafana' }))
  await answerQuestion('Revoke token')
  await findNotice('API token revoked', 'Calls with it are refused within a second.')
  expect(api.askedOf(revokeApiToken).map(({ path }) => path)).toEqual(['/api/api-token/t1'])
})

test('those of everybody are paged, sorted and searched by the API; your own keep that order', async () => {
  const later = { ...OWN, id: 't3', title: 'Archive', expiresAt: '2027-03-01T10:00:00.000Z' }
  const { screen, user, api } = openPage('admin', (api) => {
    api.on(listOwnApiTokens).answer(() => ({ status: true, data: [OWN, later] }))
  })
  const head = (name: string) => screen.getByRole('columnheader', { name })
  await user.click(await screen.findByRole('button', { name: 'All' }))
  await screen.findByText('Scheduler')
  expect(head('Expires').getAttribute('aria-sort')).toBe('ascending')
  expect(within(head('Owner')).queryByRole('button')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Title' }))
  await vi.waitFor(() => expect(head('Title').getAttribute('aria-sort')).toBe('ascending'))
  await user.type(screen.getByRole('searchbox', { name: 'Search API tokens' }), 'trk_1a2b{Enter}')
  await vi.waitFor(() => {
    const asked = api.askedOf(listApiTokens).map(({ query }) => Object.fromEntries(query))
    expect(asked[0]).toEqual({ searchText: '', page: '0', rowsPerPage: '24' })
    expect(asked.at(-1)).toEqual({
      searchText: 'trk_1a2b',
      page: '0',
      rowsPerPage: '24',
      sort: 'title',
    })
  })
  await user.click(screen.getByRole('button', { name: 'Yours' }))
  await screen.findByText('Archive')
  expect(screen.getAllByRole('rowheader').map((cell) => cell.textContent)).toEqual([
    'Archive',
    'Grafana',
  ])
  expect(head('Title').getAttribute('aria-sort')).toBe('ascending')
  expect(screen.queryByRole('searchbox')).toBeNull()
})
