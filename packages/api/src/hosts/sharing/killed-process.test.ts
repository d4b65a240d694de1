/** Two API processes as they are started, of which one is killed. */
import { addEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { readLive } from '@trunkline/contract/fleet/fleet.calls'
import { addGroup } from '@trunkline/contract/groups/group.calls'
import type { Route } from '@trunkline/contract/route'
import { addUser } from '@trunkline/contract/users/user.calls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { signIn, startApi, WITH_ADMIN } from '../../testing/api-process.ts'
import { createPostgresDatabase } from '../../testing/databases.ts'
import { FAKE_KEY, FakeHost } from '../../testing/fake-host.ts'
import { makeFolder } from '../../testing/folder.ts'

/** That one process gets none of so many is less likely than that the machine fails. */
const HOSTS = 12
const HANGS_AFTER = { timeout: 60_000, interval: 20 }

async function openTwo() {
  const database = await createPostgresDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  const folder = await makeFolder()
  onTestFinished(async () => folder[Symbol.asyncDispose]())
  const env = {
    TRUNKLINE_DATA_DIR: folder.path,
    TRUNKLINE_DATABASE_URL: database.url,
    TRUNKLINE_LOG_LEVEL: 'silent',
    TRUNKLINE_ALLOW_LOCAL_HOSTS: '1',
    ...WITH_ADMIN,
  }
  const first = await startApi(env)
  return { first, second: await startApi(env) }
}

async function openHosts(): Promise<FakeHost[]> {
  const hosts = await Promise.all(
    Array.from({ length: HOSTS }, async () => FakeHost.open({ seatKind: 'encoder' })),
  )
  onTestFinished(async () => {
    for (const host of hosts) await host[Symbol.asyncDispose]()
  })
  return hosts
}

async function ask<T>(url: string, call: Route, token: string, body?: object): Promise<T> {
  const answer = await fetch(`${url}${call.path}`, {
    method: call.method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  expect(answer.ok).toBe(true)
  return (await answer.json()) as T
}

test('decisions 44: when a process is killed the other links its hosts, each once, and shows them', async () => {
  const hosts = await openHosts()
  const { first, second } = await openTwo()
  const { token } = await signIn(first.url)
  const person = { firstName: 'Group', lastName: 'Manager', email: 'manager@trunkline.example' }
  const { id: manager } = await ask<{ id: string }>(first.url, addUser, token, {
    ...person,
    password: 'another long password',
    mode: 'manager',
  })
  const group = { title: 'North', description: 'd', manager }
  const { data } = await ask<{ data: { id: string } }>(first.url, addGroup, token, group)
  for (const [at, { port }] of hosts.entries()) {
    const place = { ip: '127.0.0.1', port, groupId: data.id, apiKey: FAKE_KEY }
    await ask(first.url, addEncoder, token, { title: `Camera ${at}`, ...place })
  }
  const linkedOnce = async (url: string) =>
    vi.waitFor(async () => {
      expect(hosts.map(({ links }) => links)).toEqual(hosts.map(() => 1))
      const { data: live } = await ask<{ data: { hosts: { online: boolean }[] } }>(
        url,
        readLive,
        token,
      )
      expect(live.hosts.map(({ online }) => online)).toEqual(hosts.map(() => true))
    }, HANGS_AFTER)
  await linkedOnce(first.url)
  await linkedOnce(second.url)

  first.child.kill('SIGKILL')
  await first.ended
  await vi.waitFor(() => expect(hosts.some(({ links }) => links === 0)).toBe(true), HANGS_AFTER)
  await linkedOnce(second.url)
})
