import { screen, waitFor, within } from '@testing-library/react'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import { addInput, readInput, updateInput } from '@trunkline/contract/contributions/input.calls'
import { findServer } from '@trunkline/contract/servers/server.calls'
import { afterEach, expect, test } from 'vitest'
import { type FakeApi, refuse, refuseOddly } from '../../test/fake-api.ts'
import { inputOf, linkReadingOf, linkStatusOf, STOPPED } from '../../test/link.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { OFFERED_GROUP, OFFERED_PORT, openForm, PATHS, SERVER } from './link-form.fixture.ts'

afterEach(resetConsole)

async function openNew(prepare: (api: FakeApi) => void = () => {}) {
  const scene = await openForm(PATHS.newInput, { prepare })
  await waitFor(async () => expect(await scene.valueOf('Multicast')).toBe(OFFERED_GROUP))
  return scene
}

const placeholderOf = (element: HTMLElement) => (element as HTMLInputElement).placeholder
const optionsOf = (element: HTMLElement) =>
  within(element)
    .getAllByRole('option')
    .map((option) => option.textContent)

test('IN-FORM-01 IN-FORM-02 IN-FORM-04 the types, the tabs, the modes', async () => {
  const { pick } = await openNew()
  await screen.findByRole('heading', { name: 'Contribution Config' })
  const types = within(screen.getByRole('group', { name: 'Input type' })).getAllByRole('button')
  expect(types.map((type) => type.textContent)).toEqual(['Local', 'aCANFeeder', 'SRT', 'RIST'])
  for (const name of ['Input Settings', 'Encryption', 'Advanced parameters']) {
    screen.getByRole('tab', { name })
  }
  const modes = () =>
    within(screen.getByRole('group', { name: 'Mode' }))
      .getAllByRole('button')
      .map((button) => button.textContent)
  expect(modes()).toEqual(['Listen', 'Push (call host)'])
  await pick('Input type', 'aCANFeeder')
  expect(modes()).toEqual(['Listen'])
})

test('IN-FORM-11 IN-FORM-15 IN-FORM-24 IN-FORM-26 IN-FORM-28 IN-FORM-29 a new input is filled in, saved, and the list is shown', async () => {
  const { type, press, saves, pathname, field } = await openNew()
  expect(placeholderOf(await field('Host'))).toBe('Any')
  expect(optionsOf(await field('Adapter IP'))).toEqual(['Any', 'eth0 203.0.113.20'])
  await type('Title', 'Marathon km 30')
  await type('Host', 'any')
  await type('Port', '6010')
  await press('Save')
  await screen.findByText('Contribution added successfully')
  await waitFor(() => expect(pathname()).toBe('/dashboard/contribution'))
  expect(saves()).toMatchObject([
    {
      title: 'Marathon km 30',
      inputType: 'SRT',
      serverId: 'gw-west',
      groupId: 'north',
      config: {
        mode: 'Listen',
        host: '',
        adapterIp: '',
        port: '6010',
        multicast: OFFERED_GROUP,
        latency: 3000,
        maxBandWidth: 625_000,
      },
      encryption: { selection: 'no', type: 128, passphrase: '' },
      advanced: [],
    },
  ])
})

test('IN-FORM-05 to IN-FORM-10 the defaults of each type', async () => {
  const { pick, valueOf, field } = await openNew()
  expect(await valueOf('Latency')).toBe('3000')
  expect(await valueOf('Max bandwidth')).toBe('5000')
  screen.getByText('= 5.0 Mbit/s')
  screen.getByText('Safe up to RTT 750 ms')
  await pick('Input type', 'aCANFeeder')
  expect(await valueOf('Port')).toBe('6000')
  await pick('Input type', 'RIST')
  expect(await valueOf('Latency')).toBe('3000')
  expect(await valueOf('Max bandwidth')).toBe('625000')
  screen.getByText('= 625 Mbit/s')
  expect(await valueOf('Profile')).toBe('2')
  expect(optionsOf(await field('Profile'))).toEqual(['Main', 'Simple'])
  expect(await valueOf('Log level')).toBe('1')
  expect(optionsOf(await field('Log level'))).toHaveLength(3)
})

