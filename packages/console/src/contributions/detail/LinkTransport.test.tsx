import { act, screen, waitFor, within } from '@testing-library/react'
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import type { MeasuredTransport, TransportReport } from '@trunkline/contract/fleet/transport.schema'
import { transportKey } from '@trunkline/contract/fleet/watch-key.rules'
import { afterEach, expect, test } from 'vitest'
import { openContributions } from '../contributions.fixture.ts'
import { linkStatusOf } from '../../test/link.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import {
  JITTER_HINT,
  TRANSPORT_CLEAN,
  TRANSPORT_NONE,
  UNREAD_TEXT,
} from '../../programs/transport/transport.messages.ts'

afterEach(resetConsole)

const PID = { packets: 100, continuityErrors: 0, scrambledPackets: 0 }

function measured(parts: Partial<MeasuredTransport> = {}): MeasuredTransport {
  const toMs = Date.now()
  return {
    state: 'measured',
    mode: 'sampled',
    fromMs: toMs - 2000,
    toMs,
    everyMs: 30_000,
    packets: 5984,
    bitrateKbps: 4500.2,
    longestSilenceMs: 3,
    syncByteErrors: 0,
    syncLosses: 0,
    transportErrors: 0,
    crcErrors: 0,
    pat: { sections: 20, longestGapMs: 101.4 },
    programs: [{ number: 3, pmtPid: 256, pcrPid: 512, sections: 20, longestGapMs: 102.2 }],
    pcrs: [
      {
        pid: 512,
        count: 98,
        longestIntervalMs: 21.5,
        over40Ms: 0,
        over100Ms: 0,
        jumps: 0,
        jitterMs: 2.4,
      },
    ],
    pids: [
      { pid: 0, kind: 'table', format: 'PAT', bitrateKbps: 15, ...PID },
      { pid: 256, kind: 'table', format: 'PMT', bitrateKbps: 15, ...PID },
      { pid: 512, kind: 'video', format: 'H.264', bitrateKbps: 4000, ...PID },
      { pid: 4112, kind: 'audio', format: 'AAC', bitrateKbps: 140, ...PID },
    ],
    pidCount: 4,
    content: null,
    ...parts,
  }
}

async function openRow() {
  const scene = await openContributions({
    programs: [linkStatusOf('input', 'a')],
    prepare: (api) => api.on(contributionAction).answer(() => ({ status: true, results: '' })),
  })
  await scene.row('Input a')
  const wasShown = scene.api.stream.isShown(transportKey('input', 'a'))
  await scene.user.click(screen.getByRole('button', { name: 'Expand Input a' }))
  const group = await screen.findByRole('group', { name: 'Transport stream of Input a' })
  const push = (report: TransportReport | null) =>
    act(() => {
      scene.api.stream.push({ event: 'transport', data: { kind: 'input', id: 'a', report } })
    })
  return { ...scene, part: within(group), push, wasShown }
}

test('only an opened row asks for its transport stream', async () => {
  const { api, part, wasShown } = await openRow()
  expect(wasShown).toBe(false)
  part.getByText(TRANSPORT_NONE)
  await waitFor(() => expect(api.stream.isShown(transportKey('input', 'a'))).toBe(true))
})

test('a stream without errors: its figures, when it was sampled, and its PIDs', async () => {
  const { part, push } = await openRow()
  push(measured())
  await part.findByText(TRANSPORT_CLEAN)
  part.getByText(/^sampled \d+ s ago for 2 s, every 30 s$/)
  const figure = (name: string) =>
    part.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent
  expect(figure('Bitrate')).toBe('4,500 kbit/s')
  expect(figure('Longest PAT interval')).toBe('101 ms')
  expect(figure('Longest PMT interval')).toBe('102 ms')
  expect(figure('Longest PCR interval')).toBe('22 ms')
  expect(figure('PCR arrival jitter')).toBe('2.4 ms')
  expect(part.getByTitle(JITTER_HINT).textContent).toContain('PCR arrival jitter')
  const cells = within(part.getByRole('row', { name: /^512/ })).getAllByRole('cell')
  expect(cells.map((cell) => cell.textContent.trim())).toEqual([
    'Video, H.264 with PCR',
    '4,000',
    '0',
    '0',
  ])
})

test('errors stand first, the worst at the top', async () => {
  const { part, push } = await openRow()
  const [pat, pmt, video, audio] = measured().pids
  if (!pat || !pmt || !video || !audio) throw new Error('no PIDs')
  push(
    measured({
      mode: 'continuous',
      everyMs: null,
      fromMs: Date.now() - 58_000,
      pat: { sections: 0, longestGapMs: 58_000 },
      pids: [
        pmt,
        { ...video, continuityErrors: 1204 },
        { ...audio, scrambledPackets: 1 },
        { pid: 99, kind: 'unlisted', format: '', bitrateKbps: 0.4, ...PID },
      ],
      pcrs: measured().pcrs.map((timing) => ({
        ...timing,
        over40Ms: 4,
        over100Ms: 1,
        longestIntervalMs: 340,
      })),
      pidCount: 900,
    }),
  )
  const errors = await part.findByRole('list', { name: 'Errors' })
  expect(
    within(errors)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual([
    'No PAT: receivers cannot find the programs.',
    '1,204 continuity errors on PID 512 (Video, H.264): packets are missing or out of order.',
    'PCR interval up to 340 ms on PID 512 (Video, H.264) (limit 100 ms).',
    '1 scrambled packet on PID 4112 (Audio, AAC): they cannot be decoded without a key.',
  ])
  part.getByText('measured continuously, last 0:58')
  expect(part.queryByText(TRANSPORT_CLEAN)).toBeNull()
  part.getByText('900 PIDs, of which 4 are shown.')
  const old = { mode: 'continuous', everyMs: null, toMs: Date.now() - 90_000 } as const
  push(measured({ ...old, fromMs: old.toMs - 60_000 }))
  await part.findByText(/^measured continuously until 1:3\d ago, last 1:00$/)
})

test('a bus that cannot be read says why', async () => {
  const { part, push } = await openRow()
  push({ state: 'unread', reason: 'unicast', atMs: Date.now() })
  expect((await part.findByText(UNREAD_TEXT.unicast)).isConnected).toBe(true)
  push(null)
  expect((await part.findByText(TRANSPORT_NONE)).isConnected).toBe(true)
})

test('picture and audio of a link are shown with when they were decoded, and what is wrong first', async () => {
  const { part, push } = await openRow()
  const atMs = Date.now()
  const content = {
    atMs,
    everyMs: 60_000,
    picture: { kind: 'black' as const, sinceMs: atMs - 12_000 },
    sound: { kind: 'heard' as const, sinceMs: atMs },
    peakDbfs: -18.1,
  }
  push(measured({ content }))
  const wrong = await part.findByRole('list', { name: 'Picture and audio' })
  within(wrong).getByText(/^Black picture for 0:1\d\.$/)
  part.getByText('-18.1 dBFS')
  part.getByText(/^Picture and audio decoded .* ago, every 60 s/)
  push(measured({ content: { ...content, picture: { kind: 'moving', sinceMs: atMs } } }))
  await waitFor(() => expect(part.queryByRole('list', { name: 'Picture and audio' })).toBeNull())
})
