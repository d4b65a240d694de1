import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { addEncoder, listEncoders, updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { readEnrolment } from '@trunkline/contract/enrolment/enrolment.calls'
import { listGroups } from '@trunkline/contract/groups/group.calls'
import { ROLES, type Role } from '@trunkline/contract/roles'
import { afterEach, expect, test, vi } from 'vitest'
import { refuse, refuseOddly, type FakeApi } from '../../test/fake-api.ts'
import { findNotice, resetConsole } from '../../test/render-console.tsx'
import { enrolmentOf } from '../../test/place.samples.ts'
import { encoderOf, groupOf } from '../../test/samples.ts'
import { openDashboard } from '../dashboard/dashboard.fixture.ts'
import { RELOAD_AFTER_MS } from './encoder-record.actions.ts'
import { listsOf, openManager } from '../manager/manager.fixture.ts'

afterEach(() => {
  vi.restoreAllMocks()
  resetConsole()
})

const NOT_ENROLLED = enrolmentOf('encoder', 'b')

async function openAdd(role: Role = 'admin', prepare: (api: FakeApi) => void = () => {}) {
  const scene = await openManager({
    role,
    encoders: [encoderOf('a', { ip: '10.20.4.11' })],
    prepare: (api) => {
      api
        .on(addEncoder)
        .answer(() => ({ status: true, data: encoderOf('b', { title: 'Stadium' }), id: 'b' }))
      api.on(readEnrolment).answer(() => ({ status: true, data: NOT_ENROLLED }))
      prepare(api)
    },
  })
  await scene.row('Camera a')
  await scene.user.click(screen.getByRole('button', { name: 'Add encoder' }))
  return { ...scene, dialog: within(await screen.findByRole('dialog', { name: 'Add encoder' })) }
}

async function openEdit(role: Role = 'admin', prepare: (api: FakeApi) => void = () => {}) {
  const encoder = encoderOf('a', { ip: '10.20.4.11', version: 4 })
  const scene = await openManager({
    role,
    encoders: [encoder],
    prepare: (api) => {
      api.on(updateEncoder).answer(() => ({ status: true, data: encoder, warnings: [] }))
      prepare(api)
    },
  })
  const menu = await scene.menuOf('Camera a')
  await scene.user.click(menu.getByRole('menuitem', { name: 'Edit Encoder' }))
  return { ...scene, dialog: within(await screen.findByRole('dialog', { name: 'Edit encoder' })) }
}

type Dialog = Awaited<ReturnType<typeof openAdd>>['dialog']

async function fill(user: UserEvent, dialog: Dialog, values: Record<string, string>) {
  for (const [label, value] of Object.entries(values)) {
    const field = dialog.getByLabelText(label)
    if (field instanceof HTMLSelectElement) {
      await dialog.findByRole('option', { name: value })
      await user.selectOptions(field, value)
    } else {
      await user.clear(field)
      if (value !== '') await user.type(field, value)
    }
  }
}

const WELL = {
  Title: 'Stadium',
  IP: '10.20.7.4',
  'API key': 'a-key-of-a-host',
  Group: 'Sports South',
}

const bodiesOf = (api: FakeApi) => [
  ...api.askedOf(addEncoder).map((item) => item.body),
  ...api.askedOf(updateEncoder).map((item) => item.body),
]

test('ENC-25 ENC-28 DLG-01 CONST-12 the dialog has the fields of a record, and port 8000', async () => {
  const { dialog } = await openAdd()
  const labels = dialog.getAllByText(/./, { selector: 'label' }).map((label) => label.textContent)
  expect(labels).toEqual([
    'Enrol the host: no API key to enter',
    'Title',
    'IP',
    'Port',
    'API key',
    'Group',
    'Email',
    'Contact number',
    'Location',
    'Physical address',
    'Description',
  ])
  expect(dialog.getByLabelText('Port')).toHaveProperty('value', '8000')
})

test('ENC-20 ENC-21 ENC-30 an encoder is added, said, and the list read again', async () => {
  const { dialog, user, api } = await openAdd()
  await fill(user, dialog, { ...WELL, Description: 'On the roof.' })
  const before = listsOf(api).length
  await user.click(dialog.getByRole('button', { name: 'Add encoder' }))
  await screen.findByText('Success add new encoder')
  expect(bodiesOf(api)).toEqual([
    {
      title: 'Stadium',
      ip: '10.20.7.4',
      port: '8000',
      apiKey: 'a-key-of-a-host',
      groupId: 'south',
      email: '',
      location: '',
      physicalAddress: '',
      contactNumber: '',
      description: 'On the roof.',
    },
  ])
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Add encoder' })).toBeNull())
  await waitFor(() => expect(listsOf(api)).toHaveLength(before + 1))
  screen.getByText('Success add new encoder')
})

function bodiesSentOf(api: FakeApi, deed: 'add' | 'save') {
  return api.askedOf(deed === 'add' ? addEncoder : updateEncoder)
}

/** Holds what waits as long as the reload after a save does; everything else waits as ever. */
function holdReload(): { release: () => void } {
  const held: (() => void)[] = []
  const wait = globalThis.setTimeout
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, delayMs?: number) => {
    if (delayMs !== RELOAD_AFTER_MS) return wait(work, delayMs)
    held.push(work)
    return wait(() => {}, 0)
  }) as typeof setTimeout)
  return { release: () => held.splice(0).forEach((work) => work()) }
}

