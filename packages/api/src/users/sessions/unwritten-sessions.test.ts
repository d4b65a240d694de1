/** F7: sessions that began while the disk was full are listed, ended and kept like all others. */
import { HOUR_MS } from '@trunkline/contract/durations'
import { jwtLogin, login } from '@trunkline/contract/session/session.calls'
import { updateUser } from '@trunkline/contract/users/user.calls'
import { endUserSession, listUserSessions } from '@trunkline/contract/users/user-session.calls'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { newId } from '../../id.ts'
import { inject } from '../../testing/inject.ts'
import { TEST_PASSWORD } from '../../testing/people.ts'
import { openTestApp, type TestApp } from '../../testing/test-app.ts'
import { endUnwritten, unwrittenOf } from './unwritten-sessions.ts'
import * as userSessionStore from './user-session.store.ts'

const PROOF = { idTokenSealed: null, authenticatedAt: null }
const NEW_PASSWORD = 'a fresh and long one'

/** Takes the room of one more session, of somebody else. */
async function isRoomFor({ ctx, people }: TestApp): Promise<boolean> {
  const at = new Date(ctx.clock()).toISOString()
  const session = { id: newId(), userId: people.southEditor.id, tokenVersion: 1, address: '' }
  return userSessionStore
    .insert(ctx.db, { ...session, signedInAt: at, usedAt: at, userAgent: '', ...PROOF })
    .then(
      () => true,
      () => false,
    )
}

/** The token of somebody who signed in while nothing could be written; now it can. */
async function signInWithoutRoom(site: TestApp): Promise<string> {
  const { id } = site.people.northMonitor
  // The process knows them, which runs the tests of other files as well, with people of the same ids.
  onTestFinished(() => unwrittenOf(id).forEach((session) => void endUnwritten(id, session.id)))
  await sql`pragma max_page_count = 1`.execute(site.ctx.db)
  while (await isRoomFor(site));
  const body = { email: site.people.northMonitor.email, password: TEST_PASSWORD }
  const { answer } = await inject(site.app, login, '', { body })
  await sql`pragma max_page_count = 1000000`.execute(site.ctx.db)
  return answer.token
}

async function sessionsOf(site: TestApp, token: string) {
  const input = { params: { id: site.people.northMonitor.id } }
  return (await inject(site.app, listUserSessions, token, input)).answer.data
}

test('F7 T5 a session that began while the disk was full is listed and ended', async () => {
  await using site = await openTestApp()
  const { id, token } = site.people.northMonitor
  const lost = await signInWithoutRoom(site)
  const [newest, ...others] = await sessionsOf(site, token)
  expect([newest?.isCurrent, others.length]).toEqual([false, 1])
  const params = { id, sessionId: newest?.id ?? '' }
  expect((await inject(site.app, endUserSession, token, { params })).status).toBe(200)
  expect((await inject(site.app, jwtLogin, lost, {})).status).toBe(401)
  expect(await sessionsOf(site, token)).toHaveLength(1)
  expect((await inject(site.app, endUserSession, token, { params })).status).toBe(404)
})

test('F7 T5 a session that began while the disk was full goes on after its own new password', async () => {
  await using site = await openTestApp()
  const { id, token } = site.people.northMonitor
  const own = await signInWithoutRoom(site)
  const password = { newPassword: NEW_PASSWORD, newConfirmPassword: NEW_PASSWORD }
  const body = { _id: id, ...password, currentPassword: TEST_PASSWORD }
  expect((await inject(site.app, updateUser, own, { body })).status).toBe(200)
  expect((await inject(site.app, jwtLogin, own, {})).status).toBe(200)
  expect((await inject(site.app, jwtLogin, token, {})).status).toBe(401)
  expect(await sessionsOf(site, own)).toMatchObject([{ isCurrent: true }])
})

test('F7 the last use of a session that began while the disk was full is noted', async () => {
  await using site = await openTestApp()
  const own = await signInWithoutRoom(site)
  site.advance(11 * HOUR_MS)
  const { answer } = await inject(site.app, jwtLogin, own, {})
  site.advance(2 * HOUR_MS)
  const [session, ...others] = await sessionsOf(site, answer.token)
  expect([session?.isCurrent, others]).toEqual([true, []])
})
