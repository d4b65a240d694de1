import { screen, waitFor, within } from '@testing-library/react'
import type { userEvent } from '@testing-library/user-event'
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import { nextFeederPort, saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { Failure } from '@trunkline/contract/failure.schema'
import { findServer } from '@trunkline/contract/servers/server.calls'
import { afterEach, expect, test } from 'vitest'
import { storage } from '../../lib/storage.ts'
import { refuse, refuseOddly, type FakeApi } from '../../test/fake-api.ts'
import { findNotice, resetConsole } from '../../test/render-console.tsx'
import { feederOf, fedBy, gatewayOf, openFeeders } from './feeder.fixture.ts'

afterEach(resetConsole)

const WEST = gatewayOf('gw-west', 'gw-west-02', '203.0.113.20', '203.0.113.21')
const NORTH = gatewayOf('gw-north', 'gw-north-01', '198.51.100.8')
const SERVERS = [WEST, NORTH]

function answerSave(api: FakeApi, feeder: Feeder): void {
  const encoder = fedBy([feeder], { version: 2 })
  api.on(saveFeeder).answer(() => ({ status: true, data: encoder, encoder, feeder }))
}

interface Sent {
  version?: number
  config?: unknown
  feederPost: Feeder
}

function sentTo(api: FakeApi): Sent[] {
  return api.askedOf(saveFeeder).map(({ body }) => body as Sent)
}

async function openAdd(parts: Parameters<typeof openFeeders>[0] = {}) {
  const scene = await openFeeders({ servers: SERVERS, ...parts })
  await scene.user.click(within(scene.tab).getByRole('button', { name: 'Add feeder' }))
  return { ...scene, ...fieldsOf(await screen.findByRole('dialog', { name: /^Add feeder/ })) }
}

async function openEdit(feeder: Feeder, parts: Parameters<typeof openFeeders>[0] = {}) {
  const scene = await openFeeders({ servers: SERVERS, encoder: fedBy([feeder]), ...parts })
  const { title } = feeder.input
  const row = await scene.row(title)
  await scene.user.click(within(row).getByRole('button', { name: `Edit ${title}` }))
  return { ...scene, ...fieldsOf(await screen.findByRole('dialog', { name: /^Edit feeder/ })) }
}

function fieldsOf(dialog: HTMLElement) {
  const box = within(dialog)
  return {
    box,
    field: (name: string) => box.getByRole<HTMLInputElement>('textbox', { name }),
    choose: async (
      user: ReturnType<typeof userEvent.setup>,
      name: string,
      label: string,
    ): Promise<void> => {
      await box.findByRole('option', { name: label })
      await user.selectOptions(box.getByRole('combobox', { name }), label)
    },
  }
}

test('FEED-17 FEED-18 DLG-05 the defaults of a new feeder', async () => {
  const { field, box } = await openAdd()
  expect(field('Input port').value, 'the UDP output of the encoder itself').toBe('5000')
  expect(field('Latency').value).toBe('3000')
  expect(field('Max bandwidth').value).toBe('5000')
  box.getByText('= 5.0 Mbit/s')
  expect(box.getByText('Safe up to RTT 750 ms')).toBeDefined()
})

test('FEED-20 FEED-21 Q98 a server offers its addresses and its next port; another server its own', async () => {
  const { field, box, choose, user, api } = await openAdd({
    prepare: (fake) =>
      fake.on(nextFeederPort).answer(({ query }) => {
        const port = query.get('serverId') === 'gw-west' ? 6024 : 6000
        return { status: true, data: port, port }
      }),
  })
  await choose(user, 'Server', 'gw-west-02')
  await waitFor(() => expect(field('Target port').value).toBe('6024'))
  // A field with offers is a combobox to assistive technology.
  const ip = box.getByRole<HTMLInputElement>('combobox', { name: 'Target IP' })
  expect(ip.value).toBe('203.0.113.20')
  expect([...(ip.list?.options ?? [])].map((option) => option.textContent)).toEqual([
    '203.0.113.20',
    '203.0.113.21',
  ])
  box.getByText(/^gw-west-02 needs an aCANFeeder input on port 6024\./)
  await choose(user, 'Server', 'gw-north-01')
  await waitFor(() => expect(field('Target port').value).toBe('6000'))
  expect(ip.value).toBe('198.51.100.8')
  expect(api.askedOf(findServer).map(({ path }) => path)).toEqual([
    '/api/servers/gw-west',
    '/api/servers/gw-north',
  ])
})

test('FEED-19 FEED-22 FEED-23 CFG-05 ERR-13 what is sent, and what is said', async () => {
  const { field, box, choose, user, api } = await openAdd({
    prepare: (fake) => answerSave(fake, feederOf('new')),
  })
  await user.type(field('Title'), 'to gateway')
  await choose(user, 'Server', 'gw-west-02')
  await waitFor(() => expect(field('Target port').value).toBe('6024'))
  const ip = box.getByRole('combobox', { name: 'Target IP' })
  await user.clear(ip)
  await user.type(ip, 'gateway.example')
  await user.click(box.getByRole('button', { name: 'Add feeder' }))
  await screen.findByText('Feeder updated Successfully')
  expect(api.askedOf(saveFeeder)[0]?.path).toBe('/api/encoder/update-acan-feeder')
  const [sent] = sentTo(api)
  expect(sent?.config).toBeDefined()
  expect(sent?.feederPost).toEqual({
    serverId: 'gw-west',
    input: {
      title: 'to gateway',
      type: 'udp',
      addr: '127.0.0.1:5000',
      port: 5000,
      multicast: '',
    },
    output: [
      {
        type: 'srt',
        addr: 'gateway.example:6024',
        port: 6024,
        latency: 3000,
        adv_params: [],
        max_bw: 625_000,
        passphrase: '',
        passphraseSet: false,
        pbkeylen: 128,
      },
    ],
  })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await screen.findByRole('row', { name: /to new\b/ })
  expect(storage.feederTab.read()).toBe(true)
})

test('FEED-13 ERR-25 five fields that are empty say so, and nothing is sent', async () => {
  const { field, box, user, api } = await openAdd()
  await user.clear(field('Input port'))
  await user.clear(field('Latency'))
  await user.type(field('Title'), 'to gateway')
  await user.click(box.getByRole('button', { name: 'Add feeder' }))
  expect(box.getAllByText('This is required!')).toHaveLength(5)
  for (const name of ['Input port', 'Target port', 'Latency']) {
    expect(field(name).getAttribute('aria-invalid'), name).toBe('true')
  }
  for (const name of ['Server', 'Target IP']) {
    expect(box.getByRole('combobox', { name }).getAttribute('aria-invalid'), name).toBe('true')
  }
  box.getByText('5 fields need correcting')
  expect(sentTo(api)).toEqual([])
})

test('FEED-14 ERR-20 a port that another feeder reads is named at once, and a free one is offered', async () => {
  const { field, box, user } = await openAdd({ encoder: fedBy([feederOf('west', 5000)]) })
  expect(field('Input port').value).toBe('5002')
  await user.clear(field('Input port'))
  await user.type(field('Input port'), '5000')
  box.getByText('Input port 5000 is already taken')
  await user.click(box.getByRole('button', { name: 'Use 5002' }))
  expect(box.queryByText('Input port 5000 is already taken')).toBeNull()
  expect(field('Input port').value).toBe('5002')
})

test('DLG-05 Q100 an edit may keep its own port', async () => {
  const { field, box, user, api } = await openEdit(feederOf('west', 5000), {
    prepare: (fake) => answerSave(fake, feederOf('west', 5000)),
  })
  expect(field('Input port').value).toBe('5000')
  await user.click(box.getByRole('button', { name: 'Save' }))
  await screen.findByText('Feeder updated Successfully')
  expect(sentTo(api)[0], 'FEED-26').toMatchObject({ version: 1, feederPost: { name: 'west' } })
  expect(api.askedOf(nextFeederPort), 'nothing else is offered').toEqual([])
})

test('Q103 a cap below the mux rate plus 10 % gives a warning; no cap gives none', async () => {
  const { field, box, user } = await openAdd()
  const cap = field('Max bandwidth')
  const warning = /below 2035 kbit\/s there is no room/
  expect(box.queryByText(warning)).toBeNull()
  await user.clear(cap)
  await user.type(cap, '2034')
  box.getByText(warning)
  await user.clear(cap)
  await user.type(cap, '0')
  expect(box.queryByText(warning)).toBeNull()
  expect(box.getByText('No cap.')).toBeDefined()
})

test('decisions 17 a passphrase goes in and never comes out: kept, changed, cleared', async () => {
  const west = feederOf('west')
  const keyed = { ...west, output: west.output.map((item) => ({ ...item, passphraseSet: true })) }
  const { box, choose, user, api } = await openEdit(keyed, {
    prepare: (fake) => fake.on(saveFeeder).answer(() => refuseOddly(500, {})),
  })
  const typed = () => box.getByLabelText<HTMLInputElement>('Passphrase')
  expect(typed().value).toBe('')
  box.getByText('Leave empty to keep the passphrase.')
  const save = async () => user.click(box.getByRole('button', { name: 'Save' }))
  await save()
  await user.click(box.getByRole('button', { name: 'Generate A Key' }))
  const generated = typed().value
  await save()
  await choose(user, 'Encryption', 'None')
  await save()
  await waitFor(() => expect(sentTo(api)).toHaveLength(3))
  expect(sentTo(api).map(({ feederPost }) => feederPost.output[0])).toMatchObject([
    { passphrase: '', passphraseSet: true },
    { passphrase: generated, passphraseSet: true },
    { passphrase: '', passphraseSet: false },
  ])
  expect(generated).toMatch(/^[A-Za-z0-9_-]{32}$/)
})

test('Q104 parameters by name, each once, with limits and explanation', async () => {
  const { field, box, user, api } = await openEdit(feederOf('west'), {
    prepare: (fake) => answerSave(fake, feederOf('west')),
  })
  await user.click(box.getByRole('button', { name: 'Add parameter' }))
  await user.type(box.getByRole('combobox', { name: 'Key' }), ' oheadbw ')
  await user.type(field('Value'), '101')
  box.getByText('5 to 100 %. Bandwidth above the rate of the input for retransmission.')
  await user.click(box.getByRole('button', { name: 'Add parameter' }))
  const second = within(box.getByRole('group', { name: 'Parameter 2' }))
  await user.type(second.getByLabelText('Key'), 'oheadbw')
  await user.type(second.getByLabelText('Value'), '25')
  await user.tab()
  second.getByText('oheadbw is there already. Remove one of them.')
  await user.clear(second.getByLabelText('Key'))
  await user.type(second.getByLabelText('Key'), 'mode')
  second.getByText('This parameter cannot be set here.')
  await user.click(box.getByRole('button', { name: 'Remove mode' }))
  await user.click(box.getByRole('button', { name: 'Save' }))
  box.getByText('oheadbw must be 5 to 100 %.')
  expect(sentTo(api)).toEqual([])
  await user.clear(field('Value'))
  await user.type(field('Value'), '50')
  await user.click(box.getByRole('button', { name: 'Save' }))
  await screen.findByText('Feeder updated Successfully')
  expect(sentTo(api)[0]?.feederPost.output[0]?.adv_params).toEqual([
    { key: 'oheadbw', value: '50' },
  ])
})

test('FEED-23 ERR-15 DLG-08 a save that fails without a message; what was typed stays', async () => {
  const { field, box, user } = await openEdit(feederOf('west'), {
    prepare: (fake) => fake.on(saveFeeder).answer(() => refuseOddly(500, {})),
  })
  await user.clear(field('Title'))
  await user.type(field('Title'), 'renamed')
  await user.click(box.getByRole('button', { name: 'Save' }))
  await box.findByText('Failure update encoder')
  await findNotice('Failure update encoder')
  expect(field('Title').value).toBe('renamed')
})

test('FEED-23 ERR-01 an error of a field from the API is shown as a notice and at that field', async () => {
  const sentence =
    "Port 5000 of host 127.0.0.1 is taken by encoder 'Camera 2'. Choose another port."
  const { field, box, user } = await openEdit(feederOf('west'), {
    prepare: (fake) =>
      fake.on(saveFeeder).answer(() => ({
        refused: 409,
        body: Failure.parse({
          status: false,
          error: sentence,
          msg: sentence,
          field: 'feederPost.input.addr',
        }),
      })),
  })
  await user.click(box.getByRole('button', { name: 'Save' }))
  await box.findByText(sentence)
  await findNotice(sentence)
  expect(field('Input port').getAttribute('aria-invalid')).toBe('true')
})

function outdated(current: ReturnType<typeof fedBy>) {
  const error = 'Somebody else has saved this encoder since you opened it.'
  const body = { status: false, error, msg: error, current, changed: ['config.feeder'] }
  return { refused: 409, body: Failure.parse(body) }
}

test('decisions 16 somebody saved this feeder meanwhile: take theirs, or save mine over it', async () => {
  const west = feederOf('west')
  const theirs = { ...west, input: { ...west.input, title: 'to their west' } }
  let answers = 0
  const { field, box, user, api } = await openEdit(west, {
    prepare: (fake) => {
      const now = fedBy([theirs], { version: 5 })
      fake.on(saveFeeder).answer(() => {
        answers += 1
        return answers === 1
          ? outdated(now)
          : { status: true, data: now, encoder: now, feeder: theirs }
      })
    },
  })
  await user.clear(field('Title'))
  await user.type(field('Title'), 'mine')
  await user.click(box.getByRole('button', { name: 'Save' }))
  await box.findByText(
    /Somebody else has saved this encoder.* Differs: Title \(now 'to their west'\)\.$/,
  )
  await user.click(box.getByRole('button', { name: 'Save mine' }))
  await screen.findByText('Feeder updated Successfully')
  expect(sentTo(api).map(({ version, feederPost }) => [version, feederPost.input.title])).toEqual([
    [1, 'mine'],
    [5, 'mine'],
  ])
})

test('decisions 16 somebody saved another part of the encoder: no question, nothing lost', async () => {
  const west = feederOf('west')
  let answers = 0
  const { box, user, api } = await openEdit(west, {
    prepare: (fake) => {
      const now = fedBy([west, feederOf('east', 5002)], { version: 5 })
      fake.on(saveFeeder).answer(() => {
        answers += 1
        return answers === 1
          ? outdated(now)
          : { status: true, data: now, encoder: now, feeder: west }
      })
    },
  })
  await user.click(box.getByRole('button', { name: 'Save' }))
  await screen.findByText('Feeder updated Successfully')
  expect(sentTo(api).map(({ version }) => version)).toEqual([1, 5])
  expect(await screen.findByRole('row', { name: /to east\b/ })).toBeDefined()
})

test('a server without a free port says so, and a port may be typed', async () => {
  const { field, choose, user, api } = await openAdd({
    prepare: (fake) => fake.on(nextFeederPort).answer(() => refuse(409, 'Every port is taken.')),
  })
  await choose(user, 'Server', 'gw-west-02')
  await waitFor(() => expect(api.askedOf(nextFeederPort)).toHaveLength(1))
  await user.type(field('Target port'), '6100')
  expect(field('Target port').value).toBe('6100')
})

test('a feeder with the target of another feeder of the encoder says so, until the port differs', async () => {
  const feeder = feederOf('west')
  const other = feederOf('north')
  const { box, field, user } = await openEdit(feeder, { encoder: fedBy([feeder, other]) })
  await user.clear(field('Target port'))
  await user.type(field('Target port'), String(other.output[0]?.port))
  const ip = box.getByRole<HTMLInputElement>('combobox', { name: 'Target IP' })
  await user.clear(ip)
  await user.type(ip, other.output[0]?.addr.split(':')[0] ?? '')
  await box.findByText(new RegExp(`^Feeder '${other.input.title}' sends to .* too, and an input`))
  await user.type(field('Target port'), '1')
  await waitFor(() => expect(box.queryByText(/too, and an input takes one/)).toBeNull())
})