test('IN-FORM-12 the adapters are those of the server, and the chosen address is saved', async () => {
  const { type, choose, press, saves, field } = await openNew()
  const { adapterIps } = SERVER
  await waitFor(async () =>
    expect(optionsOf(await field('Adapter IP'))).toEqual([
      'Any',
      ...adapterIps.map(({ adapterName, adapterIp }) => `${adapterName} ${adapterIp}`),
    ]),
  )
  await type('Title', 'Marathon')
  await type('Port', '6010')
  await choose('Adapter IP', adapterIps[0]?.adapterIp ?? '')
  await press('Save')
  await screen.findByText('Contribution added successfully')
  expect(saves()).toMatchObject([{ config: { adapterIp: adapterIps[0]?.adapterIp } }])
})

test('IN-FORM-11 Get asks for another group', async () => {
  const { press, type, valueOf } = await openNew()
  await type('Multicast', '239.1.1.1')
  await press('Get a free multicast group')
  await waitFor(async () => expect(await valueOf('Multicast')).toBe(OFFERED_GROUP))
})

test('IN-FORM-13 IN-FORM-14 choosing RIST asks before it clears the parameters, SRT sets the host to Any', async () => {
  const { pick, openTab, press, type, answer, valueOf } = await openNew()
  await openTab(/^Advanced/)
  await press('Add parameter')
  await type('Key', 'mss')
  await type('Value', '1400')
  await pick('Input type', 'RIST')
  await answer('Keep the parameters')
  expect(await valueOf('Key')).toBe('mss')
  await pick('Input type', 'RIST')
  await answer('Choose RIST')
  await waitFor(() => expect(screen.queryByLabelText('Key')).toBeNull())
  expect(screen.queryByRole('button', { name: 'Add parameter' })).toBeNull()
  await openTab(/^Input Settings/)
  await type('Host', '192.0.2.1')
  await pick('Input type', 'SRT')
  expect(await valueOf('Host')).toBe('')
})

test('IN-FORM-16 ERR-38 a failed save puts Any back, says so, and stays', async () => {
  const { type, press, pathname, field } = await openNew((api) =>
    api.on(addInput).answer(() => refuseOddly(500, { oops: true })),
  )
  await type('Title', 'Marathon')
  await type('Port', '6010')
  await press('Save')
  const notices = within(await screen.findByRole('region', { name: 'Notices' }))
  await notices.findByText('Failed to create contribution')
  notices.getByText('Marathon was not added.')
  expect(placeholderOf(await field('Host'))).toBe('Any')
  expect(((await field('Host')) as HTMLInputElement).value).toBe('')
  expect(pathname()).toBe(PATHS.newInput)
})

test('IN-FORM-17 IN-FORM-18 IN-FORM-19 a key of its own, another with each click, none without encryption', async () => {
  const { openTab, press, valueOf, choose } = await openNew()
  await openTab(/^Encryption/)
  expect(screen.queryByLabelText('Passphrase')).toBeNull()
  await choose('Encryption', '256')
  await press('Generate A Key')
  const first = await valueOf('Passphrase')
  await press('Generate A Key')
  expect(first).toMatch(/^[A-Za-z0-9._~-]{32}$/)
  expect(await valueOf('Passphrase')).not.toBe(first)
  await choose('Encryption', 'no')
  await choose('Encryption', '128')
  expect(await valueOf('Encryption')).toBe('128')
  expect(await valueOf('Passphrase')).toBe('')
})

test('IN-FORM-20 Q169 RIST takes no new parameters; Simple and Local have no encryption, and say why', async () => {
  const { openTab, pick, choose } = await openNew()
  await openTab(/^Advanced/)
  await screen.findByRole('button', { name: 'Add parameter' })
  await pick('Input type', 'RIST')
  expect(screen.queryByRole('button', { name: 'Add parameter' })).toBeNull()
  await openTab(/^Input Settings/)
  await choose('Profile', '1')
  await openTab(/^Encryption/)
  await screen.findByText(/^RIST Simple has no encryption/)
  expect(screen.queryByRole('combobox', { name: 'Encryption' })).toBeNull()
  await pick('Input type', 'Local')
  await screen.findByText(/^A Local input has no link of its own/)
})

