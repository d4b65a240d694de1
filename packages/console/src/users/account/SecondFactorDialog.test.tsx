import { screen, within } from '@testing-library/react'
import type { Role } from '@trunkline/contract/roles'
import {
  beginSecondFactor,
  confirmSecondFactor,
  readSecondFactor,
  resetSecondFactor,
  turnOffSecondFactor,
} from '@trunkline/contract/users/second-factor.calls'
import { findUser } from '@trunkline/contract/users/user.calls'
import { afterEach, expect, test } from 'vitest'
import { refuse, type FakeApi } from '../../test/fake-api.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { personOf } from '../../test/user.samples.ts'
import { dialog, NO_FACTOR, openUsers } from '../users.fixture.ts'

afterEach(resetConsole)

const SECRET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const CODES = Array.from({ length: 10 }, (_, at) => `abcd-efgh-2345-67${at}a`)

interface Factor {
  isOn: boolean
  recoveryCodesLeft: number
}

async function openFactor(role: Role, button: string, { isOn, recoveryCodesLeft }: Factor) {
  const since = isOn ? '2026-01-01T00:00:00.000Z' : null
  const state = { ...NO_FACTOR, isOn, since, recoveryCodesLeft }
  const scene = await openUsers({
    role,
    others: [personOf('editor')],
    prepare: (api: FakeApi) => {
      const own = personOf(role, { _id: `user-${role}` })
      api.on(findUser).answer(() => ({ status: true, data: own, user: own }))
      api.on(readSecondFactor).answer(() => ({ status: true, data: state }))
      api.on(beginSecondFactor).answer(() => {
        return { status: true, secret: SECRET, uri: `otpauth://totp/Trunkline:x?secret=${SECRET}` }
      })
      api.on(confirmSecondFactor).answer(() => ({ status: true, recoveryCodes: CODES }))
      api.on(turnOffSecondFactor).answer(() => ({ status: true }))
      api.on(resetSecondFactor).answer(() => ({ status: true }))
    },
  })
  await scene.user.click(screen.getByRole('button', { name: button }))
  const section = await screen.findByRole('region', { name: 'Second factor' })
  return { ...scene, section }
}

test('turning on: password, QR code with key, first code, then the recovery codes once', async () => {
  const { api, section, user } = await openFactor('monitor', 'Account of Night Desk', {
    isOn: false,
    recoveryCodesLeft: 0,
  })
  await within(section).findByText('Off. Your password alone signs you in.')
  await user.click(within(section).getByRole('button', { name: 'Turn on' }))
  let shown = await dialog('Turn on second factor')
  await user.type(within(shown).getByLabelText('Current password'), 'my password{Enter}')
  await screen.findByRole('img', { name: 'QR code for an authenticator app' })
  shown = await dialog('Turn on second factor')
  within(shown).getByText('ABCD EFGH IJKL MNOP QRST UVWX YZ23 4567')
  await user.type(within(shown).getByLabelText('Code'), '123456{Enter}')
  const result = await dialog('Second factor turned on')
  const list = within(result).getByRole('list', { name: 'Recovery codes' })
  expect(
    within(list)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(CODES)
  expect(api.askedOf(beginSecondFactor).map(({ body }) => body)).toEqual([
    { currentPassword: 'my password' },
  ])
  expect(api.askedOf(confirmSecondFactor).map(({ body }) => body)).toEqual([{ code: '123456' }])
})

test('a wrong first code stays at its field', async () => {
  const { api, section, user } = await openFactor('monitor', 'Account of Night Desk', {
    isOn: false,
    recoveryCodesLeft: 0,
  })
  api.on(confirmSecondFactor).answer(() => refuse(422, 'This code is wrong.'))
  await user.click(await within(section).findByRole('button', { name: 'Turn on' }))
  const shown = await dialog('Turn on second factor')
  await user.type(within(shown).getByLabelText('Current password'), 'my password{Enter}')
  await user.type(await screen.findByLabelText('Code'), '000000{Enter}')
  expect(await screen.findAllByText('This code is wrong.')).not.toHaveLength(0)
})

test('turning off takes password and code', async () => {
  const { api, section, user } = await openFactor('monitor', 'Account of Night Desk', {
    isOn: true,
    recoveryCodesLeft: 1,
  })
  await within(section).findByText('On. Signing in asks for a code. 1 recovery code left.')
  await user.click(within(section).getByRole('button', { name: 'Turn off' }))
  const shown = await dialog('Turn off second factor')
  await user.type(within(shown).getByLabelText('Current password'), 'my password')
  await user.type(within(shown).getByLabelText('Code'), '123456')
  await user.click(within(shown).getByRole('button', { name: 'Turn off' }))
  await screen.findByText('Second factor turned off')
  expect(api.askedOf(turnOffSecondFactor).map(({ body }) => body)).toEqual([
    { currentPassword: 'my password', code: '123456' },
  ])
})

test('who may change somebody resets their second factor, after a question', async () => {
  const { api, section, user } = await openFactor('admin', 'Edit Gallery editor', {
    isOn: true,
    recoveryCodesLeft: 9,
  })
  await user.type(screen.getByLabelText('First name'), 'XY')
  await user.click(await within(section).findByRole('button', { name: 'Reset' }))
  expect(api.askedOf(resetSecondFactor)).toEqual([])
  await user.click(await screen.findByRole('button', { name: 'Reset second factor' }))
  await screen.findByText('Second factor reset')
  expect(api.askedOf(resetSecondFactor).map(({ path }) => path)).toEqual([
    '/api/users/secondFactor/other-editor',
  ])
  const back = await dialog('Edit user')
  expect(within(back).getByLabelText('First name'), 'what was typed before').toHaveProperty(
    'value',
    expect.stringMatching(/XY$/),
  )
})

test('of somebody without one there is nothing to reset', async () => {
  const { section } = await openFactor('admin', 'Edit Gallery editor', {
    isOn: false,
    recoveryCodesLeft: 0,
  })
  await within(section).findByText('Off. Signing in needs only the password.')
  expect(within(section).queryByRole('button')).toBeNull()
})