test.each(['add', 'save'] as const)(
  'ENC-20 Q55 the list is read again 300 ms after a successful %s, and not before',
  async (deed) => {
    const { dialog, user, api } = await (deed === 'add' ? openAdd() : openEdit())
    if (deed === 'add') await fill(user, dialog, WELL)
    else await fill(user, dialog, { Title: 'Stadium' })
    const before = listsOf(api).length
    const reload = holdReload()
    const label = deed === 'add' ? 'Add encoder' : 'Save'
    await user.click(dialog.getByRole('button', { name: label }))
    await waitFor(() => expect(bodiesSentOf(api, deed)).toHaveLength(1))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: /encoder$/ })).toBeNull())
    expect(listsOf(api)).toHaveLength(before)
    reload.release()
    await waitFor(() => expect(listsOf(api)).toHaveLength(before + 1))
  },
)

test('ENC-20 a refused add does not read the list again', async () => {
  const { dialog, user, api } = await openAdd('admin', (fake) =>
    fake.on(addEncoder).answer(() => refuse(409, 'The host is in use.')),
  )
  await fill(user, dialog, WELL)
  const before = listsOf(api).length
  const reload = holdReload()
  await user.click(dialog.getByRole('button', { name: 'Add encoder' }))
  await dialog.findByText('The host is in use.')
  reload.release()
  expect(listsOf(api)).toHaveLength(before)
})

test.each(['Title', 'API key', 'IP', 'Port', 'Group'])(
  'ENC-23 ERR-19 without %s nothing is sent, the field says so and has the focus',
  async (label) => {
    const { dialog, user, api } = await openAdd()
    const { [label as keyof typeof WELL]: _, ...others } = WELL
    await fill(user, dialog, label === 'Port' ? { ...others, Port: '' } : others)
    await user.click(dialog.getByRole('button', { name: 'Add encoder' }))
    await screen.findByText('Please check required fields')
    const field = dialog.getByLabelText(label)
    expect(field.getAttribute('aria-invalid')).toBe('true')
    await waitFor(() => expect(document.activeElement).toBe(field))
    expect(bodiesOf(api)).toEqual([])
  },
)

test('decisions 7 the key is optional on a host that has one', async () => {
  const { dialog, user, api } = await openAdd()
  await fill(user, dialog, { ...WELL, 'API key': '', IP: '10.20.4.11', Title: 'Second card' })
  await dialog.findByText('Leave empty: this host has a key.')
  await user.click(dialog.getByRole('button', { name: 'Add encoder' }))
  await screen.findByText('Success add new encoder')
  expect(bodiesOf(api)).toMatchObject([{ ip: '10.20.4.11', apiKey: '' }])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.askedOf(readEnrolment)).toEqual([])
})

test.each(['admin', 'superadmin'] as const)(
  'T11 an encoder on a new host leads on to the command that enrols the host: %s',
  async (role) => {
    const { dialog, user, api } = await openAdd(role)
    expect(dialog.getByText('trunkline-agent').closest('code')?.textContent.trim()).toBe(
      `trunkline-agent enrol --console ${window.location.origin} --code …`,
    )
    await fill(user, dialog, WELL)
    await user.click(dialog.getByRole('button', { name: 'Add encoder' }))
    const next = within(await screen.findByRole('dialog', { name: /^Secure connection/ }))
    await next.findByRole('button', { name: 'Make enrolment code' })
    next.getByText('Stadium')
    expect(api.askedOf(readEnrolment).map(({ path }) => path)).toEqual([
      '/api/hosts/encoder/b/enrolment',
    ])
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  },
)

