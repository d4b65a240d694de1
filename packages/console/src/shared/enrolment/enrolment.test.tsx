import { act, screen, waitFor } from '@testing-library/react'
import {
  addEnrolmentCode,
  readEnrolment,
  revokeEnrolment,
} from '@trunkline/contract/enrolment/enrolment.calls'
import type { HostEnrolment } from '@trunkline/contract/enrolment/enrolment.schema'
import { listServers } from '@trunkline/contract/servers/server.calls'
import type { Server } from '@trunkline/contract/servers/server.schema'
import { afterEach, expect, test } from 'vitest'
import { refuse } from '../../test/fake-api.ts'
import { openedDialog } from '../../test/opened-dialog.ts'
import { snapshotOf } from '../../test/fake-stream.ts'
import { enrolmentOf, hostOf, serverOf } from '../../test/place.samples.ts'
import { answerQuestion, renderConsole, resetConsole } from '../../test/render-console.tsx'
import { keyHint } from './key-hint.rules.ts'

afterEach(resetConsole)

const LIMIT = { timeout: 20_000 }
const CODE = '01234-56789-ABCDE-FGHJK'
const PLAIN = enrolmentOf('server', 'a', { takesHosts: true })
const ENROLLED: HostEnrolment = {
  ...PLAIN,
  security: 'enrolled',
  since: '2026-05-03T14:01:29.000Z',
  certificateEndsAt: '2026-06-02T14:01:29.000Z',
}

async function openDialog(first: HostEnrolment, server: Server = serverOf('a')) {
  let stored = first
  const scene = renderConsole({
    path: '/dashboard/server',
    role: 'admin',
    prepare: (api) => {
      api.on(listServers).answer(() => ({ status: true, data: [server], total: 1 }))
      api.on(readEnrolment).answer(() => ({ status: true, data: stored }))
      api.on(addEnrolmentCode).answer(() => {
        stored = { ...stored, codeEndsInMs: 581_000 }
        return { status: true, data: stored, code: CODE }
      })
      api.on(revokeEnrolment).answer(() => {
        stored = { ...PLAIN, security: 'revoked', since: '2026-05-04T08:00:00.000Z' }
        return { status: true, data: stored }
      })
    },
  })
  await waitFor(() => expect(scene.api.stream.isConnected()).toBe(true), LIMIT)
  act(() => scene.api.stream.push(snapshotOf({ hosts: [hostOf('a', { isEncrypted: false })] })))
  const button = await screen.findByRole('button', { name: 'Secure connection of Server a' }, LIMIT)
  await scene.user.click(button)
  await openedDialog()
  return { ...scene, store: (next: HostEnrolment) => (stored = next) }
}

test('T11 a row says that its connection is not encrypted, and the dialog says what to do', async () => {
  await openDialog(PLAIN)
  expect(await screen.findByText('not encrypted', {}, LIMIT)).toBeDefined()
  await screen.findByText(
    /Connection is not encrypted\. The console reaches this host by/,
    {},
    LIMIT,
  )
})

test('T11 the code is shown in a command with the time left, and turns to enrolled by itself', async () => {
  const { user, store } = await openDialog(PLAIN)
  await user.click(await screen.findByRole('button', { name: 'Make enrolment code' }, LIMIT))
  const command = `trunkline-agent enrol --console ${window.location.origin} --code ${CODE}`
  await screen.findByText(command, {}, LIMIT)
  screen.getByText(/within 9:41/)
  store(ENROLLED)
  await screen.findByText(/^Enrolled: the connection is encrypted/, {}, LIMIT)
  expect(screen.queryByText(command)).toBeNull()
})

test('T11 a code that was not used in time is said to have ended', async () => {
  const { user, store } = await openDialog(PLAIN)
  await user.click(await screen.findByRole('button', { name: 'Make enrolment code' }, LIMIT))
  await screen.findByText(/within 9:41/, {}, LIMIT)
  expect(screen.queryByText(/no longer good/)).toBeNull()
  store(PLAIN)
  await screen.findByText(/^The code was not used in time and is no longer good/, {}, LIMIT)
  expect(screen.getByRole('button', { name: 'Make enrolment code' })).toBeDefined()
})

test('T11 a host behind NAT gets the command by which it connects to the console', async () => {
  const { user, store } = await openDialog(PLAIN)
  const choice = await screen.findByRole(
    'checkbox',
    { name: 'The host connects to the console (behind NAT)' },
    LIMIT,
  )
  await user.click(await screen.findByRole('button', { name: 'Make enrolment code' }, LIMIT))
  const command = `trunkline-agent enrol --console ${window.location.origin} --code ${CODE}`
  await screen.findByText(command, {}, LIMIT)
  await user.click(choice)
  await screen.findByText(`${command} --dial-out`, {}, LIMIT)
  screen.getByText(/The console does not dial this host/)
  store({ ...ENROLLED, openedBy: 'host' })
  const state = await screen.findByText(/^Enrolled: the connection is encrypted/, {}, LIMIT)
  expect(state.textContent).toContain('The host connects to the console by itself.')
})

test('T11 a console without a port for agents says which setting is missing', async () => {
  await openDialog({ ...PLAIN, takesHosts: false })
  await screen.findByText(/once it has a port for agents: set TRUNKLINE_AGENT_LISTEN/, {}, LIMIT)
  expect(screen.queryByRole('checkbox', { name: /behind NAT/ })).toBeNull()
})

test('T11 a code of before is not shown again, and can be replaced', async () => {
  await openDialog({ ...PLAIN, codeEndsInMs: 60_000 })
  await screen.findByText(/good for another 1:00\. It cannot be shown again/, {}, LIMIT)
  expect(screen.getByRole('button', { name: 'Make new code' })).toBeDefined()
})

test('T11 revoking asks first, and says that streams go on', async () => {
  const { api, user } = await openDialog(ENROLLED)
  await user.click(await screen.findByRole('button', { name: 'Revoke certificate…' }, LIMIT))
  await screen.findByText(/Its streams go on\./, {}, LIMIT)
  expect(api.askedOf(revokeEnrolment)).toEqual([])
  await answerQuestion('Revoke certificate')
  await screen.findByText(/^Revoked at 2026-05-04 08:00 UTC/, {}, LIMIT)
  expect(api.askedOf(revokeEnrolment)).toHaveLength(1)
})

test('T11 a refusal of the API is shown in its own words', async () => {
  const { api, user } = await openDialog(PLAIN)
  api.on(addEnrolmentCode).answer(() => refuse(409, 'This host cannot be enrolled.'))
  await user.click(await screen.findByRole('button', { name: 'Make enrolment code' }, LIMIT))
  expect(await screen.findByText('This host cannot be enrolled.', {}, LIMIT)).toBeDefined()
})

test.each([
  [undefined, 'A key is stored.'],
  [true, 'A key is stored. Not used: the host is enrolled, and is reached by its certificate.'],
  [
    false,
    'A key is stored. Connection is not encrypted: enrol the host under “Secure connection” in its row.',
  ],
])(
  'T11 the settings say what the API key is worth when the host is encrypted: %j',
  (isEncrypted, words) => {
    const parts = isEncrypted === undefined ? {} : { isEncrypted }
    expect(keyHint(hostOf('a', parts), 'A key is stored.')).toBe(words)
  },
)
