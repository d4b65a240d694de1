/** Q12: whatever ends a session ends it at once, its open live streams and its calls, in every process. */
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

const HOUR_MS = 3_600_000
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
  one: Api
  /** Where the sessions to be ended are. */
  other: Api
}

/** One process on SQLite, or two on one PostgreSQL. */
async function openSite(kind: 'SQLite' | 'two processes on PostgreSQL'): Promise<Site> {
  if (kind === 'SQLite') {
    const test = await openTestApp()
    onTestFinished(async () => test[Symbol.asyncDispose]())
    const one = await apiOf(test.app)
    return { test, one, other: one }
  }
  const database = await createPostgresDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  const test = await openTestApp({ databaseUrl: database.url })
  onTestFinished(async () => test[Symbol.asyncDispose]())
  return { test, one: await apiOf(test.app), other: await secondApi(test.ctx.config) }
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
  'a new password, typed by oneself elsewhere': async ({ test, one }: Site) => {
    const { id } = test.people.northEditor
    const password = { newPassword: 'a new and long one', newConfirmPassword: 'a new and long one' }
    const body = { _id: id, ...password, currentPassword: TEST_PASSWORD }
    return one.call(updateUser, await signInAs(test.ctx, id), { body })
  },
  'a new password, given by somebody else': async ({ test, one }: Site) => {
    const body = {
      _id: test.people.northEditor.id,
      newPassword: 'a new and long one',
      newConfirmPassword: 'a new and long one',
    }
    return one.call(updateUser, test.people.admin.token, { body })
  },
  'another role': async ({ test, one }: Site) => {
    const body = { _id: test.people.northEditor.id, mode: 'monitor' } as const
    return one.call(updateUser, test.people.northManager.token, { body })
  },
  removal: async ({ test, one }: Site) => {
    const params = { id: test.people.northEditor.id }
    return one.call(removeUser, test.people.northManager.token, { params })
  },
  'signing out': async ({ test, one }: Site) =>
    one.call(signOut, test.people.northEditor.token, {}),
  'signing out everywhere': async ({ test, one }: Site) =>
    one.call(signOutEverywhere, test.people.northEditor.token, {}),
} as const

const KINDS = ['SQLite', 'two processes on PostgreSQL'] as const
const CASES = KINDS.flatMap((kind) =>
  (Object.keys(ENDINGS) as (keyof typeof ENDINGS)[]).map((ending) => [kind, ending] as const),
)

test.each(CASES)('Q12 T5 on %s %s ends streams and calls of that user alone', async (kind, by) => {
  const site = await openSite(kind)
  const { northEditor, northMonitor } = site.test.people
  const ended = await site.other.watch(northEditor.token)
  const others = await site.other.watch(northMonitor.token)
  expect((await site.other.call(listGroups, northEditor.token, {})).status).toBe(200)
  expect((await ENDINGS[by](site)).status).toBe(200)
  expect(await ended.next('gone', () => true)).toEqual({ error: ENDED })
  await ended.until(() => ended.isEnded)
  const refused = await site.other.call(listGroups, northEditor.token, {})
  expect([refused.status, refused.failure.error]).toEqual([401, ENDED])
  expect((await site.other.call(listGroups, northMonitor.token, {})).status).toBe(200)
  expect(others.isEnded).toBe(false)
})

test.each(KINDS)('T5 on %s signing out ends that session and its copies alone', async (kind) => {
  const site = await openSite(kind)
  const { id, token } = site.test.people.northEditor
  const elsewhere = await signInAs(site.test.ctx, id)
  const { answer } = await site.one.call(jwtLogin, token, {})
  const stream = await site.other.watch(answer.token)
  const otherStream = await site.other.watch(elsewhere)
  expect((await site.one.call(signOut, token, {})).status).toBe(200)
  expect(await stream.next('gone', () => true)).toEqual({ error: ENDED })
  for (const copy of [token, answer.token]) {
    expect((await site.one.call(jwtLogin, copy, {})).status).toBe(401)
    expect((await site.one.call(listGroups, copy, {})).status).toBe(401)
    expect((await site.one.call(signOut, copy, {})).status).toBe(401)
  }
  expect((await site.one.call(jwtLogin, elsewhere, {})).status).toBe(200)
  expect(otherStream.isEnded).toBe(false)
  const lines = site.test.ctx.db.selectFrom('audit').selectAll()
  expect(await lines.where('call', '=', 'session.signOut').execute()).toMatchObject([
    { actor_id: id, object_id: id, result: 'done' },
  ])
})

test('T5 an open live stream ends 7 days after the sign-in, though its session was renewed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { test: site, one } = await openSite('SQLite')
  let { token } = site.people.northEditor
  for (let hours = 0; hours < 160; hours += 8) {
    site.advance(8 * HOUR_MS)
    ;({ token } = (await one.call(jwtLogin, token, {})).answer)
  }
  const stream = await one.watch(token)
  const newer = await one.watch(await signInAs(site.ctx, site.people.northEditor.id))
  vi.advanceTimersByTime(CHECKED_WITHIN_MS)
  site.advance(8 * HOUR_MS)
  expect(stream.isEnded).toBe(false)
  vi.advanceTimersByTime(CHECKED_WITHIN_MS)
  await stream.until(() => stream.isEnded)
  // The browser asks again with its token, and hears that the session has ended.
  expect(stream.of('gone')).toEqual([])
  expect((await one.call(jwtLogin, token, {})).status).toBe(401)
  expect(newer.isEnded).toBe(false)
})

test.each(KINDS)('on %s a new name ends nothing', async (kind) => {
  const site = await openSite(kind)
  const { northEditor } = site.test.people
  const live = await site.other.watch(northEditor.token)
  const body = { _id: northEditor.id, firstName: 'Renamed' }
  expect((await site.one.call(updateUser, northEditor.token, { body })).status).toBe(200)
  await live.next('object', ({ kind: of, id }) => of === 'user' && id === northEditor.id)
  expect((await site.other.call(listGroups, northEditor.token, {})).status).toBe(200)
  expect(live.of('gone')).toEqual([])
})
