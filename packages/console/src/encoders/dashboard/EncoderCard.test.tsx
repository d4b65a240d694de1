import { act, waitFor, within } from '@testing-library/react'
import {
  controlEncoder,
  readEncoderStatus,
  type EncoderCommandResult,
} from '@trunkline/contract/encoders/encoder.calls'
import { SILENT_HOST } from '@trunkline/contract/program-state'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import { afterEach, expect, test, vi } from 'vitest'
import type { FakeApi } from '../../test/fake-api.ts'
import { answerQuestion, resetConsole } from '../../test/render-console.tsx'
import { configSample, encoderOf, statusOf } from '../../test/samples.ts'
import { answerCommands, commandsOf, openDashboard, STOPPED } from './dashboard.fixture.ts'

afterEach(() => {
  vi.useRealTimers()
  resetConsole()
})

/** Ends the live stream, and lets pass the 4 to 5 s until what it sent counts as old. */
async function loseStream({ stream }: FakeApi): Promise<void> {
  stream.end()
  await act(async () => vi.advanceTimersByTimeAsync(5000))
}

test.each([
  ['STATE-02', { status: true, results: 'encoder0 RUNNING pid 7' }, 'Running', 'media not read'],
  ['STATE-04', { status: true, results: 'encoder0 STOPPED' }, 'Stopped', null],
  ['Q93', { status: true, results: 'encoder0 STOPPED (FATAL no card)' }, 'Error', 'no card'],
  [
    'Q58',
    { status: false, results: '', error: 'It is away.' },
    'Offline',
    'host unreachable: It is away.',
  ],
])('%s a status with the specified fields alone: %j reads %s', async (_, reply, word, cause) => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { card, api } = await openDashboard({
    programs: [],
    prepare: (fake) => fake.on(readEncoderStatus).answer(() => reply),
  })
  const shown = await card('Camera a')
  await loseStream(api)
  if (cause !== null) await within(shown).findByText(cause)
  expect(await within(shown).findByText(word)).toBeDefined()
})

test('DASH-08 to DASH-14 a card says what is set and what is measured', async () => {
  const { card } = await openDashboard({
    programs: [statusOf('a', { startedAtMs: Date.now() - 251_000 })],
  })
  const shown = await card('Camera a')
  await within(shown).findByText('Running')
  within(shown).getByRole('img', { name: 'active' })
  within(shown).getByText('pal')
  expect(shown.textContent).toContain('H.264 + mp2')
  expect(shown.textContent).toContain('Mux 1,850 kbit/s cbr')
  within(shown).getByText('1,846')
  await within(shown).findByText(/^[4-9]:\d\d$/)
  within(shown).getByText('Sports North')
})

test('DASH-09 DASH-13 down, and vbr', async () => {
  const config = { ...configSample, muxer: { ...configSample.muxer, cbr: 0 as const } }
  const { card } = await openDashboard({
    encoders: [encoderOf('a', { config })],
    programs: [statusOf('a', STOPPED)],
  })
  const shown = await card('Camera a')
  await within(shown).findByText('Stopped')
  within(shown).getByRole('img', { name: 'down' })
  expect(shown.textContent).toContain('Mux 1,850 kbit/s vbr')
})

test('decisions 9, 20 unexpected restarts are counted, and waiting settings are shown', async () => {
  const { card, api } = await openDashboard({
    programs: [statusOf('a', { restarts: 2, cause: 'killed', waitsForRestart: true })],
  })
  const shown = await card('Camera a')
  await within(shown).findByText('2 restarts')
  within(shown).getByRole('button', { name: 'waiting for restart' })
  api.stream.push({ event: 'program', data: statusOf('a') })
  await waitFor(() => expect(within(shown).queryByText('2 restarts')).toBeNull())
  expect(within(shown).queryByText('waiting for restart')).toBeNull()
})

