import { screen, waitFor, within } from '@testing-library/react'
import {
  controlEncoder,
  findEncoder,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import { afterEach, expect, test } from 'vitest'
import { refuse, refuseOddly } from '../../test/fake-api.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { configSample, encoderOf } from '../../test/samples.ts'
import { storage } from '../../lib/storage.ts'
import { HOST, openConfig, STOPPED } from './config-page.fixture.ts'

afterEach(resetConsole)

const valueOf = (element: HTMLElement) => (element as HTMLInputElement).value
const optionsOf = (element: HTMLElement) =>
  within(element)
    .getAllByRole('option')
    .map((option) => option.textContent)

test('CFG-01 CFG-02 CFG-04 the fields above the tabs, the five tabs and the way back', async () => {
  const { field } = await openConfig()
  expect(valueOf(await field('Name'))).toBe('encoder0')
  expect(await field('Name')).toHaveProperty('readOnly', true)
  expect(valueOf(await field('Title'))).toBe('Demo camera')
  expect(valueOf(await field('Card index'))).toBe('0')
  expect(valueOf(await field('Video format'))).toBe('pal')
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
    'Video Settings',
    'Audio Settings',
    'Mux Settings',
    'Output Settings1',
    'Feeder0',
  ])
  const back = within(screen.getByRole('main')).getByRole('link', { name: 'Encoders' })
  expect(back.getAttribute('href')).toBe('/dashboard/managerEncoder')
})

test('CFG-03 CFG-06 CFG-23 saving sends the whole configuration and its version, and goes to the dashboard', async () => {
  const { choose, press, saves, pathname } = await openConfig({ status: STOPPED })
  await screen.findByRole('option', { name: '1: Test pattern 1' })
  await choose('Card index', '1')
  expect(valueOf(await screen.findByLabelText('Name'))).toBe('encoder1')
  screen.getByText('1 unsaved change')
  await press('Save')
  // They go by themselves after some seconds.
  await screen.findByText('Success updated')
  screen.getByText('Level 4.1 is used.')
  await waitFor(() => expect(pathname()).toBe('/'))
  const { feeder, ...config } = configSample
  expect(saves()).toEqual([
    {
      _id: 'a',
      version: 4,
      config: { ...config, feeder, name: 'encoder1', 'card-idx': 1 },
    },
  ])
})

test('CFG-12 an unconfigured encoder starts from the template and can be saved as it is', async () => {
  const encoder = encoderOf('a', { config: null, title: 'New camera' })
  const { field, press, saves } = await openConfig({ encoder, status: STOPPED })
  expect(valueOf(await field('Title'))).toBe('New camera')
  expect(valueOf(await field('Video format'))).toBe('1080i50')
  screen.getByText('Nothing starts by itself.')
  await press('Save')
  await waitFor(() => expect(saves()).toHaveLength(1))
  expect(saves()).toMatchObject([
    { config: { name: 'encoder0', title: 'New camera', 'card-idx': 0, feeder: [] } },
  ])
})

test('CFG-18 a format brings its preset, says how much changed, and is undone', async () => {
  const { choose, field, press } = await openConfig()
  await choose('Video format', '720p50')
  screen.getByText('720p50 preset applied.')
  screen.getByText(/8 values changed\. Keyint 50 follows the frame rate/)
  expect(valueOf(await field('Bitrate'))).toBe('3500')
  screen.getByText('was 1400', { selector: '#' + (await helpOf('Bitrate')) })
  const onSave = within(screen.getByRole('region', { name: 'On save' }))
  expect(onSave.getAllByText('preset')).toHaveLength(8)
  await press('Undo')
  expect(valueOf(await field('Bitrate'))).toBe('1400')
  expect(screen.queryByText('720p50 preset applied.')).toBeNull()
  screen.getByText('No unsaved changes')
})

/** The id of the line under a field, as a selector has it. */
async function helpOf(label: string): Promise<string> {
  const id = (await screen.findByLabelText(label)).getAttribute('aria-describedby') ?? ''
  return id.replaceAll(':', String.raw`\:`)
}

test('CFG-27 CFG-28 CFG-29 CFG-30 the choices of the picture follow the format', async () => {
  const { choose, field } = await openConfig()
  expect(optionsOf(await field('Width'))).toEqual(['720', '1024'])
  await choose('Video format', '720p60')
  expect(optionsOf(await field('Width'))).toEqual(['960', '1280'])
  await choose('Video format', '1080p25')
  expect(optionsOf(await field('Width'))).toEqual(['1280', '1920'])
  expect(optionsOf(await field('Profile'))).toEqual(['main', 'high'])
  expect(optionsOf(await field('Aspect ratio'))).toEqual(['16:9', '4:3', '4:9'])
  expect(optionsOf(await field('Format'))).toEqual(['H.264 (avc)'])
})

