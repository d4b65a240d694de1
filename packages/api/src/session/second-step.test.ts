import { MINUTE_MS } from '@trunkline/contract/durations'
import { secondStep } from '@trunkline/contract/session/second-step.calls'
import { jwtLogin, login } from '@trunkline/contract/session/session.calls'
import {
  resetSecondFactor,
  turnOffSecondFactor,
} from '@trunkline/contract/users/second-factor.calls'
import { updateUser } from '@trunkline/contract/users/user.calls'
import { describe, expect, test } from 'vitest'
import { addTestToken, personOwner } from '../users/api-tokens/api-token.fixture.ts'
import { listOwnApiTokens } from '@trunkline/contract/users/api-token.calls'
import { codeOf, turnOnTestFactor } from '../users/second-factor/second-factor.fixture.ts'
import { inject } from '../testing/inject.ts'
import { TEST_PASSWORD } from '../testing/people.ts'
import { openTestApp, type TestApp } from '../testing/test-app.ts'
import { DATABASES, openTwoProcesses } from '../testing/two-processes.ts'

const IS_OVER = 'This sign-in has expired. Enter your e-mail and password again.'

async function openWithFactor(limit = 1000) {
  const test = await openTestApp({ signInLimit: limit })
  const { admin } = test.people
  const factor = await turnOnTestFactor(test.ctx, admin.id)
  return {
    ...test,
    factor,
    ...ways(test, admin.email),
    code: (steps = 0) => codeOf(test.ctx, factor.secret, steps),
    [Symbol.asyncDispose]: async () => test[Symbol.asyncDispose](),
  }
}

function ways({ app }: TestApp, email: string) {
  const signIn = async (password = TEST_PASSWORD) =>
    inject(app, login, '', { body: { email, password } })
  return {
    signIn,
    challenge: async () => (await signIn()).failure.secondFactor?.challenge ?? '',
    enter: async (challenge: string, code: string) =>
      inject(app, secondStep, '', { body: { challenge, code } }),
  }
}

test('a right password alone begins no session: its answer has a challenge, which is no token', async () => {
  await using site = await openWithFactor()
  const { status, failure, text, headers } = await site.signIn()
  expect([status, failure.code]).toEqual([401, 'second_factor'])
  expect(text).not.toContain('"token"')
  expect(headers).not.toHaveProperty('set-cookie')
  const challenge = failure.secondFactor?.challenge ?? ''
  expect((await inject(site.app, jwtLogin, challenge, {})).status).toBe(401)
  const { status: stepped, answer } = await site.enter(challenge, site.code())
  expect(stepped).toBe(200)
  expect(answer.user.email).toBe(site.people.admin.email)
  expect((await inject(site.app, jwtLogin, answer.token, {})).status).toBe(200)
})

test('T6 a wrong password answers the same with and without a second factor', async () => {
  await using site = await openWithFactor()
  const withFactor = await site.signIn('wrong')
  const without = await inject(site.app, login, '', {
    body: { email: site.people.northEditor.email, password: 'wrong' },
  })
  expect([withFactor.status, withFactor.text]).toEqual([401, without.text])
})

test('a code counts once, also with another challenge', async () => {
  await using site = await openWithFactor()
  const code = site.code()
  expect((await site.enter(await site.challenge(), code)).status).toBe(200)
  const again = await site.enter(await site.challenge(), code)
  expect([again.status, again.failure.field]).toEqual([422, 'code'])
  // Nor one of before it.
  expect((await site.enter(await site.challenge(), site.code(-1))).status).toBe(422)
  expect((await site.enter(await site.challenge(), site.code(1))).status).toBe(200)
})

test('a challenge begins one session', async () => {
  await using site = await openWithFactor()
  const challenge = await site.challenge()
  expect((await site.enter(challenge, site.code())).status).toBe(200)
  const again = await site.enter(challenge, site.code(1))
  expect([again.status, again.failure.error]).toEqual([401, IS_OVER])
})

test.each([-2, 2])('a code of %i steps away is refused', async (steps) => {
  await using site = await openWithFactor()
  expect((await site.enter(await site.challenge(), site.code(steps))).status).toBe(422)
})

test('a challenge ends after five minutes, after five wrong codes, and with a new password', async () => {
  await using site = await openWithFactor()
  const late = await site.challenge()
  site.advance(5 * MINUTE_MS)
  expect((await site.enter(late, site.code())).status).toBe(401)
  const tried = await site.challenge()
  for (let at = 0; at < 5; at++) expect((await site.enter(tried, '000000')).status).toBe(422)
  expect((await site.enter(tried, site.code())).status).toBe(401)
  const before = await site.challenge()
  const newPassword = 'another horse battery'
  await inject(site.app, updateUser, site.people.superadmin.token, {
    body: { _id: site.people.admin.id, newPassword, newConfirmPassword: newPassword },
  })
  expect((await site.enter(before, site.code(1))).status).toBe(401)
})

