/** Q12: whatever ends a session ends it at once, its open live streams and its calls, in every process. */
import { HOUR_MS } from '@trunkline/contract/durations'
import { listGroups } from '@trunkline/contract/groups/group.calls'
import type { Route } from '@trunkline/contract/route'
import { jwtLogin, signOut, signOutEverywhere } from '@trunkline/contract/session/session.calls'
import { removeUser, updateUser } from '@trunkline/contract/users/user.calls'
import pino from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { buildApp } from '../app.ts'
import type { Config } from '../config.ts'
import { openContext } from '../context.ts'
import { createPostgresDatabase } from '../testing/databases.ts'
import { inject, type Injected, type InjectInput } from '../testing/inject.ts'
import { LiveReader } from '../testing/live-reader.ts'
import { signInAs, TEST_PASSWORD } from '../testing/people.ts'
import { openTestApp, type TestApp } from '../testing/test-app.ts'

/** An open stream looks at its session at least this often. */
const CHECKED_WITHIN_MS = 60_000
const ENDED = 'Your session was ended. Please sign in again.'

interface Api {
  call<T extends Route>(call: T, token: string, input: InjectInput<T>): Promise<Injected<T>>
  watch(token: string): Promise<LiveReader>
}

async function apiOf(app: TestApp['app']): Promise<Api> {
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    call: async (call, token, input) => inject(app, call, token, input),
    async watch(token) {
      const reader = await LiveReader.open(address, token)
      onTestFinished(async () => reader[Symbol.asyncDispose]())
      await reader.until(() => reader.events.length > 0)
      return reader
    },
  }
}

interface Site {
  test: TestApp
  /** Where things are done. */
  first: Api
  /** Where the sessions to be ended are. */
  second: Api
}

/** One process on SQLite, or two on one PostgreSQL. */
async function openSite(kind: 'SQLite' | 'two processes on PostgreSQL'): Promise<Site> {
  if (kind === 'SQLite') {
    const test = await openTestApp()
    onTestFinished(async () => test[Symbol.asyncDispose]())
    const first = await apiOf(test.app)
    return { test, first, second: first }
  }
  const database = await createPostgresDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  const test = await openTestApp({ databaseUrl: database.url })
  onTestFinished(async () => test[Symbol.asyncDispose]())
  return { test, first: await apiOf(test.app), second: await secondApi(test.ctx.config) }
}

async function secondApi(config: Config): Promise<Api> {
  const ctx = await openContext(config, pino({ level: 'silent' }), Date.now)
  const app = await buildApp(ctx)
  onTestFinished(async () => {
    await app.close()
    await ctx[Symbol.asyncDispose]()
  })
  return apiOf(app)
}

const ENDINGS = {
  'a new password, typed by oneself elsewhere': async ({ test, first }: Site) => {
    const { id } = test.people.northEditor
    const password = { newPassword: 'a new and long one', newConfirmPassword: 'a new and long one' }
    const body = { _id: id, ...password, currentPassword: TEST_PASSWORD }
    return first.call(updateUser, await signInAs(test.ctx, id), { body })
  },
  'a new password, given by somebody else': async ({ test, first }: Site) => {
    const body = {
      _id: test.people.northEditor.id,
      newPassword: 'a new and long one',
      newConfirmPassword: 'a new and long one',
    }
    return first.call(updateUser, test.people.admin.token, { body })
  },
  'another role': async ({ test, first }: Site) => {
    const body = { _id: test.people.northEditor.id, mode: 'monitor' } as const
    return first.call(updateUser, test.people.northManager.token, { body })
  },
  removal: async ({ test, first }: Site) => {
    const params = { id: test.people.northEditor.id }
    return first.call(removeUser, test.people.northManager.token, { params })
  },
  'signing out': async ({ test, first }: Site) =>
    first.call(signOut, test.people.northEditor.token, {}),
  'signing out everywhere': async ({ test, first }: Site) =>
    first.call(signOutEverywhere, test.people.northEditor.token, {}),
} as const