test('CFG-16 CFG-17 CFG-31 CFG-32 CFG-33 CFG-34 mp2 and aac have fields of their own', async () => {
  const { openTab, choose, field } = await openConfig()
  await openTab(/^Audio Settings/)
  expect(optionsOf(await field('MP2 mode'))).toEqual(['stereo', 'joint-stereo', 'dual-channel'])
  expect(optionsOf(await field('Audio type'))).toEqual([
    'undefined',
    'clean-effects',
    'hearing-impaired',
    'visual-impaired',
  ])
  await choose('Format', 'aac')
  expect(screen.queryByLabelText('MP2 mode')).toBeNull()
  expect(screen.queryByLabelText('Audio type')).toBeNull()
  expect(valueOf(await field('AAC profile'))).toBe('aac-lc')
  expect(optionsOf(await field('AAC encap'))).toEqual(['adts', 'latm'])
  const [, second] = within(await field('AAC profile')).getAllByRole('option')
  expect(second).toHaveProperty('disabled', true)
  expect(second?.textContent).toBe('he-aac-v1 · needs libfdk_aac, which this host lacks')
})

test('CFG-33 a host with the encoder offers every profile', async () => {
  const host = { ...HOST, encoders: ['libfdk_aac'] }
  const { openTab, choose, field } = await openConfig({ host })
  await openTab(/^Audio Settings/)
  await choose('Format', 'aac')
  expect(optionsOf(await field('AAC profile'))).toEqual(['aac-lc', 'he-aac-v1', 'he-aac-v2'])
})

test('CFG-35 CFG-23 the choices of the mux, and a PMT period that cannot be changed', async () => {
  const { openTab, field } = await openConfig()
  await openTab(/^Mux Settings/)
  expect(optionsOf(await field('TS type'))).toEqual(['generic', 'dvb', 'cablelabs', 'atsc'])
  expect(await field('PMT period')).toHaveProperty('readOnly', true)
  expect(valueOf(await field('PMT period'))).toBe('100')
})

test('CFG-36 CFG-37 CONST-12 an output is added, with the local address, and removed', async () => {
  const { openTab, press, saves, type } = await openConfig({ status: STOPPED })
  await openTab(/^Output Settings/)
  await press('Add output')
  const added = within(screen.getByRole('group', { name: 'Output 2' }))
  expect(document.activeElement).toBe(added.getByLabelText('IP'))
  expect(valueOf(added.getByLabelText('IP'))).toBe('127.0.0.1')
  expect(valueOf(added.getByLabelText('Port'))).toBe('5000')
  expect(valueOf(added.getByLabelText('TTL'))).toBe('12')
  expect(optionsOf(added.getByLabelText('Type'))).toEqual(['UDP', 'RTP'])
  await press('Remove output 1')
  expect(document.activeElement?.textContent).toBe('Add output')
  await type('Port', '5002')
  await press('Save')
  await waitFor(() => expect(saves()).toHaveLength(1))
  expect(saves()).toMatchObject([
    { config: { output: [{ type: 'udp', target: 'udp://127.0.0.1:5002?ttl=12' }] } },
  ])
})

test.each([
  ['CFG-38', /^Audio Settings/, 'Bitrate', '256'],
  ['CFG-39', /^Output Settings/, 'Port', '5000'],
  ['CFG-39', /^Output Settings/, 'TTL', '12'],
])('%s letters do not get into a number', async (_, tab, label, value) => {
  const { openTab, field, user } = await openConfig()
  await openTab(tab)
  const input = await field(label)
  await user.type(input, 'x')
  expect(valueOf(input)).toBe(value)
  screen.getByText('Digits only: type a whole number.')
  await user.type(input, '{Backspace}')
  expect(screen.queryByText('Digits only: type a whole number.')).toBeNull()
})

