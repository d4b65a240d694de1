import { screen, waitFor, within } from '@testing-library/react'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import { readFeederStatus, removeFeeder } from '@trunkline/contract/encoders/feeder.calls'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import { NOT_AUTHORIZED } from '@trunkline/contract/roles'
import { afterEach, expect, test } from 'vitest'
import { storage } from '../../lib/storage.ts'
import { refuse, refuseOddly, type FakeApi } from '../../test/fake-api.ts'
import { STOPPED } from '../../test/link.samples.ts'
import { answerQuestion, resetConsole } from '../../test/render-console.tsx'
import { statusOf } from '../../test/samples.ts'
import { feederOf, feederStatusOf, fedBy, openFeeders } from './feeder.fixture.ts'

afterEach(resetConsole)

const WEST = feederOf('west')

function commandsOf(api: FakeApi) {
  return api
    .askedOf(contributionAction)
    .map(({ body }) => body as { actionType: string })
    .filter(({ actionType }) => actionType !== 'tail')
}

test('FEED-01 FEED-03 the table of feeders: its columns, and what a row says', async () => {
  const { row, tab } = await openFeeders({
    encoder: fedBy([WEST]),
    programs: [feederStatusOf('west')],
  })
  const shown = await row('to west')
  for (const head of ['Status', 'Title', 'Input', 'Target', 'Latency', 'Uptime', 'Actions']) {
    within(tab).getByRole('columnheader', { name: head })
  }
  await within(shown).findByText('Running')
  within(shown).getByText('udp 127.0.0.1:5000')
  within(shown).getByText('srt 203.0.113.20:6022')
  within(shown).getByText('3000 ms')
  const names = within(shown)
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label'))
  expect(names).toEqual([
    'Expand to west',
    'Stop to west',
    'Restart to west',
    'Log of to west',
    'Edit to west',
    'Delete to west',
  ])
})

test('a link to a feeder shows its page of the table and opens its row', async () => {
  const feeders = Array.from({ length: 13 }, (_, at) => feederOf(`f${at + 10}`, 5000 + 2 * at))
  const { tab } = await openFeeders({ encoder: fedBy(feeders), opened: 'f22' })
  const expander = await within(tab).findByRole('button', { name: 'Collapse to f22' })
  expect(expander.getAttribute('aria-expanded')).toBe('true')
})

test('FEED-01 CONST-03 12, 28 or 56 rows, 12 at first; 13 feeders are two pages', async () => {
  const feeders = Array.from({ length: 13 }, (_, at) => feederOf(`f${at + 10}`, 5000 + 2 * at))
  const { tab, row, user } = await openFeeders({ encoder: fedBy(feeders) })
  await row('to f10')
  const size = within(tab).getByRole<HTMLSelectElement>('combobox', { name: 'Rows per page' })
  expect([...size.options].map((option) => option.text)).toEqual(['12', '28', '56'])
  expect(within(tab).getAllByRole('button', { name: /^Expand/ })).toHaveLength(12)
  await user.click(within(tab).getByRole('button', { name: 'Next page' }))
  await row('to f22')
  await user.selectOptions(size, '28')
  await row('to f10')
  expect(within(tab).getAllByRole('button', { name: /^Expand/ })).toHaveLength(13)
})

test.each<[string, Partial<ProgramStatus>, string, string]>([
  ['stopped by a person', STOPPED, 'Stopped', 'Start'],
  ['it fails again and again', { state: 'backoff', cause: 'no route' }, 'Error', 'Stop'],
  ['it cannot be started', { state: 'fatal', cause: 'no route' }, 'Error', 'Start'],
  ['the host is silent', { state: 'unreachable' }, 'Offline', 'Start'],
  ['its target is gone', { peer: 'disconnected' }, 'Running', 'Stop'],
])('FEED-05 FEED-06 %s', async (_, status, word, offered) => {
  const { row } = await openFeeders({
    encoder: fedBy([WEST]),
    programs: [feederStatusOf('west', status)],
  })
  const shown = await row('to west')
  expect(await within(shown).findByText(word)).toBeDefined()
  within(shown).getByRole('button', { name: `${offered} to west` })
})

test('FEED-07 Q93 without push each row is asked for; a failed answer never reads as running', async () => {
  const { row, api } = await openFeeders({
    encoder: fedBy([WEST, feederOf('east', 5002)]),
    prepare: (fake) =>
      fake.on(readFeederStatus).answer(({ path }) =>
        path === '/api/encoder/acanfeeder/status/a/west'
          ? {
              status: true,
              results: 'west RUNNING pid 7, uptime 5 days, 7:18:14',
              state: 'running',
            }
          : refuse(502, 'no'),
      ),
  })
  await row('to west')
  api.stream.end()
  await within(await row('to west')).findByText('5 days, 7:18:14')
  await within(await row('to east')).findByText('status not read')
  expect(within(await row('to east')).queryByText('Running')).toBeNull()
})

