import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { readEnrolment } from '@trunkline/contract/enrolment/enrolment.calls'
import { readHostAdapters } from '@trunkline/contract/servers/host-adapters.calls'
import { addServer, listServers, updateServer } from '@trunkline/contract/servers/server.calls'
import { afterEach, expect, test } from 'vitest'
import { type FakeApi, refuseOddly } from '../test/fake-api.ts'
import { enrolmentOf, serverOf } from '../test/place.samples.ts'
import { findNotice, renderConsole, resetConsole } from '../test/render-console.tsx'

afterEach(resetConsole)

const WEST = serverOf('west', { title: 'gw-west-02', version: 3, location: 'Rack 4' })

const NOT_ENROLLED = enrolmentOf('server', 'east')

async function openDialog(button: string, prepare: (api: FakeApi) => void = () => {}) {
  const { user, api } = renderConsole({
    path: '/dashboard/server',
    role: 'admin',
    prepare: (fake) => {
      fake.on(listServers).answer(() => ({ status: true, data: [WEST], total: 1 }))
      prepare(fake)
    },
  })
  await user.click(await screen.findByRole('button', { name: button }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Manage Servers' }))
  const input = (label: string) => dialog.getByLabelText<HTMLInputElement>(label, { exact: true })
  return { user, api, dialog, input }
}

type Open = Awaited<ReturnType<typeof openDialog>>

async function fill(user: UserEvent, { dialog, input }: Pick<Open, 'dialog' | 'input'>) {
  await user.type(input('Title'), 'gw-east-01')
  await user.type(input('Host'), 'gw.example.org')
  await user.type(input('Port'), '8080')
  await user.selectOptions(input('Server type'), 'channel')
  await user.type(input('API key'), 'a-key-of-twelve')
  await user.click(await dialog.findByRole('checkbox', { name: 'Sports North' }))
  await user.click(dialog.getByRole('checkbox', { name: 'Sports South' }))
  await user.type(input('Location'), 'Rack 5')
  await user.type(input('Description'), 'Spare')
  await user.type(input('Adapter name'), 'eth0')
  await user.type(input('Adapter IP'), '192.0.2.10{Enter}')
}

test('SRV-04 SRV-05 SRV-06 SRV-07 SRV-08 SRV-09 SRV-10 SRV-11 each required field says its text', async () => {
  const { user, api, dialog, input } = await openDialog('Add server')
  await user.click(dialog.getByRole('button', { name: 'Add server' }))
  for (const text of [
    'Input title',
    'Input host',
    'Input port',
    'Select type',
    'Select group',
    'Input api key',
    'Please input adapter ips',
  ]) {
    dialog.getByText(text)
  }
  for (const label of ['Location', 'Description']) expect(input(label).value).toBe('')
  expect(document.activeElement).toBe(input('Title'))
  expect(api.askedOf(addServer)).toEqual([])
})

test('SRV-07 the types are acants and channel', async () => {
  const { dialog } = await openDialog('Add server')
  const types = dialog.getByLabelText<HTMLSelectElement>('Server type')
  expect([...types.options].map(({ value }) => value)).toEqual(['', 'acants', 'channel'])
})

test('SRV-14 SRV-15 ERR-33 create sends the server, once, and says so', async () => {
  const answer = Promise.withResolvers<undefined>()
  const opened = await openDialog('Add server', (api) =>
    api.on(addServer).answer(async () => {
      await answer.promise
      return { status: true, data: serverOf('east', { serverType: 'channel' }) }
    }),
  )
  const { user, api, dialog } = opened
  await fill(user, opened)
  const save = dialog.getByRole('button', { name: 'Add server' })
  await user.click(save)
  await user.click(save)
  answer.resolve(undefined)
  await screen.findByText('Server added successfully')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.askedOf(addServer).map(({ body }) => body)).toEqual([
    {
      title: 'gw-east-01',
      host: 'gw.example.org',
      port: 8080,
      serverType: 'channel',
      apiKey: 'a-key-of-twelve',
      description: 'Spare',
      location: 'Rack 5',
      groupIds: ['north', 'south'],
      adapterIps: [{ adapterName: 'eth0', adapterIp: '192.0.2.10' }],
    },
  ])
})

test('T11 a new host of an agent is led on to the command that enrols it', async () => {
  const added = serverOf('east', { title: 'gw-east-01', serverType: 'acants' })
  const opened = await openDialog('Add server', (api) => {
    api.on(addServer).answer(() => ({ status: true, data: added, adapterIps: [] }))
    api.on(readEnrolment).answer(() => ({ status: true, data: NOT_ENROLLED }))
  })
  const { user, dialog, input } = opened
  expect(dialog.getByText('trunkline-agent').closest('code')?.textContent.trim()).toBe(
    `trunkline-agent enrol --console ${window.location.origin} --code …`,
  )
  await fill(user, opened)
  await user.selectOptions(input('Server type'), 'acants')
  await user.click(dialog.getByRole('button', { name: 'Add server' }))
  const next = within(await screen.findByRole('dialog', { name: /Secure connection/ }))
  await next.findByRole('button', { name: 'Make enrolment code' })
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('T11 a host that is enrolled needs no key and no adapters, and offers those that it reports', async () => {
  const added = serverOf('east', { title: 'gw-east-01', serverType: 'acants', adapterIps: [] })
  const { user, api, dialog, input } = await openDialog('Add server', (fake) => {
    fake.on(addServer).answer(() => ({ status: true, data: added }))
    fake.on(updateServer).answer(() => ({ status: true, data: added, adapterIps: [] }))
    fake.on(readEnrolment).answer(() => ({
      status: true,
      data: { ...NOT_ENROLLED, security: 'enrolled' },
    }))
    fake.on(readHostAdapters).answer(() => ({
      status: true,
      data: [
        { adapterName: 'lo', adapterIp: '127.0.0.1' },
        { adapterName: 'eth0', adapterIp: '192.0.2.10' },
      ],
    }))
  })
  const enrols = dialog.getByRole('checkbox', { name: /^Enrol the host/ })
  await waitFor(() => expect(document.activeElement).toBe(enrols))
  await user.click(enrols)
  expect(dialog.queryByText('Input title')).toBeNull()
  for (const label of ['API key', 'Server type', 'Adapter name']) {
    expect(dialog.queryByLabelText(label, { exact: true })).toBeNull()
  }
  await user.type(input('Title'), 'gw-east-01')
  await user.type(input('Host'), 'gw.example.org')
  await user.type(input('Port'), '8010')
  await user.click(await dialog.findByRole('checkbox', { name: 'Sports North' }))
  await user.click(dialog.getByRole('button', { name: 'Add server' }))
  const next = within(await screen.findByRole('dialog', { name: /Secure connection/ }))
  expect(api.askedOf(addServer).map(({ body }) => body)).toMatchObject([
    { serverType: 'acants', apiKey: '', adapterIps: [], enrols: true, port: 8010 },
  ])
  await user.click(await next.findByRole('button', { name: 'Choose adapters' }))
  const form = within(await screen.findByRole('dialog', { name: /Manage Servers/ }))
  form.getByRole('button', { name: 'Remove eth0 192.0.2.10' })
  expect(form.queryByRole('checkbox', { name: /^Enrol the host/ })).toBeNull()
  await user.click(form.getByRole('button', { name: 'Save' }))
  await screen.findByText('Server updated successfully')
  expect(api.askedOf(updateServer).map(({ body }) => body)).toMatchObject([
    { adapterIps: [{ adapterName: 'eth0', adapterIp: '192.0.2.10' }] },
  ])
})

test('SRV-12 SRV-13 a pair is added only when it is complete, by Enter or Add, and can be removed', async () => {
  const { user, api, dialog, input } = await openDialog('Add server')
  const pairs = () => dialog.queryAllByRole('button', { name: /^Remove / })
  await user.type(input('Adapter name'), 'eth0{Enter}')
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  expect(pairs()).toEqual([])
  await user.type(input('Adapter IP'), '192.0.2{Enter}')
  dialog.getByText('Adapter IP must be an IPv4 address such as 192.0.2.10.')
  await user.type(input('Adapter IP'), '.10{Enter}')
  expect(pairs().map((button) => button.getAttribute('aria-label'))).toEqual([
    'Remove eth0 192.0.2.10',
  ])
  expect(document.activeElement).toBe(input('Adapter name'))
  await user.keyboard('eth1')
  await user.type(input('Adapter IP'), '192.0.2.11')
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  expect(pairs()).toHaveLength(2)
  await user.click(dialog.getByRole('button', { name: 'Remove eth0 192.0.2.10' }))
  expect(pairs()).toHaveLength(1)
  expect(document.activeElement).toBe(input('Adapter name'))
  const enter = fireEvent.keyDown(input('Adapter name'), { key: 'Enter' })
  expect(enter, 'Enter in a pair does not send the form').toBe(false)
  expect(api.askedOf(addServer)).toEqual([])
})

test('SRV-15 ERR-34 DLG-08 a failed create without a message shows the fixed text, and what was typed stays', async () => {
  const opened = await openDialog('Add server', (api) =>
    api.on(addServer).answer(() => refuseOddly(500, {})),
  )
  const { user, dialog, input } = opened
  await fill(user, opened)
  await user.click(dialog.getByRole('button', { name: 'Add server' }))
  await dialog.findByText('Failed to create server')
  await findNotice('Failed to create server')
  expect(input('API key').value).toBe('a-key-of-twelve')
})

test('a field that the API refuses shows the error and has the focus', async () => {
  const opened = await openDialog('Add server', (api) =>
    api.on(addServer).answer(() =>
      refuseOddly(400, {
        status: false,
        error: 'host must not be local.',
        msg: 'host must not be local.',
        field: 'host',
      }),
    ),
  )
  const { user, dialog, input } = opened
  await fill(user, opened)
  await user.click(dialog.getByRole('button', { name: 'Add server' }))
  await dialog.findByText('host must not be local.')
  await waitFor(() => expect(document.activeElement).toBe(input('Host')))
})

test('SRV-10 SRV-16 SRV-18 ERR-33 an edit sends its version, and an empty key that keeps the stored one', async () => {
  const { user, api, dialog, input } = await openDialog('Edit gw-west-02', (fake) =>
    fake.on(updateServer).answer(() => ({ status: true, data: WEST })),
  )
  dialog.getByText('A key is stored. Leave empty to keep it.')
  expect([input('API key').type, input('API key').value]).toEqual(['password', ''])
  expect(
    (await dialog.findByRole<HTMLInputElement>('checkbox', { name: 'Sports North' })).checked,
  ).toBe(true)
  await user.clear(input('Title'))
  await user.type(input('Title'), 'gw-west-03')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await screen.findByText('Server updated successfully')
  expect(api.askedOf(updateServer).map(({ path, body }) => ({ path, body }))).toEqual([
    {
      path: '/api/servers/west',
      body: {
        title: 'gw-west-03',
        host: '203.0.113.20',
        port: 8080,
        serverType: 'acants',
        apiKey: '',
        description: '',
        location: 'Rack 4',
        groupIds: ['north'],
        adapterIps: WEST.adapterIps,
        version: 3,
      },
    },
  ])
})

test('SRV-16 ERR-34 a failed edit without a message', async () => {
  const { user, dialog } = await openDialog('Edit gw-west-02', (api) =>
    api.on(updateServer).answer(() => refuseOddly(500, { error: { no: 1 } })),
  )
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText('Failed to update server')).toBeDefined()
})

async function openConflicted() {
  const error = 'Somebody else has saved this server since you opened it.'
  const current = { ...WEST, groupIds: ['south'], location: 'Rack 9', version: 4 }
  const conflict = { status: false, error, msg: error, code: 'conflict', current }
  const opened = await openDialog('Edit gw-west-02', (fake) =>
    fake
      .on(updateServer)
      .answer(({ body }) =>
        (body as { version: number }).version === 3
          ? refuseOddly(409, { ...conflict, changed: ['groupIds', 'adapterIps'] })
          : { status: true, data: WEST },
      ),
  )
  await opened.user.click(opened.dialog.getByRole('button', { name: 'Save' }))
  await opened.dialog.findByText(
    /Somebody else has saved this server.* Differs: Groups, Adapters, Location \(now 'Rack 9'\)\./,
  )
  return opened
}

test('two operators: the conflict names the fields, and Save mine saves over theirs', async () => {
  const { user, api, dialog } = await openConflicted()
  await user.click(dialog.getByRole('button', { name: 'Save mine' }))
  await screen.findByText('Server updated successfully')
  expect(api.askedOf(updateServer).at(-1)?.body).toMatchObject({ groupIds: ['north'], version: 4 })
})

test('two operators: Take theirs shows what the other saved', async () => {
  const { user, dialog, input } = await openConflicted()
  await user.click(dialog.getByRole('button', { name: 'Take theirs' }))
  expect(input('Location').value).toBe('Rack 9')
})

const REPORTED = [
  { adapterName: 'lo', adapterIp: '127.0.0.1' },
  { adapterName: 'eth0', adapterIp: '203.0.113.20' },
  { adapterName: 'eth1', adapterIp: '203.0.113.21' },
]

const offeredIn = (dialog: Open['dialog']) =>
  dialog.findByRole('list', { name: 'Reported by the host' })

test('the adapters that the host reports are offered, without those that are in the list', async () => {
  const { user, api, dialog } = await openDialog('Edit gw-west-02', (fake) => {
    fake.on(readHostAdapters).answer(() => ({ status: true, data: REPORTED }))
    fake.on(updateServer).answer(() => ({ status: true, data: WEST }))
  })
  const offered = within(await offeredIn(dialog))
  expect(offered.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'eth1 203.0.113.21',
    'lo 127.0.0.1',
  ])
  await user.click(offered.getByRole('button', { name: 'eth1 203.0.113.21' }))
  expect(document.activeElement).toBe(dialog.getByLabelText('Adapter name'))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await screen.findByText('Server updated successfully')
  expect(api.askedOf(readHostAdapters)[0]?.query.get('host')).toBe(WEST.host)
  expect(api.askedOf(updateServer)[0]?.body).toMatchObject({
    adapterIps: [{ adapterIp: '203.0.113.20' }, REPORTED[2]],
  })
})

test('a new server on a known host is offered its adapters once the host is typed', async () => {
  const { user, dialog, input } = await openDialog('Add server', (fake) =>
    fake.on(readHostAdapters).answer(({ query }) => ({
      status: true,
      data: query.get('host') === '203.0.113.20' ? REPORTED : [],
    })),
  )
  await user.type(input('Host'), '203.0.113.20')
  await user.tab()
  const offered = within(await offeredIn(dialog))
  await user.click(offered.getByRole('button', { name: 'eth0 203.0.113.20' }))
  const list = within(dialog.getByRole('list', { name: 'Adapters' }))
  expect(list.getByText('203.0.113.20')).toBeDefined()
})

test('once a new server is enrolled its adapters are chosen from what it reports', async () => {
  const added = serverOf('east', { title: 'gw-east-01', serverType: 'acants' })
  const opened = await openDialog('Add server', (fake) => {
    fake.on(addServer).answer(() => ({ status: true, data: added, adapterIps: [] }))
    fake.on(readEnrolment).answer(() => ({
      status: true,
      data: { ...NOT_ENROLLED, security: 'enrolled', since: '2026-05-03T14:01:29.000Z' },
    }))
    fake.on(readHostAdapters).answer(() => ({ status: true, data: REPORTED }))
  })
  const { user, dialog, input } = opened
  await fill(user, opened)
  await user.selectOptions(input('Server type'), 'acants')
  await user.click(dialog.getByRole('button', { name: 'Add server' }))
  await user.click(await screen.findByRole('button', { name: 'Choose adapters' }))
  const form = within(await screen.findByRole('dialog', { name: /^Manage Servers/ }))
  const offered = within(await offeredIn(form))
  expect(offered.getAllByRole('button')).toHaveLength(2)
  expect(form.getByLabelText('Title')).toHaveProperty('value', 'gw-east-01')
})