test('CFG-22 CFG-24 CFG-25 CFG-26 Q76 each of the three calculations is one click, or says why it is impossible', async () => {
  const { choose, field, press } = await openConfig()
  await choose('Video format', '1080i50')
  screen.getByText('372 kbit/s too much for the mux.')
  const audio = screen.getByRole('button', { name: 'Calculate audio' })
  expect(audio.getAttribute('aria-disabled')).toBe('true')
  screen.getByText('Audio bitrate: would be below 0')
  await press('Calculate video')
  expect(valueOf(await field('Bitrate'))).toBe('3668')
  expect(valueOf(await field('VBV max rate'))).toBe('3668')
  expect(screen.queryByText(/too much for the mux/)).toBeNull()
})

test('CFG-40 Q84 a save with faults opens the tab of the first, puts the focus there and marks the tabs', async () => {
  const { openTab, type, press, saves, field } = await openConfig()
  await openTab(/^Audio Settings/)
  await type('PID', '256')
  await openTab(/^Video Settings/)
  await press('Save')
  await screen.findByText('Please check required fields')
  await screen.findByRole('tab', {
    name: /^Audio Settings ?, unsaved changes ?, has errors$/,
    selected: true,
  })
  await waitFor(async () => expect(document.activeElement).toBe(await field('PID')))
  screen.getByText('256 is the PMT PID too. Change one of them.')
  await openTab(/^Mux Settings ?, has errors/)
  screen.getByText('256 is the audio PID too. Change one of them.')
  expect(saves()).toEqual([])
})

test('cards: unusable cards and the owner of each card are named', async () => {
  const host = { ...HOST, taken: [{ cardIdx: 1, title: 'Camera b' }] }
  const { field } = await openConfig({ host })
  await screen.findByRole('option', { name: '0: Test pattern 0' })
  const options = within(await field('Card index')).getAllByRole('option')
  expect(
    options.map((option) => [option.textContent, (option as HTMLOptionElement).disabled]),
  ).toEqual([
    ['0: Test pattern 0', false],
    ['1: Test pattern 1 · taken by Camera b', true],
    ['2: Test pattern 2 · no signal', true],
  ])
})

test('a card that somebody else took is shown at once', async () => {
  const host = { ...HOST, taken: [{ cardIdx: 0, title: 'Camera b' }] }
  await openConfig({ host })
  const fault = await screen.findByText('Card 0 belongs to Camera b. Choose another.')
  expect(fault).toBeDefined()
})

test('CFG-01 for a host that never answered the index is typed', async () => {
  const host = { ...HOST, heardAtMs: null, sources: [], encoders: [], online: false }
  const { type, field } = await openConfig({ host })
  await screen.findByText(/Its host has not answered yet/)
  await type('Card index', '63')
  expect(valueOf(await field('Name'))).toBe('encoder63')
})

test('an error from the API is shown at its field, and disappears when the field is changed', async () => {
  const error = 'Port 5000 is in use by Camera b. Use 5004.'
  const body = { status: false, error, msg: error, field: 'config.output.0.target' }
  const { type, press, openTab, field } = await openConfig({
    prepare: (api) => api.on(updateEncoder).answer(() => refuseOddly(409, body)),
  })
  await type('Keyint', '12')
  await press('Save')
  await screen.findByText(error)
  await waitFor(async () => expect(document.activeElement).toBe(await field('Port')))
  await type('Port', '5004')
  expect(screen.queryByText(error)).toBeNull()
  await openTab(/^Video Settings/)
  expect(valueOf(await field('Keyint'))).toBe('12')
})

test('Q88 a refused save shows its own sentence, else ours, and keeps what was typed', async () => {
  const { type, press, field, pathname, api } = await openConfig({
    prepare: (fake) => fake.on(updateEncoder).answer(() => refuse(403, 'Not yours to save.')),
  })
  await type('Keyint', '12')
  await press('Save')
  await screen.findByText('Not yours to save.')
  api.on(updateEncoder).answer(() => refuseOddly(500, {}))
  await press('Save')
  await screen.findByText('Something went wrong, Please try again')
  expect(valueOf(await field('Keyint'))).toBe('12')
  expect(pathname()).toBe('/dashboard/edit_encoder/a')
})

test('Q90 Save and restart asks first, saves, then restarts', async () => {
  const { type, press, answer, saves, api, pathname } = await openConfig()
  await type('Keyint', '12')
  await screen.findByText('The running encoder is not touched.')
  await press('Save and restart')
  await answer('Keep running')
  expect(saves()).toEqual([])
  await press('Save and restart')
  await answer('Restart encoder')
  await waitFor(() => expect(pathname()).toBe('/'))
  expect(saves()).toHaveLength(1)
  expect(api.askedOf(controlEncoder).map(({ body }) => body)).toEqual([
    { data: { name: 'encoder0', command: 'restart' } },
  ])
})