test('FEED-08 FEED-09 stop and restart ask first, and say how it went', async () => {
  const { row, user, api } = await openFeeders({
    encoder: fedBy([WEST]),
    programs: [feederStatusOf('west')],
  })
  const shown = await row('to west')
  await within(shown).findByText('Running')
  await user.click(within(shown).getByRole('button', { name: 'Stop to west' }))
  const question = await screen.findByRole('dialog', { name: 'Are you sure?' })
  expect(commandsOf(api)).toEqual([])
  await user.click(within(question).getByRole('button', { name: 'Stop feeder' }))
  await screen.findByText('Action worked success')
  await user.click(within(shown).getByRole('button', { name: 'Restart to west' }))
  await screen.findByText(/gets no stream for a few seconds\.$/)
  await answerQuestion('Restart feeder')
  await waitFor(() => expect(commandsOf(api)).toHaveLength(2))
  expect(commandsOf(api)).toEqual([
    { id: 'a', type: 10, actionType: 'stop', feederName: 'west' },
    { id: 'a', type: 10, actionType: 'restart', feederName: 'west' },
  ])
})

test.each<[string, (api: FakeApi) => void, string]>([
  [
    'FEED-09 the words of the host',
    (api) =>
      api
        .on(contributionAction)
        .answer(() => ({ status: false, results: '', error: 'The port is in use.' })),
    'The port is in use.',
  ],
  [
    'ERR-17 without a word',
    (api) => api.on(contributionAction).answer(() => refuseOddly(500, {})),
    'Something went wrong',
  ],
])('%s', async (_, prepare, sentence) => {
  const { row, user } = await openFeeders({
    encoder: fedBy([WEST]),
    programs: [feederStatusOf('west', STOPPED)],
    prepare,
  })
  const shown = await row('to west')
  await within(shown).findByText('Stopped')
  await user.click(within(shown).getByRole('button', { name: 'Start to west' }))
  expect(await screen.findByText(sentence)).toBeDefined()
})

test.each([
  ['CONNECTED', 'connected', '00:00:01 SRT target connected\n1316 bytes lost, 5 bytes sent'],
  ['DISCONNECTED', 'disconnected', 'SRT target connected\n00:00:09 SRT target disconnected'],
  ['No peer yet', '', 'Media path: …'],
  // What an earlier process wrote does not speak of this one.
  ['No peer yet', '', 'SRT target connected\n--- Started 2026-11-23T06:00:00Z (pid 7)'],
] as const)(
  'FEED-02 FEED-10 FEED-12 Q95 an opened row: TARGET STATUS: %s',
  async (word, peer, log) => {
    const { row, user, api } = await openFeeders({
      encoder: fedBy([WEST]),
      programs: [feederStatusOf('west', { peer })],
      log,
    })
    await user.click(within(await row('to west')).getByRole('button', { name: 'Expand to west' }))
    const targetStatus = await screen.findByRole('group', { name: 'Target status' })
    await waitFor(() => expect(targetStatus.textContent).toContain(`TARGET STATUS: ${word}`))
    const line = log.split('\n').findLast((part) => part.includes('connected'))
    if (peer !== '' && line !== undefined) await within(targetStatus).findByText(line)
    expect(api.askedOf(contributionAction)[0]?.body).toEqual({
      id: 'a',
      type: 10,
      actionType: 'tail',
      feederName: 'west',
    })
  },
)

test('an opened row measures the link', async () => {
  const { row, user } = await openFeeders({
    encoder: fedBy([WEST]),
    programs: [feederStatusOf('west')],
  })
  await user.click(within(await row('to west')).getByRole('button', { name: 'Expand to west' }))
  await within(await screen.findByRole('group', { name: 'Sent' })).findByText('4,488')
  within(screen.getByRole('group', { name: 'RTT' })).getByText('18')
  within(screen.getByRole('group', { name: 'Retransmitted' })).getByText('2.0')
  const lost = within(screen.getByRole('group', { name: 'Dropped' }))
  lost.getByText('–')
  expect(lost.getByText('not known at this end: see the receiving end')).toBeDefined()
})