const KINDS = ['SQLite', 'two processes on PostgreSQL'] as const
const CASES = KINDS.flatMap((kind) =>
  (Object.keys(ENDINGS) as (keyof typeof ENDINGS)[]).map((ending) => [kind, ending] as const),
)

test.each(CASES)('Q12 T5 on %s %s ends streams and calls of that user alone', async (kind, by) => {
  const site = await openSite(kind)
  const { northEditor, northMonitor } = site.test.people
  const ended = await site.second.watch(northEditor.token)
  const others = await site.second.watch(northMonitor.token)
  expect((await site.second.call(listGroups, northEditor.token, {})).status).toBe(200)
  expect((await ENDINGS[by](site)).status).toBe(200)
  expect(await ended.next('gone', () => true)).toEqual({ error: ENDED })
  await ended.until(() => ended.isEnded)
  const refused = await site.second.call(listGroups, northEditor.token, {})
  expect([refused.status, refused.failure.error]).toEqual([401, ENDED])
  expect((await site.second.call(listGroups, northMonitor.token, {})).status).toBe(200)
  expect(others.isEnded).toBe(false)
})

test.each(KINDS)('T5 on %s signing out ends that session and its copies alone', async (kind) => {
  const site = await openSite(kind)
  const { id, token } = site.test.people.northEditor
  const elsewhere = await signInAs(site.test.ctx, id)
  const { answer } = await site.first.call(jwtLogin, token, {})
  const stream = await site.second.watch(answer.token)
  const otherStream = await site.second.watch(elsewhere)
  expect((await site.first.call(signOut, token, {})).status).toBe(200)
  expect(await stream.next('gone', () => true)).toEqual({ error: ENDED })
  for (const copy of [token, answer.token]) {
    expect((await site.first.call(jwtLogin, copy, {})).status).toBe(401)
    expect((await site.first.call(listGroups, copy, {})).status).toBe(401)
    expect((await site.first.call(signOut, copy, {})).status).toBe(401)
  }
  expect((await site.first.call(jwtLogin, elsewhere, {})).status).toBe(200)
  expect(otherStream.isEnded).toBe(false)
  const lines = site.test.ctx.db.selectFrom('audit').selectAll()
  expect(await lines.where('call', '=', 'session.signOut').execute()).toMatchObject([
    { actor_id: id, object_id: id, result: 'done' },
  ])
})

test('T5 an open live stream ends 7 days after the sign-in, though its session was renewed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { test: site, first } = await openSite('SQLite')
  let { token } = site.people.northEditor
  for (let hours = 0; hours < 160; hours += 8) {
    site.advance(8 * HOUR_MS)
    ;({ token } = (await first.call(jwtLogin, token, {})).answer)
  }
  const stream = await first.watch(token)
  const newer = await first.watch(await signInAs(site.ctx, site.people.northEditor.id))
  vi.advanceTimersByTime(CHECKED_WITHIN_MS)
  site.advance(8 * HOUR_MS)
  expect(stream.isEnded).toBe(false)
  vi.advanceTimersByTime(CHECKED_WITHIN_MS)
  await stream.until(() => stream.isEnded)
  // The browser asks again with its token, and hears that the session has ended.
  expect(stream.of('gone')).toEqual([])
  expect((await first.call(jwtLogin, token, {})).status).toBe(401)
  expect(newer.isEnded).toBe(false)
})

test.each(KINDS)('on %s a new name ends nothing', async (kind) => {
  const site = await openSite(kind)
  const { northEditor } = site.test.people
  const live = await site.second.watch(northEditor.token)
  const body = { _id: northEditor.id, firstName: 'Renamed' }
  expect((await site.first.call(updateUser, northEditor.token, { body })).status).toBe(200)
  await live.next('object', ({ kind: of, id }) => of === 'user' && id === northEditor.id)
  expect((await site.second.call(listGroups, northEditor.token, {})).status).toBe(200)
  expect(live.of('gone')).toEqual([])
})
