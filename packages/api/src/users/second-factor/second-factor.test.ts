import { login } from '@trunkline/contract/session/session.calls'
import {
  beginSecondFactor,
  confirmSecondFactor,
  readSecondFactor,
  resetSecondFactor,
  turnOffSecondFactor,
} from '@trunkline/contract/users/second-factor.calls'
import { expect, test } from 'vitest'
import { inject } from '../../testing/inject.ts'
import { TEST_PASSWORD } from '../../testing/people.ts'
import { openTestApp } from '../../testing/test-app.ts'
import { codeOf, turnOnTestFactor } from './second-factor.fixture.ts'
import { resetByCommand } from './second-factor.service.ts'

const currentPassword = TEST_PASSWORD

async function open() {
  const test = await openTestApp({ signInLimit: 1000 })
  const { admin } = test.people
  return {
    ...test,
    admin,
    begin: async (password = currentPassword) =>
      inject(test.app, beginSecondFactor, admin.token, { body: { currentPassword: password } }),
    confirm: async (code: string) =>
      inject(test.app, confirmSecondFactor, admin.token, { body: { code } }),
    turnOff: async (code: string, password = currentPassword) =>
      inject(test.app, turnOffSecondFactor, admin.token, {
        body: { currentPassword: password, code },
      }),
    state: async () => {
      const params = { id: admin.id }
      return (await inject(test.app, readSecondFactor, admin.token, { params })).answer.data
    },
    signIn: async () =>
      (
        await inject(test.app, login, '', {
          body: { email: admin.email, password: TEST_PASSWORD },
        })
      ).status,
    [Symbol.asyncDispose]: async () => test[Symbol.asyncDispose](),
  }
}

test('it counts from its first code, and answers ten recovery codes', async () => {
  await using site = await open()
  const begun = await site.begin()
  expect(begun.status).toBe(200)
  const { secret, uri } = begun.answer
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(uri).toContain(`secret=${secret}`)
  expect(uri).toMatch(/^otpauth:\/\/totp\/Trunkline:.*issuer=Trunkline.*digits=6&period=30$/)
  expect([await site.signIn(), (await site.state()).isOn]).toEqual([200, false])
  expect((await site.confirm('000000')).status).toBe(422)
  expect(await site.signIn()).toBe(200)
  const { answer } = await site.confirm(codeOf(site.ctx, secret))
  expect(new Set(answer.recoveryCodes).size).toBe(10)
  expect(await site.signIn()).toBe(401)
  expect(await site.state()).toMatchObject({ isOn: true, recoveryCodesLeft: 10 })
})

test('the code that turned it on signs nobody in, and turns nothing off', async () => {
  await using site = await open()
  const { secret } = (await site.begin()).answer
  const code = codeOf(site.ctx, secret)
  await site.confirm(code)
  expect((await site.turnOff(code)).status).toBe(422)
  expect((await site.state()).isOn).toBe(true)
})

test('secret and recovery codes are not in the database in clear', async () => {
  await using site = await open()
  const { secret } = (await site.begin()).answer
  const { recoveryCodes } = (await site.confirm(codeOf(site.ctx, secret))).answer
  const stored = JSON.stringify([
    await site.ctx.db.selectFrom('second_factors').selectAll().execute(),
    await site.ctx.db.selectFrom('recovery_codes').selectAll().execute(),
    await site.ctx.db.selectFrom('audit').selectAll().execute(),
  ])
  const secrets = [
    secret,
    ...recoveryCodes,
    ...recoveryCodes.map((each) => each.replaceAll('-', '')),
  ]
  expect(secrets.filter((each) => stored.includes(each))).toEqual([])
})

test('while it is on it cannot be begun anew: nobody swaps the secret from an open session', async () => {
  await using site = await open()
  await turnOnTestFactor(site.ctx, site.admin.id)
  expect((await site.begin()).status).toBe(409)
  expect((await site.confirm('000000')).status).toBe(409)
})

test('turning it on needs the password; turning it off needs password and code', async () => {
  await using site = await open()
  expect((await site.begin('wrong')).failure).toMatchObject({ field: 'currentPassword' })
  const { secret, recoveryCodes } = await turnOnTestFactor(site.ctx, site.admin.id)
  expect((await site.turnOff(codeOf(site.ctx, secret), 'wrong')).status).toBe(422)
  expect((await site.turnOff('000000')).failure).toMatchObject({ field: 'code' })
  expect((await site.state()).isOn).toBe(true)
  expect((await site.turnOff(recoveryCodes[0] ?? '')).status).toBe(200)
  expect(await site.state()).toMatchObject({ isOn: false, since: null, recoveryCodesLeft: 0 })
  expect((await site.turnOff('000000')).status).toBe(409)
})

test('only who may change somebody resets their second factor; nobody the own', async () => {
  await using site = await open()
  const { northManager, northEditor, southManager, superadmin } = site.people
  await turnOnTestFactor(site.ctx, northEditor.id)
  await turnOnTestFactor(site.ctx, superadmin.id)
  const reset = async (token: string, id: string) =>
    (await inject(site.app, resetSecondFactor, token, { params: { id } })).status
  expect(await reset(northEditor.token, northEditor.id)).toBe(403)
  expect(await reset(southManager.token, northEditor.id)).toBe(404)
  expect(await reset(site.admin.token, superadmin.id)).toBe(404)
  expect(await reset(superadmin.token, superadmin.id)).toBe(409)
  expect(await reset(northManager.token, northEditor.id)).toBe(200)
  expect(await reset(northManager.token, northEditor.id)).toBe(409)
})

test('a command resets it, and leaves a line without a doer', async () => {
  await using site = await open()
  await turnOnTestFactor(site.ctx, site.admin.id)
  expect(await resetByCommand(site.ctx, site.admin.email)).toBe(true)
  expect(await resetByCommand(site.ctx, site.admin.email)).toBe(false)
  expect(await site.signIn()).toBe(200)
  const line = site.ctx.db.selectFrom('audit').selectAll()
  expect(await line.where('call', '=', 'users.resetSecondFactor').executeTakeFirst()).toMatchObject(
    { actor_id: null, object_id: site.admin.id, result: 'done' },
  )
})
