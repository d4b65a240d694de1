import { screen, waitFor, within } from '@testing-library/react'
import { listDestinations } from '@trunkline/contract/contributions/destination.calls'
import { addOutput, updateOutput } from '@trunkline/contract/contributions/output.calls'
import { nextFeederPort } from '@trunkline/contract/encoders/feeder.calls'
import { listServers } from '@trunkline/contract/servers/server.calls'
import { afterEach, expect, test } from 'vitest'
import { storage } from '../../lib/storage.ts'
import { refuseOddly } from '../../test/fake-api.ts'
import { destinationOf, inputOf, linkReadingOf, linkStatusOf } from '../../test/link.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { OFFERED_PORT, openForm, outputOfA, PATHS } from './link-form.fixture.ts'

afterEach(resetConsole)

const KEY = { selection: 'yes', passphrase: '', type: 256, passphraseSet: true } as const
const DESTINATIONS = [
  destinationOf('A', { title: 'Playout A' }),
  destinationOf('B', { title: 'Playout B', ip: '203.0.113.81', encryption: KEY }),
]
const valueIn = (element: HTMLElement) => (element as HTMLInputElement).value

test('OUT-FORM-01 OUT-FORM-02 OUT-FORM-17 OUT-FORM-20 the fields and tabs; the input of the address is chosen', async () => {
  const { api, field } = await openForm(PATHS.newOutput)
  await screen.findByRole('heading', { name: 'Output Configuration' })
  const types = within(await screen.findByRole('group', { name: 'Output type' }))
  expect(types.getAllByRole('button').map((button) => button.textContent)).toEqual(['SRT', 'RIST'])
  await waitFor(async () => expect(valueIn(await field('Input'))).toBe('a'))
  for (const name of ['Output Settings', 'Encryption', 'Advanced parameters']) {
    screen.getByRole('tab', { name })
  }
  const [asked] = api.askedOf(listServers)
  expect(asked?.query.get('rowsPerPage')).toBe('100')
})

test('OUT-FORM-04 OUT-FORM-05 OUT-FORM-08 Q165 Push sends to a destination host, Listen waits at a local IP and a free port', async () => {
  const { pick, field, api, valueOf, type } = await openForm(PATHS.newOutput)
  await field('Destination Host')
  await pick('Mode', 'Listen')
  expect(((await field('Local IP')) as HTMLInputElement).placeholder).toBe('Any')
  await waitFor(async () => expect(await valueOf('Port')).toBe(String(OFFERED_PORT)))
  const [asked] = api.askedOf(nextFeederPort)
  expect(Object.fromEntries(asked?.query ?? [])).toEqual({ serverId: 'gw-west' })
  screen.getByText(/^One receiver at a time/)
  await pick('Output type', 'RIST')
  screen.getByText(/^Several receivers at a time/)
  await pick('Mode', 'Push')
  await type('Port', '7000')
  await pick('Mode', 'Listen')
  expect(await valueOf('Port')).toBe('7000')
  await screen.findByRole('button', { name: `Use ${OFFERED_PORT}` })
})

test('Q165 a saved port is never overwritten', async () => {
  const { pick, valueOf } = await openForm(PATHS.output)
  await pick('Mode', 'Listen')
  await screen.findByRole('button', { name: `Use ${OFFERED_PORT}` })
  expect(await valueOf('Port')).toBe('7016')
})

test('OUT-FORM-06 OUT-FORM-07 OUT-FORM-18 OUT-FORM-21 a destination by its title is saved as its address', async () => {
  const { choose, type, press, saves, pathname, router } = await openForm(PATHS.newOutput, {
    destinations: DESTINATIONS,
  })
  await type('Title', 'to Playout')
  await type('Port', '7016')
  await choose('Destination Host', 'A')
  await press('Save')
  await screen.findByText('Output added successfully')
  await waitFor(() => expect(pathname()).toBe('/dashboard/contribution'))
  expect(router.state.location.search).toEqual({ tab: 'outputs' })
  expect(saves()).toMatchObject([
    {
      title: 'to Playout',
      inputType: 'SRT',
      contributionId: 'a',
      destinationId: 'A',
      config: { mode: 'Push', host: '203.0.113.80', port: '7016', latency: 3000 },
    },
  ])
})

