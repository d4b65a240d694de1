import { screen, waitFor, within } from '@testing-library/react'
import {
  addNotificationRule,
  listNotificationDeliveries,
  listNotificationRules,
  removeNotificationRule,
  testNotificationRule,
  updateNotificationRule,
} from '@trunkline/contract/notifications/notification.calls'
import type { NotificationRule } from '@trunkline/contract/notifications/notification.schema'
import type { Role } from '@trunkline/contract/roles'
import { afterEach, expect, test } from 'vitest'
import { type FakeApi, refuseOddly } from '../test/fake-api.ts'
import { deliveryOf } from '../test/notification.samples.ts'
import { findNotice, renderConsole, resetConsole } from '../test/render-console.tsx'

afterEach(resetConsole)

const RULE: NotificationRule = {
  _id: 'rule1',
  id: 'rule1',
  version: 3,
  title: 'Night shift',
  isEnabled: true,
  groupIds: [],
  severity: 'major',
  delaySeconds: 10,
  groupingSeconds: 30,
  repeatMinutes: 60,
  sendsCleared: true,
  language: 'en',
  target: {
    kind: 'email',
    host: 'mail.example',
    port: 587,
    security: 'starttls',
    user: 'alarms',
    password: '',
    passwordSet: true,
    from: 'alarms@trunkline.example',
    to: ['night@trunkline.example'],
  },
  waiting: 0,
  last: null,
}
const DELIVERY = deliveryOf()

const PATH = '/dashboard/notification'

function open(prepare: (api: FakeApi) => void = () => {}, role: Role = 'admin', path = PATH) {
  return renderConsole({
    path,
    role,
    prepare: (api) => {
      api.on(listNotificationRules).answer(() => ({
        status: true,
        data: [RULE],
        snmpEngineId: '80001f88050102030405060708',
      }))
      prepare(api)
    },
  })
}

async function openDialog(user: ReturnType<typeof open>['user'], button: string) {
  await user.click(await screen.findByRole('button', { name: button }))
  return within(await screen.findByRole('dialog', { name: 'Notification rule' }))
}

test('a rule says what it sends to whom', async () => {
  open()
  const row = within(await screen.findByRole('row', { name: /Night shift/ }))
  expect(row.getByText('E-mail')).toBeDefined()
  expect(row.getByText('night@trunkline.example')).toBeDefined()
  expect(row.getByText('Major and critical')).toBeDefined()
})

test('a test shows the answer of the other side', async () => {
  const { user } = open((api) => {
    api.on(testNotificationRule).answer(() => ({ status: true, data: DELIVERY }))
  })
  await user.click(await screen.findByRole('button', { name: 'Test Night shift' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Test' }))
  expect(dialog.getByText('Failed')).toBeDefined()
  expect(dialog.getByText(DELIVERY.answer)).toBeDefined()
})

test('a webhook rule is added with a generated secret', async () => {
  const { user, api } = open((api) => {
    api
      .on(addNotificationRule)
      .answer(() => ({ status: true, data: { ...RULE, id: 'rule2' }, id: 'rule2' }))
  })
  const dialog = await openDialog(user, 'Add rule')
  await user.type(dialog.getByLabelText('Title'), 'Chat')
  await user.selectOptions(dialog.getByLabelText('Send by'), 'Webhook')
  await user.type(dialog.getByLabelText('Address'), 'https://chat.example/alarms')
  await user.click(dialog.getByRole('button', { name: 'Add rule' }))
  expect(await dialog.findByText(/Secret is needed to sign messages/)).toBeDefined()
  await user.click(dialog.getByRole('button', { name: 'Generate a secret' }))
  await user.click(dialog.getByRole('button', { name: 'Add rule' }))
  await findNotice('Notification rule added')
  const [asked] = api.askedOf(addNotificationRule)
  expect(asked?.body).toMatchObject({
    title: 'Chat',
    severity: 'warning',
    target: {
      kind: 'webhook',
      url: 'https://chat.example/alarms',
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) as string,
    },
  })
})

test('an edit keeps the stored password, and needs it again for another server', async () => {
  const { user, api } = open((api) => {
    api.on(updateNotificationRule).answer(() => ({ status: true, data: RULE }))
  })
  const dialog = await openDialog(user, 'Edit Night shift')
  await user.clear(dialog.getByLabelText('Host'))
  await user.type(dialog.getByLabelText('Host'), 'other.example')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText(/Password is needed to sign in/)).toBeDefined()
  await user.clear(dialog.getByLabelText('Host'))
  await user.type(dialog.getByLabelText('Host'), 'mail.example')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await findNotice('Notification rule saved')
  expect(api.askedOf(updateNotificationRule)[0]?.body).toMatchObject({
    version: 3,
    target: { host: 'mail.example', password: '' },
  })
})

test('design 9 a rule is sent in the language that is chosen for it, English unless another is', async () => {
  const { user, api } = open((api) => {
    api.on(updateNotificationRule).answer(() => ({ status: true, data: RULE }))
  })
  const dialog = await openDialog(user, 'Edit Night shift')
  expect(dialog.getByLabelText<HTMLSelectElement>(/^Language/).value).toBe('en')
  await user.selectOptions(dialog.getByLabelText(/^Language/), 'Français')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await findNotice('Notification rule saved')
  expect(api.askedOf(updateNotificationRule)[0]?.body).toMatchObject({ language: 'fr' })
})

test('what the API refuses is shown at its field', async () => {
  const { user } = open((api) => {
    api.on(updateNotificationRule).answer(() =>
      refuseOddly(400, {
        status: false,
        msg: '',
        code: 'invalid',
        error: 'target.host must be a host name.',
        field: 'target.host',
        issues: [{ field: 'target.host', message: 'target.host must be a host name.' }],
      }),
    )
  })
  const dialog = await openDialog(user, 'Edit Night shift')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText(/must be a host name/)).toBeDefined()
})

