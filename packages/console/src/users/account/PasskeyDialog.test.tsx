import { screen, waitFor, within } from '@testing-library/react'
import {
  addPasskey,
  beginPasskey,
  removePasskey,
  renamePasskey,
} from '@trunkline/contract/users/passkey.calls'
import { readSecondFactor } from '@trunkline/contract/users/second-factor.calls'
import { findUser } from '@trunkline/contract/users/user.calls'
import { afterEach, expect, test, vi } from 'vitest'
import { createPasskey } from '../../shared/passkeys/passkeys.ts'
import { refuse, type FakeApi } from '../../test/fake-api.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { personOf } from '../../test/user.samples.ts'
import type { SecondFactor } from '../user.messages.ts'
import { dialog, NO_FACTOR, openUsers } from '../users.fixture.ts'

// The browser's own part; e2e/without-picture/second-factor.e2e.ts has a real one.
vi.mock('../../shared/passkeys/passkeys.ts', () => ({
  createPasskey: vi.fn<typeof createPasskey>(),
}))

const CREATION = {
  rp: { id: 'console.example', name: 'Trunkline' },
  user: { id: 'dXNlcg', name: 'a@b.co', displayName: 'Night Desk' },
  challenge: 'challenge-1',
  pubKeyCredParams: [{ alg: -7, type: 'public-key' as const }],
  timeout: 120_000,
  excludeCredentials: [],
  authenticatorSelection: {
    residentKey: 'discouraged' as const,
    userVerification: 'preferred' as const,
  },
  attestation: 'none' as const,
}
const CREDENTIAL = {
  id: 'Y3JlZA',
  clientDataJSON: 'e30',
  attestationObject: 'oA',
  transports: ['usb'],
}
const SAFE = {
  id: 'passkey-1',
  name: 'Key in the safe',
  createdAt: '2026-01-01T00:00:00.000Z',
  lastUsedAt: null,
  site: 'console.example',
}

afterEach(() => {
  vi.mocked(createPasskey).mockReset()
  resetConsole()
})

async function openPasskeys(state: Partial<SecondFactor>, codes: string[] | null = null) {
  const scene = await openUsers({
    role: 'monitor',
    prepare: (api: FakeApi) => {
      const own = personOf('monitor', { _id: 'user-monitor' })
      api.on(findUser).answer(() => ({ status: true, data: own, user: own }))
      api.on(readSecondFactor).answer(() => ({ status: true, data: { ...NO_FACTOR, ...state } }))
      api.on(beginPasskey).answer(() => ({ status: true, creation: CREATION }))
      api.on(addPasskey).answer(() => ({ status: true, recoveryCodes: codes }))
      api.on(removePasskey).answer(() => ({ status: true }))
      api.on(renamePasskey).answer(() => ({ status: true }))
    },
  })
  vi.mocked(createPasskey).mockResolvedValue(CREDENTIAL)
  await scene.user.click(screen.getByRole('button', { name: 'Account of Night Desk' }))
  const section = await screen.findByRole('region', { name: 'Passkeys' })
  return { ...scene, section }
}

