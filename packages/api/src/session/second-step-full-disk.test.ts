/** F7: somebody with a second factor signs in while the disk of the database is full, to make room. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { secondStep } from '@trunkline/contract/session/second-step.calls'
import { jwtLogin } from '@trunkline/contract/session/session.calls'
import {
  beginSecondFactor,
  confirmSecondFactor,
} from '@trunkline/contract/users/second-factor.calls'
import { expect, test } from 'vitest'
import { FIRST_ADMIN, signIn, startApi, WITH_ADMIN } from '../testing/api-process.ts'
import { makeFolder } from '../testing/folder.ts'
import { totpCode } from '../users/second-factor/totp-code.fixture.ts'

const STEP_MS = 30_000

async function post(url: string, { path }: { path: string }, body: object, token = '') {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const reply = (await answer.json()) as {
    token: string
    secret: string
    recoveryCodes: string[]
    secondFactor: { challenge: string }
  }
  return { status: answer.status, reply }
}

async function challengeAt(url: string): Promise<string> {
  const { reply } = await post(url, { path: '/api/users/login' }, FIRST_ADMIN)
  return reply.secondFactor.challenge
}

test('F7 without room on the disk a code signs in, once, and a recovery code is not used up', async () => {
  await using folder = await makeFolder()
  const env = { TRUNKLINE_DATA_DIR: join(folder.path, 'data'), ...WITH_ADMIN }
  const first = await startApi(env)
  const { token } = await signIn(first.url)
  const currentPassword = FIRST_ADMIN.password
  const { secret } = (await post(first.url, beginSecondFactor, { currentPassword }, token)).reply
  const code = totpCode(secret, Date.now())
  const { reply: confirmed } = await post(first.url, confirmSecondFactor, { code }, token)
  const earlier = await challengeAt(first.url)
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)

  const { url, child } = await startApi(env, ['prlimit', '--fsize=0:unlimited'])
  const enter = async (challenge: string, entered: string) =>
    post(url, secondStep, { challenge, code: entered })
  const next = totpCode(secret, Date.now() + STEP_MS)
  // Its tries cannot be counted.
  expect((await enter(earlier, next)).status).toBe(401)
  const [recovery = ''] = confirmed.recoveryCodes
  expect((await enter(await challengeAt(url), recovery)).status).toBe(507)

  const challenge = await challengeAt(url)
  expect((await enter(challenge, '000000')).status).toBe(422)
  const signedIn = await enter(challenge, next)
  expect(signedIn.status).toBe(200)
  expect((await post(url, jwtLogin, {}, signedIn.reply.token)).status).toBe(200)
  expect((await enter(challenge, next)).status).toBe(401)
  expect((await enter(await challengeAt(url), next)).status).toBe(422)

  await promisify(execFile)('prlimit', ['--pid', String(child.pid), '--fsize=unlimited'])
  expect((await enter(await challengeAt(url), next)).status).toBe(422)
  expect((await enter(await challengeAt(url), recovery)).status).toBe(200)
})