test('deleting asks first', async () => {
  const { user, api } = open((api) => {
    api.on(removeNotificationRule).answer(() => ({ status: true, id: 'rule1' }))
  })
  await user.click(await screen.findByRole('button', { name: 'Delete Night shift' }))
  await user.click(await screen.findByRole('button', { name: 'Delete rule' }))
  await findNotice('Notification rule deleted')
  expect(api.askedOf(removeNotificationRule)).toHaveLength(1)
})

test('the log shows each message with its answer, and older ones on demand', async () => {
  const { user } = open((api) => {
    api.on(listNotificationDeliveries).answer(({ query }) => {
      const isFirst = query.get('before') === ''
      const older = { ...DELIVERY, id: 'd0', subject: '[Trunkline] Older' }
      return { status: true, data: [isFirst ? DELIVERY : older], next: isFirst ? 'x' : '' }
    })
  })
  await user.click(await screen.findByRole('button', { name: 'Sent' }))
  const row = await screen.findByRole('row', { name: /Test of Night shift/ })
  expect(within(row).getByText('Failed')).toBeDefined()
  await user.click(within(row).getByRole('button', { name: /Test of Night shift/ }))
  expect(await screen.findByText('This is a test.')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Show older messages' }))
  expect(await screen.findByRole('row', { name: /Older/ })).toBeDefined()
})

test('view and state of the log stand in the address: a link shows them, and Back what was before', async () => {
  const { api, router, user } = open(
    (prepared) =>
      prepared
        .on(listNotificationDeliveries)
        .answer(() => ({ status: true, data: [DELIVERY], next: '' })),
    'admin',
    `${PATH}?view=sent&state=failed`,
  )
  await screen.findByRole('row', { name: /Test of Night shift/ })
  const asked = () =>
    api.askedOf(listNotificationDeliveries).map(({ query }) => query.get('state') ?? '')
  expect(asked()).toEqual(['failed'])
  await user.selectOptions(screen.getByLabelText('State'), 'waiting')
  expect(router.state.location.search).toEqual({ view: 'sent', state: 'waiting' })
  router.history.back()
  await waitFor(() => expect(router.state.location.search).toMatchObject({ state: 'failed' }))
  await user.click(screen.getByRole('button', { name: 'Rules' }))
  await screen.findByRole('table', { name: 'Notification rules' })
})

test('others than admins are asked to turn to one', async () => {
  open(() => {}, 'manager')
  expect(await screen.findByText('Only admins see and edit notifications')).toBeDefined()
})