test('the first passkey: name and password, the browser, then the recovery codes once', async () => {
  const codes = Array.from({ length: 10 }, (_, at) => `abcd-efgh-2345-67${at}a`)
  const { api, section, user } = await openPasskeys({}, codes)
  within(section).getByText('None.')
  await user.click(within(section).getByRole('button', { name: 'Add passkey' }))
  const shown = await dialog('Add passkey')
  await user.type(within(shown).getByLabelText('Name'), 'Key in the safe')
  await user.type(within(shown).getByLabelText('Current password'), 'my password')
  await user.click(within(shown).getByRole('button', { name: 'Continue' }))
  const result = await dialog('Passkey added')
  expect(within(result).getAllByRole('listitem')).toHaveLength(10)
  // Neither a second Enter nor Escape takes away what is not shown again.
  await waitFor(() => expect(document.activeElement?.textContent).toContain(codes[0]))
  await user.keyboard('{Enter}{Escape}')
  expect(within(result).getAllByRole('listitem')).toHaveLength(10)
  await user.click(within(result).getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Passkey added' })).toBeNull())
  expect(vi.mocked(createPasskey).mock.calls).toEqual([[CREATION]])
  expect(api.askedOf(addPasskey).map(({ body }) => body)).toEqual([
    { challenge: 'challenge-1', name: 'Key in the safe', credential: CREDENTIAL },
  ])
})

test('a passkey beside another factor is added without new recovery codes', async () => {
  const { section, user } = await openPasskeys({ isOn: true, recoveryCodesLeft: 9 })
  await user.click(within(section).getByRole('button', { name: 'Add passkey' }))
  const shown = await dialog('Add passkey')
  await user.type(within(shown).getByLabelText('Name'), 'Telephone')
  await user.type(within(shown).getByLabelText('Current password'), 'my password')
  await user.click(within(shown).getByRole('button', { name: 'Continue' }))
  await screen.findByText('Passkey added')
  const account = await dialog('Your account')
  await waitFor(() =>
    expect(document.activeElement).toBe(
      within(account).getByRole('button', { name: 'Add passkey' }),
    ),
  )
})

test('a wrong password stays at its field, and the browser is not asked', async () => {
  const { api, section, user } = await openPasskeys({})
  api.on(beginPasskey).answer(() => refuse(422, 'This is not your current password.'))
  await user.click(within(section).getByRole('button', { name: 'Add passkey' }))
  const shown = await dialog('Add passkey')
  await user.type(within(shown).getByLabelText('Name'), 'Telephone')
  await user.type(within(shown).getByLabelText('Current password'), 'wrong')
  await user.click(within(shown).getByRole('button', { name: 'Continue' }))
  expect(await screen.findAllByText('This is not your current password.')).not.toHaveLength(0)
  expect(createPasskey).not.toHaveBeenCalled()
})

test('removing the last one says so and takes the password', async () => {
  const { api, section, user } = await openPasskeys({ passkeys: [SAFE], recoveryCodesLeft: 3 })
  await screen.findByText(
    'On without an app. Signing in asks for a passkey. 3 recovery codes left.',
  )
  within(section).getByText('never used')
  await user.click(within(section).getByRole('button', { name: 'Remove passkey Key in the safe' }))
  const shown = await dialog('Remove passkey')
  within(shown).getByText(/It is your last second factor/)
  await user.type(within(shown).getByLabelText('Current password'), 'my password{Enter}')
  await screen.findByText('Passkey removed')
  expect(api.askedOf(removePasskey).map(({ body }) => body)).toEqual([
    { passkeyId: 'passkey-1', currentPassword: 'my password' },
  ])
})

test('a passkey is renamed without the password; an empty name is refused at its field', async () => {
  const { api, section, user } = await openPasskeys({ passkeys: [SAFE] })
  await user.type(within(await dialog('Your account')).getByLabelText('First name'), 'XY')
  await user.click(within(section).getByRole('button', { name: 'Rename passkey Key in the safe' }))
  const shown = await dialog('Rename passkey')
  const name = within(shown).getByLabelText('Name')
  await user.clear(name)
  await user.type(name, '{Enter}')
  await within(shown).findByText('Name must not be empty. Type at least one character.')
  await user.type(name, ' Telephone {Enter}')
  await screen.findByText('Passkey renamed')
  expect(api.askedOf(renamePasskey).map(({ body }) => body)).toEqual([
    { passkeyId: 'passkey-1', name: 'Telephone' },
  ])
  const account = await dialog('Your account')
  expect(within(account).getByLabelText('First name'), 'what was typed before').toHaveProperty(
    'value',
    expect.stringMatching(/XY$/),
  )
})

test('where passkeys do not work the section says why, in place of the button', async () => {
  const { section } = await openPasskeys({ passkeysRefused: 'Passkeys need https.' })
  within(section).getByText('Passkeys need https.')
  expect(within(section).queryByRole('button')).toBeNull()
})
