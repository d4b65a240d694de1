import type { LinkReading, PathReading } from '@trunkline/contract/fleet/reading.schema'
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { PathList } from './PathList.tsx'
import { pathSentence } from './path.rules.ts'

afterEach(cleanup)

function pathOf(parts: Partial<PathReading> = {}): PathReading {
  return {
    address: 'far.example:6002',
    isAlive: true,
    silentSinceMs: null,
    bitrateKbps: 4500,
    rttMs: 24,
    packets: 120_400,
    retransmittedPackets: 31,
    savedPackets: 0,
    ...parts,
  }
}

function readingOf(paths: PathReading[] | undefined, parts: Partial<LinkReading> = {}) {
  const reading: LinkReading = {
    kind: 'link',
    protocol: 'rist',
    direction: 'send',
    atMs: 1_795_300_000_000,
    bitrateKbps: 4500,
    rttMs: 24,
    packets: 120_400,
    lostPackets: 31,
    retransmittedPackets: 31,
    droppedPackets: 0,
    ...parts,
  }
  return paths === undefined ? reading : { ...reading, paths }
}

const SECOND = pathOf({ address: '198.51.100.7:6004', rttMs: 31, savedPackets: 214 })
const SILENT = pathOf({ isAlive: false, silentSinceMs: 1_795_299_988_000, bitrateKbps: 0 })

test.each<[paths: PathReading[], sentence: string]>([
  [[pathOf(), pathOf()], 'Both paths carry the stream.'],
  [[pathOf(), SECOND], 'The second path recovered 214 packets.'],
  [[pathOf({ savedPackets: 1 }), SECOND], 'The first path recovered 1 packet, the second 214.'],
  [[SILENT, SECOND], 'The first path is silent: the second carries the stream alone.'],
  [[pathOf(), SILENT], 'The second path is silent: the first carries the stream alone.'],
  [[pathOf(), pathOf(), SILENT], 'The third path is silent: the others carry the stream.'],
  [
    [pathOf(), pathOf({ isAlive: false, silentSinceMs: null })],
    'The second path has not answered yet.',
  ],
  [[SILENT, SILENT], 'No path carries the stream: the far end is silent on all of them.'],
  [[pathOf(), pathOf(), pathOf()], 'All paths carry the stream.'],
])('two paths in one sentence: %#', (paths, sentence) => {
  expect(pathSentence(paths)).toBe(sentence)
})

test('each path shows its address, its bitrate and its recovered packets', () => {
  render(<PathList reading={readingOf([pathOf(), SECOND])} />)
  const [, first, second] = screen.getAllByRole('row')
  if (!first || !second) throw new Error('no rows')
  expect(within(first).getByRole('rowheader').textContent).toBe('first far.example:6002')
  const cells = within(second).getAllByRole('cell')
  expect(cells.map((cell) => cell.textContent.trim())).toEqual([
    'alive',
    '4,500',
    '120,400',
    '31',
    '31',
    '214',
  ])
})

test('a silent path is named and shows no bitrate', () => {
  render(<PathList reading={readingOf([SILENT, SECOND])} />)
  const first = screen.getAllByRole('row')[1]
  if (!first) throw new Error('no row')
  const cells = within(first).getAllByRole('cell')
  expect(cells[0]?.textContent).toContain('silent for')
  expect(cells[1]?.textContent).toBe('–')
})

test('the receiving end has no column for retransmitted packets: its tool does not report them', () => {
  const paths = [pathOf({ retransmittedPackets: null }), SECOND]
  render(<PathList reading={readingOf(paths, { direction: 'receive' })} />)
  expect(screen.getByRole('columnheader', { name: 'Receives kbit/s' })).toBeDefined()
  expect(screen.queryByRole('columnheader', { name: /Retransmitted/ })).toBeNull()
})

test('a link with one path shows nothing', () => {
  const { container } = render(<PathList reading={readingOf(undefined)} />)
  expect(container.childElementCount).toBe(0)
  render(<PathList reading={null} />, { container })
  expect(container.childElementCount).toBe(0)
})
