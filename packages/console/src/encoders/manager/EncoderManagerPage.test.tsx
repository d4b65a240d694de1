import { act, screen, waitFor, within } from '@testing-library/react'
import { listEncoders, readEncoderStatus } from '@trunkline/contract/encoders/encoder.calls'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import { isAdminLevel } from '@trunkline/contract/roles'
import { afterEach, expect, test, vi } from 'vitest'
import { storage } from '../../lib/storage.ts'
import { refuse } from '../../test/fake-api.ts'
import { FOUND_WITHIN_MS } from '../../test/limits.ts'
import { hostOf } from '../../test/place.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { encoderOf, statusOf } from '../../test/samples.ts'
import { STOPPED } from '../dashboard/dashboard.fixture.ts'
import { answerList, listsOf, openManager } from './manager.fixture.ts'

afterEach(resetConsole)

test('ENC-01 ENC-04 ENC-05 search, group and add; the columns in their order, and what a row says', async () => {
  const { row } = await openManager({
    encoders: [encoderOf('a', { ip: '10.20.4.11', email: 'ob@trunkline.example' })],
    hosts: [hostOf('a')],
    programs: [statusOf('a')],
  })
  const shown = await row('Camera a')
  screen.getByRole('searchbox', { name: 'Search encoders' })
  screen.getByRole('combobox', { name: 'Group' })
  screen.getByRole('button', { name: 'Add encoder' })
  const heads = screen.getAllByRole('columnheader').map((head) => head.textContent)
  expect(heads).toEqual(['Name', 'Title', 'IP', 'port', 'email', 'Group', 'Status', 'Actions'])
  const cells = [...shown.children].map((cell) => cell.textContent)
  expect(cells.slice(0, 6)).toEqual([
    'enc-a',
    'Camera a',
    // What follows the address is a phone's, which has no column for the port.
    '10.20.4.11:8000',
    '8000',
    'ob@trunkline.example',
    'Sports North',
  ])
  await within(shown).findByText('Online')
})

test('ENC-02 ENC-03 twelve rows a page, asked for by page and search', async () => {
  const encoders = Array.from({ length: 14 }, (_, at) => encoderOf(String(at + 1)))
  const { row, user, api } = await openManager({ encoders })
  await row('Camera 12')
  expect(screen.queryByRole('row', { name: /Camera 13/ })).toBeNull()
  const sizes = screen.getByRole('combobox', { name: 'Rows per page' })
  expect(within(sizes).getAllByRole('option')).toHaveLength(1)
  screen.getByText('1–12 of 14')
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  await row('Camera 13')
  expect(listsOf(api).at(-1)).toEqual({
    page: '1',
    rowsPerPage: '12',
    searchValue: '',
    groupId: '',
  })
})

test('ENC-32 three characters search nothing, four do, clearing resets', async () => {
  const { row, user, api } = await openManager({ encoders: [encoderOf('a'), encoderOf('b')] })
  await row('Camera b')
  const box = screen.getByRole('searchbox', { name: 'Search encoders' })
  await user.type(box, 'Cam')
  expect(listsOf(api)).toHaveLength(1)
  await user.type(box, 'era a')
  await waitFor(() => expect(screen.queryByRole('row', { name: /Camera b/ })).toBeNull())
  await user.click(screen.getByRole('button', { name: 'Clear search' }))
  await row('Camera b')
})

test('ENC-31 ROLE-10 a manager starts on the first group; a choice is remembered', async () => {
  const { row, user, api } = await openManager({ role: 'manager' })
  await row('Camera a')
  expect(listsOf(api)[0]).toMatchObject({ groupId: 'north' })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Group' }), 'Sports South')
  await waitFor(() => expect(listsOf(api).at(-1)).toMatchObject({ groupId: 'south' }))
  expect(storage.encoderGroupId.read()).toBe('south')
})

const STATE = /^(Online|Offline|Disabled|Not Configured)/

