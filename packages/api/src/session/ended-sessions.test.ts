/** Q12: whatever ends a session ends it at once, its open live streams and its calls, in every process. */
import { listGroups } from '@trunkline/contract/groups/group.calls'
import type { Route } from '@trunkline/contract/route'
import { signOutEverywhere } from '@trunkline/contract/session/session.calls'
import { removeUser, updateUser } from '@trunkline/contract/users/user.calls'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../app.ts'
import type { Config } from '../config.ts'
import { openContext } from '../context.ts'
import { createPostgresDatabase } from '../testing/databases.ts'
import { inject, type Injected, type InjectInput } from '../testing/inject.ts'
import { LiveReader } from '../testing/live-reader.ts'
import { openTestApp, type TestApp } from '../testing/test-app.ts'

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
  'a new password, typed by oneself': async ({ test, one }: Site) => {
    const { id, token } = test.people.northEditor
    const body = { _id: id, newPassword: 'a new one', newConfirmPassword: 'a new one' }
    return one.call(updateUser, token, { body })
  },
  'a new password, given by somebody else': async ({ test, one }: Site) => {
    const body = {
      _id: test.people.northEditor.id,
      newPassword: 'a new one',
      newConfirmPassword: 'a new one',
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
