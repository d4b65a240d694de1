import { act, screen, waitFor, within } from '@testing-library/react'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import type { Observed, PeerFacts } from '@trunkline/contract/fleet/observed.schema'
import { listServers } from '@trunkline/contract/servers/server.calls'
import { afterEach, expect, test } from 'vitest'
import { linkReadingOf, linkStatusOf, outputOf } from '../../test/link.samples.ts'
import { serverOf } from '../../test/place.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { actionsOf, openContributions as open } from '../contributions.fixture.ts'

afterEach(resetConsole)

const PEER: PeerFacts = {
  sinceMs: Date.now() - 42_000,
  address: '203.0.113.5:4512',
  latencyMs: 200,
  latencyOf: 'stream',
  encryption: 'AES-256',
  srtVersion: '1.5.4',
}

test('CON-IN-26 CON-OUT-09 a connected peer: its address and what was negotiated, gone with it', async () => {
  const { row, user, api } = await open({
    programs: [linkStatusOf('input', 'a', { observed: observedOf(PEER) })],
    prepare: (fake) => fake.on(contributionAction).answer(() => ({ status: true, results: '' })),
  })
  await row('Input a')
  await user.click(screen.getByRole('button', { name: 'Expand Input a' }))
  const target = await screen.findByRole('group', { name: 'Target status' })
  expect(factIn(target, 'Peer')).toMatch(/^203\.0\.113\.5:4512 for (0:[45]\d|[1-9]\d*:\d\d)$/)
  expect(factIn(target, 'Latency')).toBe('200 ms (negotiated)')
  expect(factIn(target, 'Encryption')).toBe('AES-256 (negotiated)')
  expect(factIn(target, 'Peer version')).toBe('SRT 1.5.4')

  const calling = { ...PEER, latencyOf: 'return', encryption: '', srtVersion: '' } as const
  const sender = linkStatusOf('input', 'a', { observed: observedOf(calling) })
  act(() => api.stream.push({ event: 'program', data: sender }))
  await waitFor(() =>
    expect(factIn(target, 'Latency')).toBe('200 ms (negotiated, return direction)'),
  )
  expect(factIn(target, 'Encryption')).toBe('None')
  expect(factIn(target, 'Peer version')).toBeNull()

  const gone = linkStatusOf('input', 'a', { peer: 'disconnected', observed: observedOf(PEER) })
  act(() => api.stream.push({ event: 'program', data: gone }))
  await waitFor(() => expect(factIn(target, 'Peer')).toBeNull())
  expect(factIn(target, 'Latency')).toBeNull()
})

test('the figures of a host that is away are dimmed, the bitrate with its age', async () => {
  const observed = observedOf(PEER)
  const { row, user, api } = await open({
    programs: [linkStatusOf('input', 'a', { observed })],
    prepare: (fake) => fake.on(contributionAction).answer(() => ({ status: true, results: '' })),
  })
  await row('Input a')
  await user.click(screen.getByRole('button', { name: 'Expand Input a' }))
  const tile = (name: string) => screen.getByRole('group', { name })
  await within(tile('Received')).findByText(/kbit/)

  const reading = linkReadingOf({ atMs: Date.now() - 600_000, droppedPackets: 900 })
  const away = linkStatusOf('input', 'a', { state: 'unreachable', observed, reading })
  act(() => api.stream.push({ event: 'program', data: away }))
  await within(tile('Received')).findByText(/^10:0\d old$/)
  for (const name of ['Received', 'RTT', 'Recovered', 'Dropped']) {
    expect(tile(name).querySelector('[data-old]'), name).not.toBeNull()
    expect(tile(name).dataset['bad'], name).toBeUndefined()
  }
})

test('CON-OUT-09 log lines from before a restart do not count as connected', async () => {
  const observed = { ...observedOf(PEER), peerFacts: null }
  const { row, user, api } = await open({
    programs: [linkStatusOf('input', 'a', { peer: '', observed })],
    prepare: (fake) =>
      fake
        .on(contributionAction)
        .answer(() => ({ status: true, results: '16:02:39 SRT target connected' })),
  })
  await row('Input a')
  await user.click(screen.getByRole('button', { name: 'Expand Input a' }))
  const target = await screen.findByRole('group', { name: 'Target status' })
  await waitFor(() => expect(actionsOf(api)).toHaveLength(1))
  await waitFor(() => expect(target.textContent).toContain('TARGET STATUS: No peer yet'))
  expect(target.textContent).not.toMatch(/connected/i)
})

test('figures are shown for a running link, not for a starting link', async () => {
  const { row, user, api } = await open({
    programs: [linkStatusOf('input', 'a', { observed: observedOf(PEER) })],
    prepare: (fake) => fake.on(contributionAction).answer(() => ({ status: true, results: '' })),
  })
  const shown = await row('Input a')
  await user.click(screen.getByRole('button', { name: 'Expand Input a' }))
  const roundTrip = within(await screen.findByRole('group', { name: 'RTT' }))
  expect(roundTrip.getByText('18')).toBeDefined()

  const sender = linkReadingOf({ direction: 'send', sendBufferMs: 1240 })
  const sending = linkStatusOf('input', 'a', { observed: observedOf(PEER), reading: sender })
  act(() => api.stream.push({ event: 'program', data: sending }))
  await roundTrip.findByText(/^latency set to .* ms, 1,240 ms in the send buffer$/)

  const now = { state: 'starting', sinceMs: Date.now(), peer: '' } as const
  const starting = linkStatusOf('input', 'a', now)
  act(() => api.stream.push({ event: 'program', data: starting }))
  await within(shown).findByText('Starting')
  expect(roundTrip.queryByText('18')).toBeNull()
})

function observedOf(peerFacts: PeerFacts): Observed {
  const sinceMs = Date.now() - 60_000
  return {
    peerSinceMs: sinceMs,
    peerFacts,
    media: 'moving',
    mediaSinceMs: sinceMs,
    warning: '',
    warningSinceMs: sinceMs,
  }
}

/** Null when it is not among the facts. */
function factIn(group: HTMLElement, name: string): string | null {
  const term = within(group).queryByText(name, { selector: 'dt' })
  return term?.nextElementSibling?.textContent ?? null
}

test('CON-OUT-09 an output to one of our inputs shows the packets dropped at the receiving end', async () => {
  const server = serverOf('gw-west', { title: 'gw-west-02', host: '203.0.113.20' })
  const output = outputOf('o', {
    config: { ...outputOf('o').config, host: '203.0.113.20', port: 6002 },
  })
  const received = linkReadingOf({ droppedPackets: 1204 })
  const { user } = await open({
    path: '/dashboard/contribution?tab=outputs',
    outputs: [output],
    programs: [
      linkStatusOf('output', 'o', { reading: linkReadingOf({ droppedPackets: null }) }),
      linkStatusOf('input', 'a', { reading: received }),
    ],
    prepare: (api) => {
      api.on(contributionAction).answer(() => ({ status: true, results: '' }))
      api.on(listServers).answer(({ query }) => {
        const data = query.get('address') === '203.0.113.20' ? [server] : []
        return { status: true, data, total: data.length }
      })
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Expand Output o' }))
  const link = await screen.findByRole('link', { name: 'Input a' })
  await waitFor(() =>
    expect(link.parentElement?.textContent).toBe(
      'Received by input Input a on gw-west-02: 1,204 packets dropped on the way since it started.',
    ),
  )
})