test('IN-FORM-21 IN-FORM-22 half a parameter sends nothing; a whole one is trimmed', async () => {
  const { openTab, type, press, saves } = await openNew()
  await type('Title', 'Marathon')
  await type('Port', '6010')
  await openTab(/^Advanced/)
  await press('Add parameter')
  await type('Key', ' oheadbw ')
  await openTab(/^Input Settings/)
  await press('Save')
  await screen.findByText('Advanced params are not configured correctly')
  expect(saves()).toEqual([])
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Value')))
  await screen.findByRole('tab', { name: /Advanced parameters.*has errors/ })
  await type('Value', '25')
  screen.getByText(/^5 to 100 %/)
  await press('Save')
  await waitFor(() =>
    expect(saves()).toMatchObject([{ advanced: [{ key: 'oheadbw', value: '25' }] }]),
  )
})

test('IN-FORM-23 ERR-44 without a server nothing is sent', async () => {
  const { type, press, saves, field, choose } = await openForm(
    '/dashboard/gone/north/contribution/new',
  )
  await type('Title', 'Marathon')
  await type('Port', '6010')
  await press('Save')
  expect((await screen.findAllByText('Server is not selected')).length).toBe(2)
  expect(saves()).toEqual([])
  expect(document.activeElement).toBe(await field('Server'))
  await choose('Server', 'gw-west')
  await press('Save')
  await waitFor(() => expect(saves()).toMatchObject([{ serverId: 'gw-west', groupId: 'north' }]))
})

test('IN-FORM-25 the port takes digits only', async () => {
  const { user, field, valueOf } = await openNew()
  await user.clear(await field('Port'))
  await user.keyboard('60x10')
  expect(await valueOf('Port')).toBe('6010')
  await user.clear(await field('Port'))
  await user.keyboard('x')
  await screen.findByText('Digits only: type a whole number.')
})

test('IN-FORM-25 spaces around a pasted port are ignored', async () => {
  const { user, field, valueOf, type } = await openNew()
  await type('Port', '')
  ;(await field('Port')).focus()
  await user.paste(' 6010 ')
  expect(await valueOf('Port')).toBe('6010')
  expect(screen.queryByText('Digits only: type a whole number.')).toBeNull()
})

test('IN-FORM-27 ERR-39 Q190 an edit sends all and its version; warnings are shown; a refusal names it', async () => {
  let isRefused = true
  const { type, press, saves, pathname, api } = await openForm(PATHS.input, {
    prepare: (fake) =>
      fake
        .on(updateInput)
        .answer(() =>
          isRefused
            ? refuseOddly(500, {})
            : { status: true, data: inputOf('a'), warnings: ['The cap is low.'] },
        ),
  })
  await type('Latency', '400')
  await press('Save')
  const notices = within(await screen.findByRole('region', { name: 'Notices' }))
  await notices.findByText('Failed to update contribution')
  notices.getByText('Input a was not changed.')
  isRefused = false
  await press('Save')
  await notices.findByText('Contribution updated successfully')
  notices.getByText('The cap is low.')
  await waitFor(() => expect(pathname()).toBe('/dashboard/contribution'))
  expect(saves()[1]).toMatchObject({
    version: 1,
    title: 'Input a',
    config: { latency: 400, port: 6002, multicast: '239.77.2.1', multicastPort: 20_604 },
  })
  expect(api.askedOf(contributionAction)).toEqual([])
})