test('Q90 settings that wait for a restart say so, with the restart beside it', async () => {
  const { press, answer, api } = await openConfig({ status: { waitsForRestart: true } })
  await screen.findByText(/still has the settings from before the last save/)
  await press('Restart')
  await answer('Restart encoder')
  await waitFor(() => expect(api.askedOf(controlEncoder)).toHaveLength(1))
})

test('Q89 leaving with unsaved changes asks, and not without', async () => {
  const { type, user, answer, pathname, field } = await openConfig()
  const back = within(screen.getByRole('main')).getByRole('link', { name: 'Encoders' })
  await type('Keyint', '12')
  await user.click(back)
  await answer('Stay here')
  expect(pathname()).toBe('/dashboard/edit_encoder/a')
  expect(valueOf(await field('Keyint'))).toBe('12')
  await type('Keyint', '25')
  await user.click(back)
  await waitFor(() => expect(pathname()).toBe('/dashboard/managerEncoder'))
})

test('Discard asks, and shows what is saved again', async () => {
  const { type, press, answer, field } = await openConfig()
  await type('Keyint', '12')
  await press('Discard')
  await answer('Discard')
  await waitFor(async () => expect(valueOf(await field('Keyint'))).toBe('25'))
})

test.each(['editor', 'monitor'] as const)('ROLE-11 row O: the page of a %s', async (role) => {
  const { field } = await openConfig({ role })
  const keyint = await field('Keyint')
  const isUsable = role !== 'monitor'
  expect(keyint.closest('fieldset')?.disabled).toBe(!isUsable)
  expect(screen.queryByRole('button', { name: 'Save' }) !== null).toBe(isUsable)
  expect(screen.queryByRole('button', { name: 'Calculate mux' }) !== null).toBe(isUsable)
})

test('ROLE-11 row O a monitor sees that there is nothing to show yet', async () => {
  await openConfig({ role: 'monitor', encoder: encoderOf('a', { config: null }) })
  expect(await screen.findByText('This encoder is not yet configured.')).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
})

test('CFG-05 STORE-04 the flag set by saving a feeder opens the Feeder tab once', async () => {
  storage.feederTab.write(true)
  await openConfig()
  await screen.findByRole('tab', { name: /^Feeder/, selected: true })
  expect(storage.feederTab.read()).toBeNull()
})

test('the tab is part of the address, and arrow keys move between tabs', async () => {
  const { user, router } = await openConfig({ search: '?tab=mux' })
  const mux = await screen.findByRole('tab', { name: /^Mux/, selected: true })
  mux.focus()
  await user.keyboard('{ArrowLeft}')
  const audio = await screen.findByRole('tab', { name: /^Audio/, selected: true })
  expect(document.activeElement).toBe(audio)
  expect(router.state.location.search).toEqual({ tab: 'audio' })
})

test('the text of the configuration marks what will change', async () => {
  const { type, user } = await openConfig()
  await type('Keyint', '12')
  await user.click(screen.getByText('Config text'))
  screen.getByText('1 line changed')
  const line = screen.getByText('"keyint": 12,', { exact: false, selector: 'span' })
  expect(line.dataset).toHaveProperty('changed')
})

test('what the host will do differently is shown before saving', async () => {
  const { choose } = await openConfig()
  await choose('Video format', '1080i50')
  const warnings = within(screen.getByRole('list', { name: 'What the host will do otherwise' }))
  const level = 'Level 4.2 does not allow interlaced pictures; level 4.1 is used.'
  expect(warnings.getByText(level)).toBeDefined()
})

test('NAV-15 an encoder that is not there leads to the dashboard', async () => {
  const { pathname } = await openConfig({
    prepare: (api) => api.on(findEncoder).answer(() => refuse(404, 'Nothing here')),
  })
  await waitFor(() => expect(pathname()).toBe('/'))
})

test('an encoder that cannot be read says so, and is asked for again', async () => {
  let isFailing = true
  const { press } = await openConfig({
    prepare: (api) =>
      api.on(findEncoder).answer(() => {
        const encoder = encoderOf('a')
        return isFailing ? refuse(500, 'No database') : { status: true, data: encoder, encoder }
      }),
  })
  await screen.findByText('The configuration of this encoder could not be read.')
  isFailing = false
  await press('Retry')
  expect(valueOf(await screen.findByLabelText('Title'))).toBe('Demo camera')
})
