import { act, screen, waitFor, within } from '@testing-library/react'
import { addInput, listInputs, updateInput } from '@trunkline/contract/contributions/input.calls'
import { addEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { readEnrolment } from '@trunkline/contract/enrolment/enrolment.calls'
import { csvColumns } from '@trunkline/contract/as-text/csv-columns.rules'
import { listServers } from '@trunkline/contract/servers/server.calls'
import { addUser } from '@trunkline/contract/users/user.calls'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { openManager } from '../../encoders/manager/manager.fixture.ts'
import { openContributions } from '../../contributions/contributions.fixture.ts'
import { refuse, refuseOddly, type FakeApi } from '../../test/fake-api.ts'
import { FOUND_WITHIN_MS } from '../../test/limits.ts'
import { inputOf } from '../../test/link.samples.ts'
import { enrolmentOf, serverOf } from '../../test/place.samples.ts'
import { encoderOf } from '../../test/samples.ts'
import { findNotice, renderConsole, resetConsole } from '../../test/render-console.tsx'
import { comeBack, TYPED_IS_BACK } from '../../test/session-steps.ts'
import { answerPeople, personOf } from '../../test/user.samples.ts'

afterEach(resetConsole)

const GATEWAY = serverOf('gw-west', { title: 'gw-west-02' })

function answerServers(api: FakeApi): void {
  api.on(listServers).answer(() => ({ status: true, data: [GATEWAY], total: 1 }))
  const saved = inputOf('n')
  api.on(addInput).answer(() => ({ status: true, data: saved, id: 'n' }))
  api.on(updateInput).answer(() => ({ status: true, data: saved, warnings: [] }))
}

async function openDialog(prepare: (api: FakeApi) => void = () => {}) {
  const scene = await openContributions({
    inputs: [inputOf('a'), inputOf('b')],
    prepare: (api) => {
      answerServers(api)
      prepare(api)
    },
  })
  await scene.row('Input a')
  await scene.user.click(screen.getByRole('button', { name: 'Import or export CSV' }))
  const dialog = within(await screen.findByRole('dialog', { name: /Import or export inputs/ }))
  const choose = async (text: BlobPart) => {
    const file = new File([text], 'inputs.csv', { type: 'text/csv' })
    await scene.user.upload(dialog.getByLabelText('CSV file'), file)
  }
  return { ...scene, dialog, choose }
}

const HEAD = 'group,title,server,inputType,config.port,config.latency'

const FOUR_ROWS = [
  HEAD,
  'Sports North,Input a,gw-west-02,aCANFeeder,6002,300',
  'Sports North,Input b,gw-west-02,aCANFeeder,6002,500',
  'Sports North,New,gw-west-02,SRT,6010,',
  'Sports North,Wrong,nowhere,SRT,99999,',
].join('\r\n')

test('each row says what it will do, each fault its line, field and sentence, and nothing is sent', async () => {
  const { dialog, choose, user, api } = await openDialog()
  await choose(FOUR_ROWS)
  // Faults come first.
  const wrong = within(await dialog.findByRole('row', { name: /Wrong/ }))
  wrong.getByText('5')
  wrong.getByText('Has errors')
  wrong.getByText("There is no server 'nowhere' that you may see.", { exact: false })
  wrong.getByText(/must be a port between 1/)
  await user.click(dialog.getByRole('button', { name: /^All/ }))
  within(dialog.getByRole('row', { name: /Input a/ })).getByText('No change')
  within(dialog.getByRole('row', { name: /Input b/ })).getByText('config.latency: 300 to 500')
  within(dialog.getByRole('row', { name: /New/ })).getByText('Add')
  expect(api.askedOf(addInput)).toEqual([])
  expect(api.askedOf(updateInput)).toEqual([])
})

test.each([
  ['admin', 'Has errors'],
  ['manager', 'Add'],
] as const)(
  'the preview of a new encoder without a key on a new host says to a %s: %s',
  async (role, outcome) => {
    const { user, row } = await openManager({ role })
    await row('Camera a')
    await user.click(screen.getByRole('button', { name: 'Import or export CSV' }))
    const dialog = within(await screen.findByRole('dialog', { name: /Import or export encoders/ }))
    const file = new File(['group,title,ip\nSports North,Stadium,192.0.2.99'], 'encoders.csv')
    await user.upload(dialog.getByLabelText('CSV file'), file)
    const planned = within(await dialog.findByRole('row', { name: /Stadium/ }))
    expect(planned.getByText(outcome)).toBeDefined()
    expect(planned.queryByText('apiKey is missing. Add it.', { exact: false }) !== null).toBe(
      role === 'admin',
    )
  },
)

test('T11 an import of encoders on new hosts leads on to enrol each host once', async () => {
  const { user, row, api } = await openManager({
    role: 'admin',
    encoders: [encoderOf('a', { ip: '10.20.4.11' })],
    prepare: (fake) => {
      let added = 0
      fake.on(addEncoder).answer(() => {
        added += 1
        return { status: true, data: encoderOf(`n${added}`), id: `n${added}` }
      })
      fake.on(readEnrolment).answer(() => ({ status: true, data: enrolmentOf('encoder', 'n') }))
    },
  })
  await row('Camera a')
  await user.click(screen.getByRole('button', { name: 'Import or export CSV' }))
  const dialog = within(await screen.findByRole('dialog', { name: /Import or export encoders/ }))
  const lines = [
    'group,title,ip,apiKey',
    'Sports North,Known,10.20.4.11,',
    'Sports North,First,192.0.2.98,a-key-of-a-host',
    'Sports North,Second,192.0.2.99,a-key-of-a-host',
    'Sports North,Beside it,192.0.2.99,',
  ]
  await user.upload(dialog.getByLabelText('CSV file'), new File([lines.join('\n')], 'e.csv'))
  await user.click(await dialog.findByRole('button', { name: 'Save 4 encoders' }))
  await user.click(await dialog.findByRole('button', { name: 'Enrol 2 new hosts' }))
  for (const title of ['First', 'Second']) {
    const next = within(await screen.findByRole('dialog', { name: /^Secure connection/ }))
    await next.findByText(title)
    await user.keyboard('{Escape}')
  }
  await screen.findByRole('button', { name: 'Done' })
  expect(api.askedOf(readEnrolment).map(({ path }) => path)).toEqual([
    '/api/hosts/encoder/n2/enrolment',
    '/api/hosts/encoder/n3/enrolment',
  ])
})

test('a file that was chosen outlives the end of the session, and is planned anew', async () => {
  const scene = await openDialog()
  await scene.choose(FOUR_ROWS)
  await scene.dialog.findByRole('row', { name: /Wrong/ })
  await comeBack(scene, 'admin')
  await scene.row('Input a')
  const open = async () => {
    await scene.user.click(screen.getByRole('button', { name: 'Import or export CSV' }))
    return within(await screen.findByRole('dialog', { name: /Import or export inputs/ }))
  }
  await (await open()).findByRole('row', { name: /Wrong/ })
  await findNotice(TYPED_IS_BACK)
  expect(scene.api.askedOf(addInput)).toEqual([])
  await scene.user.keyboard('{Escape}')
  expect((await open()).queryByRole('row')).toBeNull()
})

test('confirmed rows are sent one by one as the form sends them, and a refusal stays with its row', async () => {
  const { dialog, choose, user, api } = await openDialog((fake) =>
    fake.on(addInput).answer(() => refuse(409, 'Port 6010 is already used.')),
  )
  await choose(FOUR_ROWS)
  await user.click(await dialog.findByRole('button', { name: 'Save 2 without errors' }))
  await dialog.findByText('Port 6010 is already used.')
  within(dialog.getByRole('row', { name: /Input b/ })).getByText('Changed')
  within(dialog.getByRole('row', { name: /New/ })).getByText('Refused')
  expect(api.askedOf(updateInput).map(({ path, body }) => [path, body])).toEqual([
    [
      '/api/contribution/b',
      expect.objectContaining({ version: 1, title: 'Input b', serverId: 'gw-west' }),
    ],
  ])
  const [added] = api.askedOf(addInput)
  expect(added?.body).toMatchObject({ title: 'New', groupId: 'north', config: { port: 6010 } })
  expect(dialog.getByRole('button', { name: 'Done' })).toBeDefined()
})

test('a refusal that names its fields only beside its sentence is two sentences at its row', async () => {
  const error = 'Please check required fields'
  const issues = [{ field: 'config.port', message: 'Port is missing. Add it.' }]
  const { dialog, choose, user } = await openDialog((fake) =>
    fake.on(addInput).answer(() => refuseOddly(400, { status: false, error, msg: error, issues })),
  )
  await choose(FOUR_ROWS)
  await user.click(await dialog.findByRole('button', { name: 'Save 2 without errors' }))
  expect(await dialog.findByText(`${error}. Port is missing. Add it.`)).toBeDefined()
})

test('a row that somebody has saved since the preview says to choose the file again', async () => {
  const error = 'An admin has saved this input since you opened it.'
  const body = { status: false, error, msg: error, current: inputOf('b'), savedBy: 'An admin' }
  const { dialog, choose, user } = await openDialog((fake) => {
    fake.on(addInput).answer(() => refuse(409, 'Port 6010 is already used.'))
    fake.on(updateInput).answer(() => refuseOddly(409, { ...body, code: 'conflict', changed: [] }))
  })
  await choose(FOUR_ROWS)
  await user.click(await dialog.findByRole('button', { name: 'Save 2 without errors' }))
  await dialog.findByText(/^An admin has saved it since the preview. Choose the file again/)
  expect(dialog.queryByText(/save again/)).toBeNull()
})

test.each(['Stop', 'Escape', 'Another page'])(
  '%s leaves the remaining rows unsent, and says so',
  async (way) => {
    const held = Promise.withResolvers<void>()
    const { dialog, choose, user, api, router } = await openDialog((fake) =>
      fake.on(addInput).answer(async () => {
        await held.promise
        return { status: true, data: inputOf('n'), id: 'n' }
      }),
    )
    const rows = ['x', 'y', 'z'].map((title) => `Sports North,${title},gw-west-02,SRT,6010,`)
    await choose([HEAD, ...rows].join('\n'))
    await user.click(await dialog.findByRole('button', { name: 'Save 3 inputs' }))
    await waitFor(() => expect(api.askedOf(addInput)).toHaveLength(1))
    const stop = await dialog.findByRole('button', { name: 'Stop' })
    if (way === 'Stop') await user.click(stop)
    else if (way === 'Escape') await user.keyboard('{Escape}')
    // Never resolved, as the page is kept.
    else act(() => void router.navigate({ to: '/dashboard/server' }))
    held.resolve()
    expect(await dialog.findAllByText(/^Not sent: the import was stopped/)).toHaveLength(2)
    expect(api.askedOf(addInput)).toHaveLength(1)
  },
)

test('who does not wait for the row that is being sent reads the result as a notice', async () => {
  const held = Promise.withResolvers<void>()
  const { dialog, choose, user, api } = await openDialog((fake) =>
    fake.on(addInput).answer(async () => {
      await held.promise
      return { status: true, data: inputOf('n'), id: 'n' }
    }),
  )
  const rows = ['x', 'y'].map((title) => `Sports North,${title},gw-west-02,SRT,6010,`)
  await choose([HEAD, ...rows].join('\n'))
  await user.click(await dialog.findByRole('button', { name: 'Save 2 inputs' }))
  await user.click(await dialog.findByRole('button', { name: 'Stop' }))
  const stopping = await dialog.findByRole('button', { name: 'Stopping…' })
  expect(stopping.getAttribute('aria-disabled')).toBe('true')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  held.resolve()
  await findNotice('Import stopped: 1 of 2 inputs saved', 'inputs.csv')
  expect(api.askedOf(addInput)).toHaveLength(1)
})

test('a column is found however its letters are written', async () => {
  const { dialog, choose } = await openDialog()
  await choose(FOUR_ROWS.replace(HEAD, HEAD.toUpperCase()))
  expect(await dialog.findByRole('row', { name: /Wrong/ })).toBeDefined()
})

test('a file of an older code page is refused, before its accents are lost', async () => {
  const { dialog, choose } = await openDialog()
  await choose(Uint8Array.from([...new TextEncoder().encode(HEAD), 0x0a, 0xe9]))
  expect((await dialog.findByRole('alert')).textContent).toMatch(/^This file is neither UTF-8/)
})

test('a file without rows is refused with the reason', async () => {
  const { dialog, choose } = await openDialog()
  await choose(`${HEAD}\r\n`)
  expect((await dialog.findByRole('alert')).textContent).toMatch(/^This file has no row below/)
})

test.each([
  ['group,title,colour', "There is no column 'colour'."],
  ['title', "The column 'group' is missing."],
  ['group,title,title', "The column 'title' is there twice."],
  ['group,,title', 'Column 2 has no name in the head line. Name it, or remove it.'],
])('a file with the head %s is refused with the reason', async (head, sentence) => {
  const { dialog, choose } = await openDialog()
  await choose(`${head}\na,b,c\n`)
  expect((await dialog.findByRole('alert')).textContent).toContain(sentence)
})

test('what is exported is read as no change at all', async () => {
  const saved = vi.spyOn(URL, 'createObjectURL')
  // The environment would follow the link, and leave this document and those of all later tests behind.
  const followed = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue()
  onTestFinished(() => {
    saved.mockRestore()
    followed.mockRestore()
  })
  const { dialog, choose, user } = await openDialog()
  await user.click(dialog.getByRole('button', { name: 'Save CSV file' }))
  await vi.waitFor(() => expect(saved).toHaveBeenCalled(), FOUND_WITHIN_MS)
  const [file] = saved.mock.calls[0] ?? []
  const text = file instanceof Blob ? await file.text() : ''
  expect(text.replace('\uFEFF', '').split('\r\n')[0]).toBe(csvColumns('input').join(','))
  await choose(text)
  expect(await dialog.findAllByText('No change', { selector: 'td' })).toHaveLength(2)
  expect(followed).toHaveBeenCalledOnce()
})

test('ten thousand rows are planned, and only those in sight are drawn', async () => {
  const { dialog, choose, user } = await openDialog()
  const rows = Array.from(
    { length: 10_000 },
    (_, n) => `Sports North,Row ${n},gw-west-02,SRT,6010,`,
  )
  await choose([HEAD, ...rows].join('\n'))
  await dialog.findByRole('button', { name: 'Save 10,000 inputs' }, { timeout: 60_000 })
  await user.click(dialog.getByRole('button', { name: /^Add/ }))
  expect(dialog.queryAllByRole('row').length).toBeLessThan(200)
}, 120_000)

async function openUsers(role: 'manager' | 'monitor') {
  const scene = renderConsole({
    path: '/dashboard/userManager',
    role,
    prepare: (api) => answerPeople(api, [personOf('editor')]),
  })
  await scene.user.click(await screen.findByRole('button', { name: 'Import or export CSV' }))
  const dialog = within(await screen.findByRole('dialog', { name: /Import or export users/ }))
  return { ...scene, dialog }
}

test('a manager may not import users with a role that a manager may not give', async () => {
  const { dialog, user, api } = await openUsers('manager')
  const head = 'email,firstName,lastName,role,groups,password'
  const text = `${head}\na@b.example,A,B,admin,,a long password 1\n`
  await user.upload(dialog.getByLabelText('CSV file'), new File([text], 'u.csv'))
  await dialog.findByText("You may not give the role 'admin'.", { exact: false })
  expect(api.askedOf(addUser)).toEqual([])
})

test('who may not add users may export them, and is not offered an import', async () => {
  const { dialog } = await openUsers('monitor')
  dialog.getByRole('button', { name: 'Save CSV file' })
  expect(dialog.queryByLabelText('CSV file')).toBeNull()
})

test('the list is read once, whatever the file has', async () => {
  const { dialog, choose, api } = await openDialog()
  const before = api.askedOf(listInputs).length
  await choose(FOUR_ROWS)
  await dialog.findByRole('row', { name: /Wrong/ })
  expect(api.askedOf(listInputs).length - before).toBe(1)
})