test('a taken port is said at the field, and a free one is offered', async () => {
  let isFirst = true
  const sentence = 'Port 6002 is taken by input Arena on gw-west-02.'
  const { type, press, saves, valueOf, field } = await openNew((api) =>
    api.on(addInput).answer(() => {
      if (!isFirst) return { status: true, data: inputOf('a'), id: 'a' }
      isFirst = false
      return refuseOddly(409, {
        status: false,
        error: sentence,
        msg: sentence,
        code: 'conflict',
        field: 'config.port',
      })
    }),
  )
  await type('Title', 'Marathon')
  await type('Port', '6002')
  await press('Save')
  const port = await field('Port')
  await waitFor(() => expect(document.activeElement).toBe(port))
  expect(screen.getAllByText(sentence).length).toBeGreaterThan(0)
  await press(`Use ${OFFERED_PORT}`)
  expect(await valueOf('Port')).toBe(String(OFFERED_PORT))
  expect(port.getAttribute('aria-invalid')).toBeNull()
  await press('Save')
  await waitFor(() => expect(saves()).toHaveLength(2))
})

test('Q178 Save and restart asks first, and names who loses the picture', async () => {
  const { type, press, answer, saves, api } = await openForm(PATHS.input, {
    inputs: [inputOf('a', { outputIds: ['x', 'y'] })],
    programs: [linkStatusOf('input', 'a')],
  })
  await type('Latency', '400')
  await screen.findByText(/TARGET STATUS: CONNECTED/)
  screen.getByText('Saving restarts nothing.')
  await press('Save and restart')
  screen.getByText('Its 2 outputs lose the stream for a few seconds.')
  await answer('Keep running')
  expect(saves()).toEqual([])
  await press('Save and restart')
  await answer('Restart input')
  await waitFor(() => expect(api.askedOf(contributionAction)).toHaveLength(1))
  expect(saves()).toHaveLength(1)
  expect(api.askedOf(contributionAction)[0]?.body).toMatchObject({
    id: 'a',
    type: 1,
    actionType: 'restart',
  })
})

test('On save lists old and new; a cap below what the link carries is warned of', async () => {
  const reading = linkReadingOf({ bitrateKbps: 8100 })
  const { type } = await openForm(PATHS.input, {
    programs: [linkStatusOf('input', 'a', { reading })],
  })
  await type('Latency', '400')
  const plan = within(screen.getByRole('region', { name: 'On save' }))
  plan.getByText('1 change')
  plan.getByText('300 ms')
  plan.getByText('400 ms')
  const warning = await plan.findByText(/^Max bandwidth caps/)
  expect(warning.textContent).toContain('5.0 Mbit/s; the stream has 8.1 Mbit/s')
})

test('a stopped input is not restarted; nothing changed, nothing to save', async () => {
  await openForm(PATHS.input, { programs: [linkStatusOf('input', 'a', STOPPED)] })
  const save = await screen.findByRole('button', { name: 'Save' })
  expect(save.getAttribute('aria-disabled')).toBe('true')
  expect(screen.queryByRole('button', { name: 'Save and restart' })).toBeNull()
  await screen.findByText('The input is stopped.')
})

test('settings that wait for a restart say so, with the restart beside it', async () => {
  const { press, answer, api } = await openForm(PATHS.input, {
    programs: [linkStatusOf('input', 'a', { waitsForRestart: true })],
  })
  await screen.findByText(/still has the settings from before the last save/)
  await press('Restart')
  await answer('Restart input')
  await waitFor(() => expect(api.askedOf(contributionAction)).toHaveLength(1))
})

test('a missing input and a failed read each show a message', async () => {
  const gone = await openForm('/dashboard/gw-west/north/contribution/none')
  await screen.findByText('This input does not exist.')
  gone.screen.unmount()
  resetConsole()
  let isAway = true
  const { press, valueOf } = await openForm(PATHS.input, {
    prepare: (api) =>
      api.on(readInput).answer(() => {
        if (isAway) return refuse(500, 'No database')
        return { status: true, data: inputOf('a'), contribution: inputOf('a') }
      }),
  })
  await screen.findByText('This input could not be read.')
  isAway = false
  await press('Retry')
  await waitFor(async () => expect(await valueOf('Title')).toBe('Input a'))
})

test('a failed read of the server is not shown as a missing server', async () => {
  await openForm(PATHS.newInput, {
    prepare: (api) => api.on(findServer).answer(() => refuse(500, 'No database')),
  })
  await screen.findByText('This input could not be read.')
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
})