test('ENC-06 to ENC-10 Q56 the chip shows the state of the host, and the run state beside it that of the encoder', async () => {
  const { row, api } = await openManager({
    encoders: [
      encoderOf('a'),
      encoderOf('b'),
      encoderOf('c'),
      encoderOf('d', { isEnabled: false }),
      encoderOf('e', { config: null }),
    ],
    hosts: [
      hostOf('a'),
      hostOf('b'),
      hostOf('c', { online: false }),
      hostOf('d'),
      hostOf('e', { online: false }),
    ],
    programs: [
      statusOf('a'),
      statusOf('b', STOPPED),
      statusOf('c', { state: 'unreachable' }),
      statusOf('d', STOPPED),
    ],
  })
  const stateText = async (title: string) => {
    const shown = await row(title)
    return within(shown).getByRole('button', { name: STATE }).parentElement?.textContent
  }
  await within(await row('Camera a')).findByText('Running')
  expect(await stateText('Camera a')).toBe('Online, Running')
  expect(await stateText('Camera b')).toBe('Online, Stopped')
  expect(await stateText('Camera c')).toMatch(/^Offlinehost unreachable1:0\d$/)
  expect(await stateText('Camera d')).toBe('Disabled')
  expect(await stateText('Camera e')).toBe('Not Configured')
  // Pushed: nobody was asked.
  expect(api.askedOf(readEncoderStatus)).toEqual([])
  api.stream.push({ event: 'host', data: hostOf('c', { kind: 'encoder' }) })
  api.stream.push({ event: 'program', data: statusOf('c') })
  await within(await row('Camera c')).findByText('Online')
})

test('Q56 the tooltip explains both states, by keyboard too', async () => {
  const { row } = await openManager({ hosts: [hostOf('a')], programs: [statusOf('a', STOPPED)] })
  const shown = await row('Camera a')
  await within(shown).findByText('Stopped')
  within(shown).getByRole('button', { name: STATE }).focus()
  const text = 'Online: its host answers. Stopped: what the encoder does there.'
  expect(await screen.findByText(text)).toBeDefined()
})

test.each<[string, Partial<ProgramStatus>, string, RegExp]>([
  [
    'a change on the host',
    { changedByHand: 'Stopped on the host.' },
    'changed by hand',
    /^Stopped/,
  ],
  [
    'settings not yet used',
    { waitsForRestart: true },
    'waiting for restart',
    /^It still runs with/,
  ],
  [
    'settings not yet taken',
    { waitsForHost: true },
    'waiting for host',
    /^The host does not answer/,
  ],
])(
  'decisions 9 %s: shown in short in its row, in full on focus',
  async (_, parts, word, sentence) => {
    const { row } = await openManager({ hosts: [hostOf('a')], programs: [statusOf('a', parts)] })
    const note = await within(await row('Camera a')).findByRole('button', { name: word })
    act(() => note.focus())
    expect((await screen.findByRole('tooltip')).textContent).toMatch(sentence)
  },
)

test('a crash loop is never shown as running, and its last log line is in the tooltip', async () => {
  const parts = { state: 'backoff', cause: 'no such device', startedAtMs: null } as const
  const { row } = await openManager({ hosts: [hostOf('a')], programs: [statusOf('a', parts)] })
  const shown = await row('Camera a')
  await within(shown).findByText('Error')
  expect(within(shown).queryByText('Running')).toBeNull()
  within(shown).getByText(/^1:0\d$/)
  const states = within(shown).getByRole('button', { name: STATE })
  act(() => states.focus())
  expect((await screen.findByRole('tooltip')).textContent).toContain('no such device')
})

test('ENC-10 ENC-34 without push each encoder is polled, except disabled and unconfigured ones; leaving aborts', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const answered = encoderOf('a')
  const { row, api, router } = await openManager({
    encoders: [
      answered,
      encoderOf('b'),
      encoderOf('c', { isEnabled: false }),
      encoderOf('d', { config: null }),
    ],
    hosts: [hostOf('a'), hostOf('b')],
    programs: [statusOf('a'), statusOf('b')],
    prepare: (fake) =>
      fake
        .on(readEncoderStatus)
        .answer(async ({ path }) =>
          path.endsWith('/a')
            ? { status: false, results: '', error: 'It is away.', state: 'unreachable' as const }
            : new Promise<never>(() => {}),
        ),
  })
  await within(await row('Camera a')).findByText('Online')
  api.stream.end()
  // However slow the machine: time goes on until both were asked.
  while (api.askedOf(readEncoderStatus).length < 2) {
    // oxlint-disable-next-line no-await-in-loop -- one second after the other
    await vi.advanceTimersByTimeAsync(1000)
  }
  await within(await row('Camera a')).findByText('Offline')
  const paths = api.askedOf(readEncoderStatus).map((item) => item.path)
  expect(paths.toSorted()).toEqual([
    '/api/encoder/getServiceStatus/a',
    '/api/encoder/getServiceStatus/b',
  ])
  const [pending] = api.askedOf(readEncoderStatus).filter((item) => item.path.endsWith('/b'))
  expect(pending?.signal?.aborted).toBe(false)
  await router.navigate({ to: '/dashboard/channel' })
  await vi.waitFor(() => expect(pending?.signal?.aborted).toBe(true), FOUND_WITHIN_MS)
})