test('OUT-FORM-06 OUT-FORM-16 Q85 or the address is typed, and none is filled in', async () => {
  const { pick, type, press, saves, field } = await openForm(PATHS.newOutput, {
    destinations: DESTINATIONS,
  })
  await type('Title', 'to Playout')
  await type('Port', '7016')
  await pick('Destination by title or by address', 'Manual')
  expect(valueIn(await field('Destination Host'))).toBe('')
  await press('Save')
  await screen.findByText(/needs a host/)
  expect(saves()).toEqual([])
  await type('Destination Host', '198.51.100.7')
  await press('Save')
  await waitFor(() =>
    expect(saves()).toMatchObject([{ destinationId: null, config: { host: '198.51.100.7' } }]),
  )
})

test('Q152 decisions 17 the key of a destination is taken over by the server, and never read', async () => {
  const { choose, type, press, saves, openTab, valueOf } = await openForm(PATHS.newOutput, {
    destinations: DESTINATIONS,
  })
  await type('Title', 'to Playout')
  await type('Port', '7016')
  await choose('Destination Host', 'B')
  await openTab(/^Encryption/)
  await screen.findByText('Leave empty to use the passphrase of Playout B.')
  expect(await valueOf('Encryption')).toBe('256')
  await press('Save')
  await waitFor(() =>
    expect(saves()).toMatchObject([
      { destinationId: 'B', encryption: { selection: 'yes', passphrase: '', type: 256 } },
    ]),
  )
})

test('Q151 a destination with a new address is shown, and the address is a click away', async () => {
  const { press, saves } = await openForm(PATHS.output, {
    destinations: [destinationOf('A', { title: 'Playout A', ip: '203.0.113.99' })],
    outputs: [outputOfA({ destinationId: 'A' })],
  })
  await screen.findByText(/^Playout A is at 203.0.113.99 now/)
  await press('Use 203.0.113.99')
  await press('Save')
  await waitFor(() =>
    expect(saves()).toMatchObject([{ destinationId: 'A', config: { host: '203.0.113.99' } }]),
  )
})

test('CON-DEST-13 Q156 what this browser knew of the destinations is shown at once', async () => {
  const { field } = await openForm(PATHS.newOutput, {
    prepare: (api) => {
      storage.listDestinations.write(DESTINATIONS)
      api.on(listDestinations).answer(async () => new Promise<never>(() => {}))
    },
  })
  const select = await field('Destination Host')
  const titles = within(select)
    .getAllByRole('option')
    .map((option) => option.textContent)
  expect(titles).toContain('Playout A, 203.0.113.80')
})

test('OUT-FORM-09 OUT-FORM-10 encryption, and what RIST clears', async () => {
  const { openTab, pick, press, valueOf, choose, type, answer } = await openForm(PATHS.newOutput)
  await openTab(/^Encryption/)
  await choose('Encryption', '128')
  await press('Generate A Key')
  expect(await valueOf('Passphrase')).toHaveLength(32)
  await choose('Encryption', 'no')
  await choose('Encryption', '128')
  expect(await valueOf('Passphrase')).toBe('')
  await openTab(/^Advanced/)
  await press('Add parameter')
  await type('Key', 'mss')
  await pick('Output type', 'RIST')
  await answer('Choose RIST')
  await screen.findByText(/^RIST has no advanced parameters/)
  expect(screen.queryByLabelText('Key')).toBeNull()
})

test('OUT-FORM-12 OUT-FORM-13 half a parameter sends nothing', async () => {
  const { openTab, type, press, saves } = await openForm(PATHS.output)
  await openTab(/^Advanced/)
  await press('Add parameter')
  await type('Value', '25')
  await press('Save')
  await screen.findByText('Advanced params are not init')
  expect(saves()).toEqual([])
  await type('Key', '  OHeadBW ')
  await press('Save')
  await waitFor(() =>
    expect(saves()).toMatchObject([{ advanced: [{ key: 'oheadbw', value: '25' }] }]),
  )
})

test('OUT-FORM-11 OUT-FORM-14 OUT-FORM-15 the defaults, Any and the choices of RIST', async () => {
  const { pick, valueOf, field } = await openForm(PATHS.newOutput)
  await pick('Output type', 'RIST')
  expect(await valueOf('Latency')).toBe('3000')
  expect(await valueOf('Max bandwidth')).toBe('625000')
  expect(await valueOf('Profile')).toBe('2')
  expect(await valueOf('Compression')).toBe('Disabled')
  const choices = within(await field('Compression')).getAllByRole('option')
  expect(choices.map((choice) => choice.textContent)).toEqual(['Disabled', 'Enabled'])
  await field('RTL (ms)')
  await field('Reorder buffer')
  await pick('Output type', 'SRT')
  expect(await valueOf('Max bandwidth')).toBe('5000')
  expect(screen.queryByLabelText('Compression')).toBeNull()
})