test.each<[string, Partial<ProgramStatus>, string, string, boolean]>([
  [
    'settings the host has not taken',
    { state: 'unreachable', waitsForHost: true },
    'waiting for host',
    'The host does not answer, so it has not taken the saved settings yet. It takes them when it is back.',
    false,
  ],
  [
    'settings the process has not taken',
    { waitsForRestart: true },
    'waiting for restart',
    'It still runs with the settings from before the last save. Restart it to use the saved ones.',
    true,
  ],
  [
    'a change on the host',
    { changedByHand: 'Its command was changed on the host.', waitsForRestart: true },
    'changed by hand',
    'Its command was changed on the host. It still runs with the settings from before the last save. Restart it to use the saved ones.',
    true,
  ],
])(
  'decisions 9 %s: shown in short, in full on focus, Restart marked where it solves it',
  async (_, parts, word, sentence, isSolvedByRestart) => {
    const { card, screen } = await openDashboard({ programs: [statusOf('a', parts)] })
    const shown = await card('Camera a')
    const note = await within(shown).findByRole('button', { name: word })
    act(() => note.focus())
    await screen.findByText(sentence)
    const restart = within(shown).getByRole('button', { name: 'Restart Camera a' })
    expect(restart.getAttribute('data-tone')).toBe(isSolvedByRestart ? 'primary' : 'plain')
  },
)

const LINE = '[decklink] Cannot open card 3: no such device'
const LONG_AGO_MS = Date.parse('2026-01-02T13:58:25Z')

test.each<[string, Partial<ProgramStatus>, string, string]>([
  ['a crash loop', { state: 'backoff' }, 'Error', LINE],
  ['a start that is given up', { state: 'fatal' }, 'Error', LINE],
  ['a start that is overdue', { state: 'starting' }, 'Error', LINE],
  ['a death', { state: 'exited' }, 'Stopped', `should run: ${LINE}`],
  ['a stop nobody wanted', { state: 'stopped' }, 'Stopped', `should run: ${LINE}`],
  ['a program that is gone', { state: 'absent' }, 'Offline', `not installed: ${LINE}`],
])(
  '%s never reads as running, and says since when and its last line',
  async (_, parts, word, cause) => {
    const dead = { wanted: 'running', startedAtMs: null, pid: null, reading: null } as const
    const { card, screen } = await openDashboard({
      programs: [statusOf('a', { ...dead, sinceMs: LONG_AGO_MS, cause: LINE, ...parts })],
    })
    const shown = await card('Camera a')
    await within(shown).findByText(word)
    expect(within(shown).queryByText('Running')).toBeNull()
    within(shown).getByRole('img', { name: 'down' })
    within(shown).getByText(/^\d+ d \d\d:\d\d$/)
    within(shown).getByText('No picture since 13:58:25')
    const causeButton = within(shown).getByRole('button', { name: cause })
    act(() => causeButton.focus())
    const hint = await screen.findByRole('tooltip')
    expect(hint.textContent).toContain('since 13:58:25 UTC')
    expect(hint.textContent).toContain(LINE)
  },
)

test('a host that no longer answers is shown with its last known state', async () => {
  const sinceMs = Date.now() - 10_000
  const { card } = await openDashboard({
    programs: [
      statusOf('a', {
        state: 'unreachable',
        sinceMs,
        startedAtMs: sinceMs - 3_600_000,
        cause: SILENT_HOST,
        waitsForRestart: true,
      }),
    ],
  })
  const shown = await card('Camera a')
  await within(shown).findByText('was 1:00:00')
  within(shown).getByRole('button', { name: 'host unreachable' })
  expect(within(shown).queryByText('waiting for restart')).toBeNull()
  expect(within(shown).queryByRole('button', { name: 'Stop Camera a' })).toBeNull()
})

test('DASH-25 an encoder without a configuration has a card too', async () => {
  const { card, user, api, screen } = await openDashboard({
    encoders: [encoderOf('a', { config: null })],
  })
  const shown = await card('Camera a')
  await within(shown).findByText('Not Configured')
  for (const name of ['Start Camera a', 'Restart Camera a', 'Log of Camera a']) {
    await user.click(within(shown).getByRole('button', { name }))
    await screen.findByText('This encoder is not yet configured.')
  }
  expect(commandsOf(api)).toEqual([])
})