test('T6 wrong codes count like wrong passwords: a right password does not take them back', async () => {
  await using site = await openWithFactor(10)
  const statuses: number[] = []
  for (let at = 0; at < 6; at++) {
    const { status, failure } = await site.signIn()
    statuses.push(status)
    if (failure.secondFactor === undefined) continue
    statuses.push((await site.enter(failure.secondFactor.challenge, '000000')).status)
  }
  const right = [401, 422] as const
  expect(statuses).toEqual([...right, ...right, ...right, ...right, ...right, 429])
})

test('after 100 wrong codes in a row only a recovery code gets in, and then codes again', async () => {
  await using site = await openWithFactor()
  await site.ctx.db.updateTable('second_factors').set({ wrong_codes: 100 }).execute()
  const refused = await site.enter(await site.challenge(), site.code())
  expect(refused.failure.error).toMatch(/^Too many wrong codes .* change it\.$/)
  const [recovery = ''] = site.factor.recoveryCodes
  expect((await site.enter(await site.challenge(), recovery)).status).toBe(200)
  expect((await site.enter(await site.challenge(), site.code())).status).toBe(200)
})

test('a recovery code gets in once, however it is typed, and never that of somebody else', async () => {
  await using site = await openWithFactor()
  const [first = '', second = ''] = site.factor.recoveryCodes
  expect(first).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
  const typed = ` ${first.replaceAll('-', ' ').toUpperCase()} `
  expect((await site.enter(await site.challenge(), typed)).status).toBe(200)
  expect((await site.enter(await site.challenge(), first)).status).toBe(422)
  await turnOnTestFactor(site.ctx, site.people.northEditor.id)
  const others = ways(site, site.people.northEditor.email)
  expect((await others.enter(await others.challenge(), second)).status).toBe(422)
})

test('a challenge of somebody else does not take my code', async () => {
  await using site = await openWithFactor()
  await turnOnTestFactor(site.ctx, site.people.northEditor.id)
  const others = ways(site, site.people.northEditor.email)
  expect((await others.enter(await others.challenge(), site.code())).status).toBe(422)
})

test('once turned off or reset the password alone signs in, and an open challenge is over', async () => {
  await using site = await openWithFactor()
  const { admin, superadmin } = site.people
  const open = await site.challenge()
  const body = { currentPassword: TEST_PASSWORD, code: site.code() }
  expect((await inject(site.app, turnOffSecondFactor, admin.token, { body })).status).toBe(200)
  expect((await site.enter(open, site.code(1))).status).toBe(401)
  expect((await site.signIn()).status).toBe(200)
  await turnOnTestFactor(site.ctx, admin.id)
  const params = { id: admin.id }
  await inject(site.app, resetSecondFactor, superadmin.token, { params })
  expect((await site.signIn()).status).toBe(200)
})

test('API tokens of the account keep working', async () => {
  await using site = await openWithFactor()
  const owner = await personOwner(site.ctx, site.people.admin.id)
  const { text } = await addTestToken(site.ctx, owner)
  expect((await inject(site.app, listOwnApiTokens, text, {})).status).toBe(200)
})

test('T20 the record has the right password without a code, the wrong code and the sign-in', async () => {
  await using site = await openWithFactor()
  const challenge = await site.challenge()
  await site.enter(challenge, '000000')
  await site.enter(challenge, site.code())
  const lines = await site.ctx.db
    .selectFrom('audit')
    .select(['call', 'result', 'reason', 'object_id'])
    .orderBy('at')
    .orderBy('id')
    .execute()
  expect(lines.map(({ call, result }) => [call, result])).toEqual([
    ['session.login', 'refused'],
    ['session.secondStep', 'refused'],
    ['session.secondStep', 'done'],
  ])
  expect(lines.map((line) => line.object_id)).toEqual(Array(3).fill(site.people.admin.id))
  const stored = JSON.stringify(
    await site.ctx.db.selectFrom('sign_in_challenges').selectAll().execute(),
  )
  expect(`${JSON.stringify(lines)}${stored}`).not.toContain(challenge)
})

describe.each(DATABASES)('at once on %s', (kind) => {
  test('one code entered many times begins one session', async () => {
    await using site = await openTwoProcesses(kind)
    const { admin } = site.people
    const { secret } = await turnOnTestFactor(site.ctx, admin.id)
    const body = { email: admin.email, password: TEST_PASSWORD }
    const asked = await Promise.all([1, 2, 3].map(async () => site.ask(login, '', { body })))
    const code = codeOf(site.ctx, secret)
    const answers = await Promise.all(
      asked.map(async ({ failure }) => {
        const challenge = failure.secondFactor?.challenge ?? ''
        return site.ask(secondStep, '', { body: { challenge, code } })
      }),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422])
  })

  test('one challenge with several right codes begins one session', async () => {
    await using site = await openTwoProcesses(kind)
    const { admin } = site.people
    const { recoveryCodes } = await turnOnTestFactor(site.ctx, admin.id)
    const body = { email: admin.email, password: TEST_PASSWORD }
    const { failure } = await site.ask(login, '', { body })
    const challenge = failure.secondFactor?.challenge ?? ''
    const answers = await Promise.all(
      recoveryCodes
        .slice(0, 3)
        .map(async (code) => site.ask(secondStep, '', { body: { challenge, code } })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401])
  })
})