test('OUT-FORM-11 an empty host and adapter show Any, go empty, and are Any again after a failed save', async () => {
  const { pick, type, press, saves, field } = await openForm(PATHS.newOutput, {
    prepare: (api) => api.on(addOutput).answer(() => refuseOddly(500, {})),
  })
  const expectAny = async () => {
    const host = (await field('Local IP')) as HTMLInputElement
    expect([host.value, host.placeholder]).toEqual(['', 'Any'])
    const adapter = (await field('Adapter IP')) as HTMLSelectElement
    expect([adapter.value, adapter.selectedOptions[0]?.textContent]).toEqual(['', 'Any'])
  }
  await type('Title', 'to Playout')
  await pick('Mode', 'Listen')
  await expectAny()
  await type('Port', '7016')
  await press('Save')
  const notices = within(await screen.findByRole('region', { name: 'Notices' }))
  await notices.findByText('Failed to create output')
  expect(saves()).toMatchObject([{ config: { mode: 'Listen', host: '', adapterIp: '' } }])
  await expectAny()
})

test('OUT-FORM-19 ERR-41 Q190 an edit, and the text of its failure', async () => {
  let isRefused = true
  const { type, press, saves } = await openForm(PATHS.output, {
    prepare: (api) =>
      api
        .on(updateOutput)
        .answer(() =>
          isRefused ? refuseOddly(500, {}) : { status: true, data: outputOfA(), warnings: [] },
        ),
  })
  await type('Title', 'to Playout B')
  await press('Save')
  const notices = within(await screen.findByRole('region', { name: 'Notices' }))
  await notices.findByText('Failed to update contribution')
  notices.getByText('to Playout B was not changed.')
  isRefused = false
  await press('Save')
  await notices.findByText('Output updated successfully')
  expect(saves()[1]).toMatchObject({ version: 1, title: 'to Playout B', config: { port: '7016' } })
})

test('ERR-40 a new output that fails without a message', async () => {
  const { type, press } = await openForm(PATHS.newOutput, {
    prepare: (api) => api.on(addOutput).answer(() => refuseOddly(500, {})),
  })
  await type('Title', 'to Playout')
  await type('Destination Host', '198.51.100.7')
  await type('Port', '7016')
  await press('Save')
  expect((await screen.findAllByText('Failed to create output')).length).toBeGreaterThan(0)
})

test('issue 7 a second path is RIST’s in Push, and is sent with its own address', async () => {
  const { pick, type, press, saves, user } = await openForm(PATHS.newOutput)
  await type('Title', 'to Playout')
  expect(screen.queryByRole('switch')).toBeNull()
  await pick('Output type', 'RIST')
  await user.click(await screen.findByRole('switch', { name: 'Send over a second path' }))
  screen.getByText(/Every packet is sent on two paths/)
  await type('Destination Host', '198.51.100.7')
  await type('Port', '7016')
  await type('Second host', '198.51.100.8')
  await type('Second port', '7018')
  await pick('Mode', 'Listen')
  expect(screen.queryByRole('switch')).toBeNull()
  await pick('Mode', 'Push')
  await type('Destination Host', '198.51.100.7')
  await press('Save')
  await waitFor(() =>
    expect(saves()).toMatchObject([
      {
        config: {
          port: 7016,
          secondPath: { host: '198.51.100.8', port: 7018, adapterIp: '' },
        },
      },
    ]),
  )
})

test('M6 the cap of a new output is held against what its input carries', async () => {
  const reading = linkReadingOf({ bitrateKbps: 8100 })
  await openForm(PATHS.newOutput, { programs: [linkStatusOf('input', 'a', { reading })] })
  const warning = await screen.findByText(/^Max bandwidth caps/)
  expect(warning.textContent).toContain('5.0 Mbit/s; the stream has 8.1 Mbit/s')
})

test('a new output of an input that is not there', async () => {
  await openForm('/dashboard/gw-west/output/none', { inputs: [inputOf('a')] })
  await screen.findByText('This input does not exist.')
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
})