test('decisions 11: a feeder that the running encoder does not feed says so, and offers its restart', async () => {
  const { row, user, api } = await openFeeders({
    encoder: fedBy([WEST]),
    programs: [
      statusOf('a', { waitsForRestart: true }),
      feederStatusOf('west', { reading: null, peer: 'disconnected' }),
    ],
  })
  await user.click(within(await row('to west')).getByRole('button', { name: 'Expand to west' }))
  const trouble = await screen.findByRole('group', { name: 'What to correct' })
  within(trouble).getByText('The running encoder does not send to port 5000 yet.')
  await user.click(within(trouble).getByRole('button', { name: 'Restart encoder' }))
  await answerQuestion('Restart encoder')
  await waitFor(() =>
    expect(api.asked.filter(({ path }) => path.endsWith('/controlApi/a'))).toHaveLength(1),
  )
  expect(api.asked.find(({ path }) => path.endsWith('/controlApi/a'))?.body).toEqual({
    data: { name: 'encoder0', command: 'restart' },
  })
})

test('FEED-24 CFG-05 delete asks; the table follows the answer, and the page reopens here', async () => {
  const left = fedBy([feederOf('east', 5002)], { version: 2 })
  const { row, user, tab, api } = await openFeeders({
    encoder: fedBy([WEST, feederOf('east', 5002)]),
    programs: [feederStatusOf('west')],
    prepare: (fake) =>
      fake.on(removeFeeder).answer(() => ({ ...left, status: true, data: left, encoder: left })),
  })
  await user.click(within(await row('to west')).getByRole('button', { name: 'Delete to west' }))
  const question = await screen.findByRole('dialog', { name: 'Are you sure?' })
  expect(api.askedOf(removeFeeder)).toEqual([])
  await user.click(within(question).getByRole('button', { name: 'Delete feeder' }))
  await waitFor(() => expect(within(tab).queryByText('to west')).toBeNull())
  await row('to east')
  expect(api.askedOf(removeFeeder).map(({ path }) => path)).toEqual([
    '/api/encoder/acanfeeder/delete/a/west',
  ])
  expect(storage.feederTab.read()).toBe(true)
})

test('FEED-25 ERR-16 a delete that fails leaves the row', async () => {
  const { row, user } = await openFeeders({
    encoder: fedBy([WEST]),
    prepare: (fake) => fake.on(removeFeeder).answer(() => refuseOddly(500, {})),
  })
  await user.click(within(await row('to west')).getByRole('button', { name: 'Delete to west' }))
  const question = await screen.findByRole('dialog', { name: 'Are you sure?' })
  await user.click(within(question).getByRole('button', { name: 'Delete feeder' }))
  await screen.findByText('An error occurred when deleting feeder')
  expect(await row('to west')).toBeDefined()
})

test('FEED-15 FEED-16 ERR-18 without a saved configuration no feeder can be added, and the reason is shown', async () => {
  const { tab, user } = await openFeeders({ encoder: fedBy([], { config: null }) })
  expect(
    within(tab).getByText('Please save the encoder config before adding a Feeder'),
  ).toBeDefined()
  const add = within(tab).getByRole('button', { name: 'Add feeder' })
  expect(add.getAttribute('aria-disabled')).toBe('true')
  await user.click(add)
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('ROLE-11 P Q R a monitor reads, is refused stopping, and edits nothing', async () => {
  const { row, tab, user, api } = await openFeeders({
    role: 'monitor',
    encoder: fedBy([WEST]),
    programs: [feederStatusOf('west')],
  })
  const shown = await row('to west')
  await within(shown).findByText('Running')
  for (const name of ['Edit to west', 'Delete to west', 'Add feeder']) {
    expect(within(tab).queryByRole('button', { name }), name).toBeNull()
  }
  await user.click(within(shown).getByRole('button', { name: 'Stop to west' }))
  await screen.findByText(NOT_AUTHORIZED)
  expect(commandsOf(api)).toEqual([])
  await user.click(within(shown).getByRole('button', { name: 'Log of to west' }))
  expect(await screen.findByRole('dialog', { name: 'Feeder log' })).toBeDefined()
})

test('Q65 the feeders of a disabled encoder are switched off, with the reason', async () => {
  const { row, user, api } = await openFeeders({
    encoder: fedBy([WEST], { isEnabled: false }),
    programs: [feederStatusOf('west', STOPPED)],
  })
  const shown = await row('to west')
  within(shown).getByText('Disabled')
  const start = within(shown).getByRole('button', { name: 'Start to west' })
  expect(start.getAttribute('aria-disabled')).toBe('true')
  await user.click(start)
  expect(commandsOf(api)).toEqual([])
})
