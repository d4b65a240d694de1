/** T5: beyond a hundred sessions of one person the unused ones end, with their live streams. */
import { MINUTE_MS } from '@trunkline/contract/durations'
import { jwtLogin, login } from '@trunkline/contract/session/session.calls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { inject } from '../../testing/inject.ts'
import { LiveReader } from '../../testing/live-reader.ts'
import { TEST_PASSWORD } from '../../testing/people.ts'
import { openTestApp, type TestApp } from '../../testing/test-app.ts'

const MOST = 100

async function signIn({ app, people }: TestApp): Promise<string> {
  const body = { email: people.northEditor.email, password: TEST_PASSWORD }
  return (await inject(app, login, '', { body })).answer.token
}

async function fillSessions({ ctx, people }: TestApp): Promise<void> {
  const at = new Date(ctx.clock()).toISOString()
  const rows = Array.from({ length: MOST - 2 }, (_, of) => ({
    id: `session-${of}`,
    user_id: people.northEditor.id,
    token_version: 1,
    signed_in_at: at,
    used_at: at,
    address: '',
    user_agent: '',
  }))
  await ctx.db.insertInto('sessions').values(rows).execute()
}

test('T5 a session in use stays, an unused older one ends with its live stream', async () => {
  // An open stream also looks at its session each minute; here it must hear of the end.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  await using test = await openTestApp()
  const address = await test.app.listen({ port: 0, host: '127.0.0.1' })
  const { token: inUse } = test.people.northEditor
  test.advance(6 * MINUTE_MS)
  expect((await inject(test.app, jwtLogin, inUse, {})).status).toBe(200)
  const unused = await signIn(test)
  await using stream = await LiveReader.open(address, unused)
  await stream.until(() => stream.events.length > 0)
  test.advance(1000)
  await fillSessions(test)
  test.advance(1000)
  const newest = await signIn(test)
  await stream.next('gone', () => true)
  await stream.until(() => stream.isEnded)
  const statuses = []
  for (const token of [inUse, unused, newest]) {
    statuses.push((await inject(test.app, jwtLogin, token, {})).status)
  }
  expect(statuses).toEqual([200, 401, 200])
})