test.each(['admin', 'manager', 'editor', 'monitor'] as const)(
  'ROLE-11 I, J, L to O, AO: what a %s is offered',
  async (role) => {
    const { row, menuOf } = await openManager({ role })
    const shown = await row('Camera a')
    const isManaging = role !== 'editor' && role !== 'monitor'
    const word = role === 'monitor' ? 'View config' : 'Edit Config'
    within(shown).getByRole('link', { name: `${word}: Camera a` })
    expect(screen.queryByRole('button', { name: 'Add encoder' }) !== null).toBe(isManaging)
    const menu = await menuOf('Camera a')
    const managing = ['Disable', 'Edit Encoder', 'Add Users', 'Clone', 'Carry this encoder to…']
    expect(menu.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([
      ...(isManaging ? managing : []),
      ...(isAdminLevel(role) ? ['Secure connection'] : []),
      'Signal path',
      ...(role === 'monitor' ? [] : ['Put on air…', 'Schedules…']),
      ...(isManaging ? ['Delete config', 'Remove Encoder'] : []),
    ])
  },
)

test('ENC-13 NAV-09 Edit Config leads through edit_encoder', async () => {
  const { row } = await openManager({})
  const link = within(await row('Camera a')).getByRole('link', { name: 'Edit Config: Camera a' })
  expect(link.getAttribute('href')).toBe('/dashboard/edit_encoder/a')
})

test('by keyboard: j and k walk the rows, the menu opens, its arrows stay in it, Escape gives back', async () => {
  const { row, user } = await openManager({ encoders: [encoderOf('a'), encoderOf('b')] })
  await row('Camera b')
  const focused = () => document.activeElement?.getAttribute('aria-label')
  await user.keyboard('jj')
  expect(focused()).toBe('Edit Config: Camera b')
  await user.tab()
  expect(focused()).toBe('More for Camera b')
  await user.keyboard('{Enter}')
  await screen.findByRole('menu', { name: 'More for Camera b' })
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Disable'))
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement?.textContent).toBe('Edit Encoder')
  // Letters find items here; on the page behind they are commands.
  await user.keyboard('r')
  expect(document.activeElement?.textContent).toBe('Remove Encoder')
  await user.keyboard('/')
  expect(document.activeElement?.textContent).toBe('Remove Encoder')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  expect(focused()).toBe('More for Camera b')
})

test('an empty list says so, and n adds the first', async () => {
  const { user } = await openManager({ encoders: [] })
  await screen.findByText('No encoders here')
  await user.keyboard('n')
  expect(await screen.findByRole('dialog', { name: 'Add encoder' })).toBeDefined()
})

test('ERR-03 an empty list and a search without matches each show a message', async () => {
  const { user } = await openManager({ encoders: [] })
  await screen.findByText('No encoders here')
  await user.type(screen.getByRole('searchbox', { name: 'Search encoders' }), 'zzzz')
  expect(await screen.findByText("Nothing matches 'zzzz'")).toBeDefined()
})

test('ERR-03 a list that could not be read says so, and can be asked again', async () => {
  const { user, api, row } = await openManager({
    prepare: (fake) => fake.on(listEncoders).answer(() => refuse(500, 'The database is away.')),
  })
  await screen.findByText('The list of encoders could not be read.')
  answerList(api, [encoderOf('a')])
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await row('Camera a')).toBeDefined()
})