test('DASH-18 the title leads to the configuration, through editEncoder', async () => {
  const { card } = await openDashboard({})
  const link = within(await card('Camera a')).getByRole('link', { name: 'Camera a' })
  expect(link.getAttribute('href')).toBe('/dashboard/editEncoder/a')
})

test('the menu of a card leads to the signal path', async () => {
  const { card, user, router, screen } = await openDashboard({})
  await user.click(
    within(await card('Camera a')).getByRole('button', { name: 'More for Camera a' }),
  )
  await user.click(await screen.findByRole('menuitem', { name: 'Signal path' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard/path/encoder/a'))
})

test('DASH-19 stop asks; keeping it sends nothing, stopping it sends one command', async () => {
  const { card, user, api, screen } = await openDashboard({
    programs: [statusOf('a')],
    prepare: answerCommands({ status: true, results: 'encoder0 STOPPED', state: 'stopped' }),
  })
  const stop = await within(await card('Camera a')).findByRole('button', { name: 'Stop Camera a' })
  await user.click(stop)
  await user.click(await screen.findByRole('button', { name: 'Keep running' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(commandsOf(api)).toEqual([])
  await user.click(stop)
  const dialog = await screen.findByRole('dialog', { name: 'Are you sure?' })
  await user.click(within(dialog).getByRole('button', { name: 'Stop encoder' }))
  await screen.findByText('Action worked success')
  expect(commandsOf(api)).toEqual([{ data: { name: 'encoder0', command: 'stop' } }])
})

test('DASH-15 DASH-16 the button follows the pushed state; restart needs a running encoder', async () => {
  const { card, user, api, screen } = await openDashboard({
    programs: [statusOf('a', STOPPED)],
    prepare: answerCommands({ status: true, results: 'encoder0 RUNNING', state: 'running' }),
  })
  const shown = await card('Camera a')
  const restart = await within(shown).findByRole('button', { name: 'Restart Camera a' })
  await within(shown).findByText('Stopped')
  expect(restart.getAttribute('aria-disabled')).toBe('true')
  await user.click(restart)
  await user.click(within(shown).getByRole('button', { name: 'Start Camera a' }))
  await screen.findByText('Action worked success')
  api.stream.push({ event: 'program', data: statusOf('a') })
  await within(shown).findByRole('button', { name: 'Stop Camera a' })
  await user.click(within(shown).getByRole('button', { name: 'Restart Camera a' }))
  await screen.findByText('Its outputs lose the stream for a few seconds.')
  expect(commandsOf(api)).toHaveLength(1)
  await answerQuestion('Restart encoder')
  await waitFor(() => expect(commandsOf(api)).toHaveLength(2))
  expect(commandsOf(api)).toEqual([
    { data: { name: 'encoder0', command: 'start' } },
    { data: { name: 'encoder0', command: 'restart' } },
  ])
})

test('DLG-14 while a command is under way its card is busy and its buttons are disabled', async () => {
  const answer = Promise.withResolvers<EncoderCommandResult>()
  const { card, user, api } = await openDashboard({
    programs: [statusOf('a')],
    prepare: (fake) => fake.on(controlEncoder).answer(async () => answer.promise),
  })
  const shown = await card('Camera a')
  const restart = await within(shown).findByRole('button', { name: 'Restart Camera a' })
  await waitFor(() => expect(restart.getAttribute('aria-disabled')).toBeNull())
  await user.click(restart)
  await answerQuestion('Restart encoder')
  await waitFor(() => expect(shown.getAttribute('aria-busy')).toBe('true'))
  await user.click(within(shown).getByRole('button', { name: 'Restart Camera a' }))
  answer.resolve({ status: true, results: 'encoder0 RUNNING', state: 'running' })
  await waitFor(() => expect(shown.getAttribute('aria-busy')).toBe('false'))
  expect(commandsOf(api)).toHaveLength(1)
})

test.each<[string, EncoderCommandResult, string]>([
  ['nothing', { status: false, results: '' }, "Don't get any response"],
  [
    'an error of the host',
    { status: false, results: '', error: 'The host does not answer.' },
    'The host does not answer.',
  ],
  [
    'a start that failed',
    { status: true, results: 'encoder0 STOPPED (FATAL no such card)', state: 'fatal' },
    'encoder0 STOPPED (FATAL no such card)',
  ],
])('DASH-21 Q59 the host answers %s', async (_, result, sentence) => {
  const { card, user, screen } = await openDashboard({
    programs: [statusOf('a', STOPPED)],
    prepare: answerCommands(result),
  })
  const shown = await card('Camera a')
  await within(shown).findByText('Stopped')
  await user.click(within(shown).getByRole('button', { name: 'Start Camera a' }))
  await screen.findByText(sentence)
  expect(screen.queryByText('Action worked success')).toBeNull()
})

test('decisions 15 a restart has not failed when the encoder is still stopping as the host answers', async () => {
  const { card, user, screen, api } = await openDashboard({
    programs: [statusOf('a', { waitsForRestart: true })],
    prepare: answerCommands({
      status: true,
      results: 'encoder0 STOPPED (STOPPING)',
      state: 'stopping',
    }),
  })
  const shown = await card('Camera a')
  await within(shown).findByRole('button', { name: 'waiting for restart' })
  await user.click(within(shown).getByRole('button', { name: 'Restart Camera a' }))
  await answerQuestion('Restart encoder')
  await screen.findByText('Action worked success')
  screen.getByText('Camera a: stopping, will restart')
  api.stream.push({
    event: 'program',
    data: statusOf('a', { state: 'stopping', waitsForRestart: true }),
  })
  await within(shown).findByText('Stopping')
  expect(within(shown).queryByText('waiting for restart')).toBeNull()
})

test('DASH-21 a command whose host does not answer', async () => {
  const { card, user, screen, api } = await openDashboard({ programs: [statusOf('a', STOPPED)] })
  const shown = await card('Camera a')
  await within(shown).findByText('Stopped')
  api.setReachable(false)
  await user.click(within(shown).getByRole('button', { name: 'Start Camera a' }))
  await screen.findByText("Don't get any response")
  expect(shown.getAttribute('aria-busy')).toBe('false')
})

test('Q33 a monitor sees the commands, and is refused', async () => {
  const { card, user, screen, api } = await openDashboard({
    role: 'monitor',
    programs: [statusOf('a')],
  })
  const shown = await card('Camera a')
  await user.click(await within(shown).findByRole('button', { name: 'Stop Camera a' }))
  await screen.findByText('You are not authorized to perform this action!')
  expect(commandsOf(api)).toEqual([])
})

test('DASH-17 DLG-12 the log opens as plain text', async () => {
  const results = '[info] mux 1850000\n[error] <b>no signal</b>'
  const { card, user, screen, api } = await openDashboard({
    role: 'monitor',
    programs: [statusOf('a')],
    prepare: answerCommands({ status: true, results }),
  })
  await user.click(
    await within(await card('Camera a')).findByRole('button', { name: 'Log of Camera a' }),
  )
  const dialog = await screen.findByRole('dialog', { name: 'Encoder logs' })
  const log = await within(dialog).findByRole('log')
  await within(log).findByText('<b>no signal</b>')
  expect(commandsOf(api)[0]).toEqual({ data: { name: 'encoder0', command: 'tail' } })
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('Q64 DASH-14 while nothing is pushed the status is asked for, and proves the process only', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { card, api } = await openDashboard({
    programs: [statusOf('a', STOPPED)],
    prepare: (fake) =>
      fake.on(readEncoderStatus).answer(() => ({
        status: true,
        results: 'encoder0 RUNNING pid 7, uptime 0:12:34',
        state: 'running',
      })),
  })
  const shown = await card('Camera a')
  await within(shown).findByText('Stopped')
  expect(api.askedOf(readEncoderStatus)).toHaveLength(0)
  await loseStream(api)
  await within(shown).findByText('media not read')
  within(shown).getByText('0:12:34')
})
