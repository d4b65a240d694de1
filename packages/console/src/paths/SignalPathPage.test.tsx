import { act, screen, waitFor, within } from '@testing-library/react'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import { readSignalPath } from '@trunkline/contract/paths/path.calls'
import type { Hop, ShownHop } from '@trunkline/contract/paths/path.schema'
import { afterEach, expect, test } from 'vitest'
import { snapshotOf } from '../test/fake-stream.ts'
import { linkStatusOf } from '../test/link.samples.ts'
import { renderConsole, resetConsole } from '../test/render-console.tsx'
import { statusOf } from '../test/samples.ts'
import { refuse } from '../test/fake-api.ts'

afterEach(resetConsole)

const READING = { family: 'move', shape: 'arc', word: 'Reading', cause: '', sinceMs: null } as const

function hopOf(kind: ShownHop['kind'], side: Hop['side'], parts: Partial<ShownHop> = {}): ShownHop {
  return {
    isShown: true,
    key: `${kind} ${kind}1`,
    side,
    kind,
    id: `${kind}1`,
    title: `The ${kind}`,
    groups: ['North'],
    server: 'Gateway 1',
    hostKey: `host of ${kind}`,
    isEnabled: true,
    isConfigured: true,
    inputType: null,
    link: null,
    serverId: 'gw',
    streamName: '',
    ownerId: 'encoder1',
    groupId: 'north',
    state: READING,
    facts: [],
    ...parts,
  }
}

const LINK = { protocol: 'srt', mode: 'call', host: 'gw', port: 6000, latencyMs: 120 } as const

const HOPS: Hop[] = [
  hopOf('encoder', 'self'),
  hopOf('feeder', 'behind', { link: LINK }),
  hopOf('input', 'behind', { link: { ...LINK, mode: 'listen', host: '' }, inputType: 'SRT' }),
  { isShown: false, key: 'hidden 3', side: 'behind', why: 'group', family: 'bad' },
]
const EDGES = HOPS.slice(1).map((hop, at) => ({ before: HOPS[at]?.key ?? '', behind: hop.key }))

function feederOf(parts: Partial<ProgramStatus>): ProgramStatus {
  return { ...linkStatusOf('input', 'feeder1', parts), kind: 'feeder' }
}

function programs(feeder: Partial<ProgramStatus>): ProgramStatus[] {
  return [statusOf('encoder1'), feederOf(feeder), linkStatusOf('input', 'input1')]
}

test('the path names the first bad hop from live states, and folds what follows from it', async () => {
  const { api, user } = renderConsole({
    path: '/dashboard/path/encoder/encoder1',
    role: 'manager',
    prepare: (fake) => {
      fake
        .on(readSignalPath)
        .answer(() => ({ status: true, data: { hops: HOPS, edges: EDGES, isCut: false } }))
    },
  })
  await screen.findByRole('heading', { name: 'Signal path of encoder The encoder' })
  await waitFor(() => expect(api.stream.isConnected()).toBe(true))
  act(() => api.stream.push(snapshotOf({ programs: programs({}) })))
  await screen.findByText(/^First bad hop: a hop in another group/)
  const feeder = feederOf({
    peer: 'disconnected',
    cause: 'The two ends have different passphrases.',
  })
  const input = linkStatusOf('input', 'input1', { peer: 'disconnected' })
  act(() => {
    api.stream.push({ event: 'program', data: feeder })
    api.stream.push({ event: 'program', data: input })
  })
  await screen.findByText(
    "First bad hop: feeder 'The feeder' on Gateway 1. The two ends have different passphrases. Enter the same passphrase at both ends. 1 more hop has trouble.",
  )
  const list = within(screen.getByRole('list', { name: 'Signal path' }))
  expect(list.queryByRole('link', { name: 'The input' })).toBeNull()
  await user.click(list.getByRole('button', { name: 'Show 1 hop behind it' }))
  const link = list.getByRole('link', { name: 'The input' })
  expect(link.getAttribute('href')).toBe('/dashboard/gw/north/contribution/input1')
  expect(list.getByText('In another group')).toBeDefined()
  list.getByRole('link', { name: 'The encoder' }).focus()
  await user.tab()
  expect(list.getByRole('button', { name: /^Evidence of The encoder: Process/ })).toBe(
    document.activeElement,
  )
  const hint = await screen.findByRole('tooltip')
  expect(hint.textContent).toMatch(/^Process: Running, for .+, read \d+ s ago\nMedia: /)
})

test('a path that may not be seen says so, a failure offers another try', async () => {
  const { api, user } = renderConsole({
    path: '/dashboard/path/channel/other',
    role: 'monitor',
    prepare: (fake) => fake.on(readSignalPath).answer(() => refuse(500, 'no')),
  })
  await screen.findByText('The signal path could not be read.')
  api.on(readSignalPath).answer(() => refuse(404, 'no'))
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByText('There is no such object, or you may not see it.')
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull()
})
