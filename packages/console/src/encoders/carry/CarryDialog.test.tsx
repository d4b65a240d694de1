import { screen, waitFor, within } from '@testing-library/react'
import { carryEncoder } from '@trunkline/contract/contributions/carry.calls'
import { listDestinations } from '@trunkline/contract/contributions/destination.calls'
import { listInputs } from '@trunkline/contract/contributions/input.calls'
import { findEncoder } from '@trunkline/contract/encoders/encoder.calls'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { nextFeederPort } from '@trunkline/contract/encoders/feeder.calls'
import { Failure } from '@trunkline/contract/failure.schema'
import { findServer, listServers } from '@trunkline/contract/servers/server.calls'
import { afterEach, expect, test } from 'vitest'
import { refuse, refuseOddly, type FakeApi } from '../../test/fake-api.ts'
import { destinationOf, inputOf, outputOf } from '../../test/link.samples.ts'
import { findNotice, resetConsole } from '../../test/render-console.tsx'
import { encoderOf } from '../../test/samples.ts'
import { fedBy, feederOf, gatewayOf } from '../feeders/feeder.fixture.ts'
import { openManager } from '../manager/manager.fixture.ts'

afterEach(resetConsole)

const NAME = 'Carry this encoder to…'
const GATEWAY = gatewayOf('gw-west', 'gw-west-02', '203.0.113.20')
const WEST = feederOf('west')

interface Scene {
  encoder?: Encoder
  prepare?: (api: FakeApi) => void
}

function answerSite(api: FakeApi, encoder: Encoder): void {
  const far = destinationOf('d', { title: 'Paris', ip: '203.0.113.80' })
  api.on(findEncoder).answer(() => ({ status: true, data: encoder, encoder }))
  api.on(listServers).answer(() => ({ status: true, data: [GATEWAY], total: 1 }))
  api.on(findServer).answer(() => ({ status: true, data: GATEWAY, adapterIps: GATEWAY.adapterIps }))
  api.on(nextFeederPort).answer(() => ({ status: true, data: 6024, port: 6024 }))
  api.on(listInputs).answer(() => ({ status: true, contributions: [], total: 0 }))
  api
    .on(listDestinations)
    .answer(() => ({ status: true, destinations: [far], length: 1, total: 1 }))
  api.on(carryEncoder).answer(() => ({
    status: true,
    encoder,
    feeder: WEST,
    input: inputOf('i', { title: 'Camera a' }),
    output: outputOf('o', { title: 'Camera a' }),
  }))
}

async function openCarry({ encoder = fedBy([]), prepare }: Scene) {
  const scene = await openManager({
    role: 'manager',
    encoders: [encoder],
    prepare: (api) => {
      answerSite(api, encoder)
      prepare?.(api)
    },
  })
  const menu = await scene.menuOf('Camera a')
  await scene.user.click(menu.getByRole('menuitem', { name: NAME }))
  const dialog = within(await screen.findByRole('dialog', { name: NAME }))
  const { user } = scene
  const choose = async (label: string, option: string) =>
    user.selectOptions(
      dialog.getByLabelText(label),
      await within(dialog.getByLabelText(label)).findByRole('option', { name: option }),
    )
  const valueOf = (label: string) => dialog.getByLabelText<HTMLInputElement>(label).value
  const plan = () => within(dialog.getByRole('region', { name: 'Plan' }))
  const press = async (name: string) => user.click(dialog.getByRole('button', { name }))
  const type = async (label: string, text: string) => {
    await user.clear(dialog.getByLabelText(label))
    await user.type(dialog.getByLabelText(label), text)
  }
  return { ...scene, dialog, choose, valueOf, plan, press, type }
}

const bodiesOf = (api: FakeApi) => api.askedOf(carryEncoder).map(({ body }) => body)

test('shows the plan, and creates all three with one call', async () => {
  const { choose, valueOf, plan, press, type, api, dialog } = await openCarry({})
  plan().getByText('Fill in the form to see what will be created.')
  expect(dialog.queryByLabelText('Input port')).toBeNull()
  await choose('Server', 'gw-west-02')
  await waitFor(() => expect(valueOf('Input port')).toBe('6024'))
  expect(valueOf('Server address')).toBe('203.0.113.20')
  await choose('Destination', 'Paris, 203.0.113.80')
  await type('Output port', '7000')
  await plan().findByText('Camera a (127.0.0.1) → gw-west-02, 203.0.113.20:6024')
  plan().getByText('gw-west-02 listens on port 6024')
  plan().getByText('the input → Paris, 203.0.113.80:7000')
  expect(bodiesOf(api)).toEqual([])
  await press('Create all three')
  await findNotice('Carried Camera a to gw-west-02')
  expect(api.askedOf(carryEncoder)[0]?.path).toBe('/api/encoder/carry/a')
  expect(bodiesOf(api)).toMatchObject([
    {
      title: 'Camera a',
      serverId: 'gw-west',
      feeder: {
        use: 'new',
        inputPort: '5000',
        host: '203.0.113.20',
        port: '6024',
        encryption: { selection: 'yes', type: 128, passphrase: '' },
      },
      output: {
        inputType: 'SRT',
        destinationId: 'd',
        config: { mode: 'Push', host: '', port: '7000' },
      },
    },
  ])
  const done = within(await screen.findByRole('dialog', { name: 'Encoder carried' }))
  done.getByText('Feeder, input and output are created. Nothing is started yet.')
  expect(done.getAllByRole('link')).toHaveLength(3)
})

