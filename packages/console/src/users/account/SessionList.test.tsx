import { HOUR_MS } from '@trunkline/contract/durations'
import { screen, waitFor, within } from '@testing-library/react'
import {
  endUserSession,
  listUserSessions,
  type UserSession,
} from '@trunkline/contract/users/user-session.calls'
import { findUser } from '@trunkline/contract/users/user.calls'
import type { Role } from '@trunkline/contract/roles'
import { afterEach, expect, test } from 'vitest'
import { refuse, type FakeApi } from '../../test/fake-api.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { personOf } from '../../test/user.samples.ts'
import { dialog, openUsers } from '../users.fixture.ts'

afterEach(resetConsole)

function sessionOf(id: string, parts: Partial<UserSession> = {}): UserSession {
  const at = new Date(Date.now() - 2 * HOUR_MS - 1000).toISOString()
  const device = 'Firefox (Linux)'
  return {
    id,
    isCurrent: false,
    signedInAt: at,
    usedAt: at,
    address: '192.0.2.7',
    device,
    ...parts,
  }
}

async function openSessions(role: Role, name: string, prepare: (api: FakeApi) => void) {
  const other = personOf('editor')
  const scene = await openUsers({
    role,
    others: [other],
    prepare: (api) => {
      const own = personOf(role, { _id: `user-${role}` })
      api.on(findUser).answer(() => ({ status: true, data: own, user: own }))
      api.on(endUserSession).answer(() => ({ status: true }))
      prepare(api)
    },
  })
  await scene.user.click(screen.getByRole('button', { name }))
  const shown = await dialog(name.startsWith('Edit') ? 'Edit user' : 'Your account')
  const list = await within(shown).findByRole('region', { name: 'Active sessions' })
  return { ...scene, list, rows: async () => within(list).findAllByRole('listitem') }
}

test('one’s own sessions show device, address and last use; another one is ended', async () => {
  const sessions = [
    sessionOf('s1', { isCurrent: true }),
    sessionOf('s2', { address: '2001:db8::1' }),
  ]
  const { list, rows, user, api } = await openSessions(
    'monitor',
    'Account of Night Desk',
    (fake) => {
      fake.on(listUserSessions).answer(() => ({ status: true, data: [...sessions] }))
      fake.on(endUserSession).answer(() => {
        sessions.pop()
        return { status: true }
      })
    },
  )
  expect((await rows()).map((row) => row.textContent)).toEqual([
    'Firefox (Linux)192.0.2.7used 2 h agoThis session',
    'Firefox (Linux)2001:db8::1used 2 h agoEnd',
  ])
  await user.click(
    within(list).getByRole('button', { name: 'End session: Firefox (Linux), 2001:db8::1' }),
  )
  await screen.findByText('Session ended')
  expect(api.askedOf(endUserSession).map(({ path }) => path)).toEqual([
    '/api/users/endSession/user-monitor/s2',
  ])
  await waitFor(async () => expect(await rows()).toHaveLength(1))
})

test('an admin sees the sessions of somebody else, and ends one', async () => {
  const { list, user, api } = await openSessions('admin', 'Edit Gallery editor', (fake) =>
    fake.on(listUserSessions).answer(() => ({
      status: true,
      data: [sessionOf('s3', { device: '' })],
    })),
  )
  const end = await within(list).findByRole('button', {
    name: 'End session: Unknown device, 192.0.2.7',
  })
  await user.click(end)
  await screen.findByText('Session ended')
  expect(api.askedOf(endUserSession).map(({ path }) => path)).toEqual([
    '/api/users/endSession/other-editor/s3',
  ])
})

test('a list that cannot be read says so; an end that is refused says why', async () => {
  let isUp = false
  const { list, user } = await openSessions('monitor', 'Account of Night Desk', (fake) => {
    fake
      .on(listUserSessions)
      .answer(() =>
        isUp ? { status: true, data: [sessionOf('s2')] } : refuse(500, 'The database is locked.'),
      )
    fake.on(endUserSession).answer(() => refuse(404, 'There is no such session.'))
  })
  await within(list).findByText('The sessions could not be read. The database is locked.')
  isUp = true
  await user.click(within(list).getByRole('button', { name: 'Retry' }))
  await user.click(await within(list).findByRole('button', { name: /^End session/ }))
  expect(await screen.findByText('There is no such session.')).toBeDefined()
})

test('no sessions shows a message', async () => {
  const { list } = await openSessions('admin', 'Edit Gallery editor', (fake) =>
    fake.on(listUserSessions).answer(() => ({ status: true, data: [] })),
  )
  expect(await within(list).findByText('Not signed in anywhere.')).toBeDefined()
})