test('T11 an encoder whose host is enrolled needs no key', async () => {
  const { dialog, user, api } = await openAdd()
  const enrols = dialog.getByRole('checkbox', { name: /^Enrol the host/ })
  await waitFor(() => expect(document.activeElement).toBe(enrols))
  await user.keyboard(' ')
  dialog.getByText('Its command is shown next. A certificate replaces the key.')
  expect(dialog.queryByLabelText('API key')).toBeNull()
  const { 'API key': _, ...others } = WELL
  await fill(user, dialog, others)
  await user.click(dialog.getByRole('button', { name: 'Add encoder' }))
  await screen.findByRole('dialog', { name: /^Secure connection/ })
  expect(bodiesOf(api)).toMatchObject([{ title: 'Stadium', enrols: true, apiKey: '' }])
})

test('T11 on the host and port of another encoder there is nothing to enrol', async () => {
  const { dialog, user } = await openAdd()
  await user.click(dialog.getByRole('checkbox', { name: /^Enrol the host/ }))
  await fill(user, dialog, { IP: '10.20.4.11' })
  await user.tab()
  await dialog.findByText(/^Nothing to enrol: another encoder has this host and port/)
  await fill(user, dialog, { Port: '8001' })
  expect(dialog.queryByText(/^Nothing to enrol/)).toBeNull()
})

test('T11 an encoder that is moved to a new host leads on to enrol it, one that stays does not', async () => {
  const { dialog, user, api } = await openEdit('admin', (fake) =>
    fake.on(readEnrolment).answer(() => ({ status: true, data: NOT_ENROLLED })),
  )
  expect(dialog.queryByText('trunkline-agent')).toBeNull()
  await fill(user, dialog, { IP: '10.20.7.4' })
  dialog.getByText('trunkline-agent')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  const next = within(await screen.findByRole('dialog', { name: /^Secure connection/ }))
  await next.findByRole('button', { name: 'Make enrolment code' })
  expect(api.askedOf(readEnrolment)[0]?.path).toBe('/api/hosts/encoder/a/enrolment')
})