test('shows what is missing at its field, and sends nothing', async () => {
  const { dialog, press, api } = await openCarry({})
  await press('Create all three')
  expect(dialog.getAllByText('This field is required').length).toBeGreaterThan(2)
  expect(bodiesOf(api)).toEqual([])
})

test('shows a refusal at the field of its part, with the next free port beside it', async () => {
  let free = 6024
  const error = "Input: Port 6024 of host gw-west.example is taken by input 'Feed'."
  const { choose, valueOf, press, type, dialog, api } = await openCarry({
    prepare: (fake) => {
      fake.on(nextFeederPort).answer(() => ({ status: true, data: free, port: free }))
      fake.on(carryEncoder).answer(() => {
        free = 6026
        const field = 'input.config.port'
        const issues = [{ field, message: error }]
        return refuseOddly(409, Failure.parse({ status: false, error, msg: error, field, issues }))
      })
    },
  })
  await choose('Server', 'gw-west-02')
  await waitFor(() => expect(valueOf('Input port')).toBe('6024'))
  await type('Input port', '6024')
  await choose('Destination', 'Paris, 203.0.113.80')
  await type('Output port', '7000')
  await press('Create all three')
  await dialog.findByText(error)
  expect(dialog.queryByRole('alert')?.textContent).toBe('')
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Input port')))
  await press(await waitFor(() => dialog.getByRole('button', { name: 'Use 6026' }).textContent))
  expect(valueOf('Input port')).toBe('6026')
  expect(bodiesOf(api)).toHaveLength(1)
})

test('says why no port is offered, and accepts a typed port', async () => {
  const { choose, valueOf, type, dialog } = await openCarry({
    prepare: (fake) => fake.on(nextFeederPort).answer(() => refuse(409, 'Every port is taken.')),
  })
  await choose('Server', 'gw-west-02')
  await dialog.findByText('Every port is taken.')
  await type('Input port', '6100')
  expect(valueOf('Input port')).toBe('6100')
})

test('uses an existing feeder as it is, on its own server', async () => {
  const { choose, valueOf, plan, press, type, dialog, api } = await openCarry({
    encoder: fedBy([WEST]),
  })
  await choose('Feeder', "Use 'to west' to 203.0.113.20:6022 as it is")
  await waitFor(() => expect(valueOf('Server')).toBe('gw-west-02'))
  expect(dialog.queryByLabelText('Input port')).toBeNull()
  await choose('Destination', 'Paris, 203.0.113.80')
  await type('Output port', '7000')
  await plan().findByText('used as it is')
  await press('Create input and output')
  await findNotice('Carried Camera a to gw-west-02')
  expect(bodiesOf(api)).toMatchObject([
    { serverId: 'gw-west', feeder: { use: 'keep', name: 'west' } },
  ])
})

test('refuses a feeder that an input already receives', async () => {
  const config = { ...inputOf('i').config, port: '6022' }
  const { choose, dialog, press, api } = await openCarry({
    encoder: fedBy([WEST]),
    prepare: (fake) =>
      fake.on(listInputs).answer(() => ({
        status: true,
        contributions: [inputOf('i', { title: 'Feed', config })],
        total: 1,
      })),
  })
  await choose('Feeder', "Use 'to west' to 203.0.113.20:6022 as it is")
  await dialog.findByText(/^Input 'Feed' already receives this feeder/)
  await press('Create input and output')
  expect(bodiesOf(api)).toEqual([])
})

test('decisions 16 shows what somebody else saved, and carries the encoder as it is now', async () => {
  let encoder = fedBy([WEST])
  const error = 'Feeder: Somebody else has saved this encoder since you opened it.'
  const { choose, plan, press, type, dialog, api } = await openCarry({
    encoder,
    prepare: (fake) => {
      fake.on(findEncoder).answer(() => ({ status: true, data: encoder, encoder }))
      fake.on(carryEncoder).answer(() => {
        const output = WEST.output.map((item) => ({ ...item, latency: 900 }))
        encoder = { ...fedBy([{ ...WEST, output }]), version: encoder.version + 1 }
        return refuseOddly(409, Failure.parse({ status: false, error, msg: error }))
      })
    },
  })
  const before = encoder.version
  await choose('Feeder', "Use 'to west' to 203.0.113.20:6022 as it is")
  await choose('Destination', 'Paris, 203.0.113.80')
  await type('Output port', '7000')
  await press('Create input and output')
  await dialog.findByText(error)
  await plan().findByText(/^SRT \(aCANFeeder\), .* 900 ms$/)
  await press('Create input and output')
  await waitFor(() => expect(bodiesOf(api)).toHaveLength(2))
  expect(bodiesOf(api)).toMatchObject([{ version: before }, { version: before + 1 }])
})

test('FEED-15 an encoder without a configuration is not carried', async () => {
  const { menuOf, user } = await openManager({ encoders: [encoderOf('a', { config: null })] })
  const menu = await menuOf('Camera a')
  await user.click(menu.getByRole('menuitem', { name: NAME }))
  await findNotice('Please save the encoder config before adding a Feeder')
  expect(screen.queryByRole('dialog', { name: NAME })).toBeNull()
})