test.each([
  ['admin', {}],
  ['manager', { IP: '10.20.7.4' }],
] as const)('T11 a save by a %s that needs no enrolment closes: %j', async (role, values) => {
  const { dialog, user } = await openEdit(role)
  await fill(user, dialog, { Title: 'Stadium', ...values })
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('T11 a manager reads who can enrol the new host, and nothing is asked for them', async () => {
  const { dialog, user, api } = await openAdd('manager')
  expect(dialog.queryByText('trunkline-agent')).toBeNull()
  await fill(user, dialog, { Title: 'Stadium', IP: '10.20.7.4' })
  await user.click(dialog.getByRole('button', { name: 'Add encoder' }))
  const next = within(await screen.findByRole('dialog', { name: /^Secure connection/ }))
  next.getByText(/^Only an admin can enrol the host of 'Stadium'/)
  await user.click(next.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.askedOf(readEnrolment)).toEqual([])
})

test.each(ROLES.filter((role) => role !== 'editor' && role !== 'monitor'))(
  'ENC-26 Q37 the API key and a %s',
  async (role) => {
    const { dialog } = await openAdd(role)
    expect(dialog.queryByLabelText('API key') !== null).toBe(role !== 'manager')
  },
)

test('ENC-27 Q35 a manager of a single group is not asked for the group', async () => {
  const { dialog, user, api } = await openAdd('manager', (fake) =>
    fake
      .on(listGroups)
      .answer(() => ({ status: true, data: [groupOf('north', 'Sports North')], total: 1 })),
  )
  expect(dialog.queryByLabelText('Group')).toBeNull()
  await fill(user, dialog, { Title: 'Stadium', IP: '10.20.7.4' })
  await user.click(dialog.getByRole('button', { name: 'Add encoder' }))
  await screen.findByText('Success add new encoder')
  expect(bodiesOf(api)).toMatchObject([{ groupId: 'north', apiKey: '' }])
})

test('ENC-27 Q35 a manager of several groups starts on the first, and may choose', async () => {
  const { dialog, user, api } = await openAdd('manager')
  expect(dialog.getByLabelText('Group')).toHaveProperty('value', 'north')
  await fill(user, dialog, { Title: 'Stadium', IP: '10.20.7.4', Group: 'Sports South' })
  await user.click(dialog.getByRole('button', { name: 'Add encoder' }))
  await screen.findByText('Success add new encoder')
  expect(bodiesOf(api)).toMatchObject([{ groupId: 'south' }])
})

test('ENC-22 ERR-07 DLG-08 a refusal without a sentence shows ours, and what was typed stays', async () => {
  const sentence = 'Something went wrong, Please try again'
  const { dialog, user, api } = await openAdd('admin', (fake) =>
    fake.on(addEncoder).answer(() => refuseOddly(500, {})),
  )
  await fill(user, dialog, WELL)
  await user.click(dialog.getByRole('button', { name: 'Add encoder' }))
  await dialog.findByText(sentence)
  await findNotice(sentence)
  expect(dialog.getByLabelText('Title')).toHaveProperty('value', 'Stadium')
  expect(bodiesOf(api)).toHaveLength(1)
})

test('ENC-14 ENC-21 ENC-24 an edit begins with the record, and sends its version', async () => {
  const { dialog, user, api } = await openEdit()
  const name = dialog.getByLabelText('Name')
  expect(name).toHaveProperty('readOnly', true)
  expect(name).toHaveProperty('value', 'enc-a')
  dialog.getByText('Leave empty to keep the key.')
  await fill(user, dialog, { Title: 'Camera one' })
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await screen.findByText('Success updated')
  expect(bodiesOf(api)).toMatchObject([
    { _id: 'a', version: 4, title: 'Camera one', ip: '10.20.4.11', apiKey: '', groupId: 'north' },
  ])
})

test('a save that the host does not take shows a warning beside the success', async () => {
  const { dialog, user } = await openEdit('admin', (api) =>
    api.on(updateEncoder).answer(() => ({
      status: true,
      data: encoderOf('a'),
      warnings: ['The old host 10.20.4.11:8000 does not answer.'],
    })),
  )
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await screen.findByText('The old host 10.20.4.11:8000 does not answer.')
  expect(screen.getByText('Success updated')).toBeDefined()
})

function answerConflictOnce(api: FakeApi) {
  const theirs = encoderOf('a', { title: 'Theirs', ip: '10.20.4.11', version: 9 })
  const error = 'Somebody else has saved this encoder since you opened it.'
  let isFirst = true
  api.on(updateEncoder).answer(() => {
    if (!isFirst) return { status: true, data: theirs, warnings: [] }
    isFirst = false
    const body = { status: false, error, msg: error, current: theirs, changed: ['title'] }
    return refuseOddly(409, body)
  })
}

test.each([
  ['Save mine', 'Mine'],
  ['Take theirs', 'Theirs'],
])('decisions 16 of two who save at once the later one chooses: %s', async (choice, title) => {
  const { dialog, user, api } = await openEdit('admin', answerConflictOnce)
  await fill(user, dialog, { Title: 'Mine' })
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await dialog.findByText(/Somebody else has saved this encoder/)
  await user.click(dialog.getByRole('button', { name: choice }))
  // Mine is on its way at once; theirs is shown first, and saved by a click of its own.
  if (choice === 'Take theirs') {
    await dialog.findByDisplayValue('Theirs')
    await user.click(dialog.getByRole('button', { name: 'Save' }))
  }
  await screen.findByText('Success updated')
  expect(bodiesOf(api)[1]).toMatchObject({ title, version: 9 })
})

test.each(ROLES)('DASH-01 DASH-23 the dashboard of a %s and its Add', async (role) => {
  const { user } = await openDashboard({ role })
  await screen.findByRole('article')
  const add = screen.queryByRole('button', { name: 'Add' })
  expect(add !== null).toBe(role !== 'editor' && role !== 'monitor')
  if (add === null) return
  await user.click(add)
  await screen.findByRole('dialog', { name: 'Add encoder' })
})

test('looking for a key reads the whole host and does not change other lists', async () => {
  const { dialog, user, api } = await openAdd()
  await fill(user, dialog, { IP: '10.20.4.11' })
  await user.tab()
  await waitFor(() =>
    expect(api.askedOf(listEncoders).map(({ query }) => Object.fromEntries(query))).toContainEqual({
      page: '0',
      rowsPerPage: '0',
      searchValue: '10.20.4.11',
      groupId: '',
    }),
  )
})
