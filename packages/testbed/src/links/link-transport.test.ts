/** What a browser that opens a link is sent of its transport stream, on a whole site with a real sender. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freeUdpPort } from '@trunkline/agent/agent.fixture'
import { LiveReader } from '@trunkline/api/testing/live-reader'
import { transportHistory } from '@trunkline/contract/contributions/transport-history.calls'
import { TABLE_LIMIT_MS, transportFaults } from '@trunkline/contract/fleet/transport.rules'
import { MeasuredTransport } from '@trunkline/contract/fleet/transport.schema'
import { transportKey } from '@trunkline/contract/fleet/watch-key.rules'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { callApi, type Client } from '../api-client.ts'
import { openLinkSite, type LinkSite } from './link-site.ts'
import { openRelay } from './udp-relay.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-transport-'))
let site: LinkSite
beforeAll(async () => {
  site = await openLinkSite({ dataDir, password: 'correct-horse-battery' })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
  rmSync(`${dataDir}.key`, { force: true })
})

function startSender(port: number, ...output: string[]): AsyncDisposable {
  const argv = [
    ['-v', 'error', '-re', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25'],
    ['-f', 'lavfi', '-i', 'sine', '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25'],
    ['-b:v', '400k', '-c:a', 'aac', ...output, '-f', 'mpegts'],
    `srt://127.0.0.1:${port}?mode=caller&pkt_size=1316&transtype=live`,
  ].flat()
  let isOver = false
  // As an encoder does: it calls again where the input does not listen yet.
  const call = (): ChildProcess => {
    const child = spawn('ffmpeg', argv, { stdio: 'ignore' })
    child.once('exit', () => {
      if (!isOver) running = call()
    })
    return child
  }
  let running = call()
  return {
    async [Symbol.asyncDispose]() {
      isOver = true
      const ended = once(running, 'exit')
      running.kill('SIGKILL')
      await ended
    },
  }
}

/** The first of this link's reports on the live stream for which `isIt` holds. */
async function shown(
  { baseUrl, token }: Client,
  inputId: string,
  isIt: (report: MeasuredTransport) => boolean,
): Promise<MeasuredTransport> {
  await using live = await LiveReader.open(baseUrl, token, [transportKey('input', inputId)])
  const { report } = await live.next('transport', ({ report: sent }) => {
    return sent?.state === 'measured' && isIt(sent)
  })
  return MeasuredTransport.parse(report)
}

async function startInput(title: string): Promise<{ id: string; port: number }> {
  const port = await freeUdpPort()
  const id = await site.addInput({ title, inputType: 'SRT', config: { port, latency: 300 } })
  await site.start('input', id)
  return { id, port }
}

test('an input that is opened shows the stream that it receives', async () => {
  const { id, port } = await startInput('Camera')
  await using _sender = startSender(port)
  const expected = ['table PAT', 'table PMT', 'video H.264', 'audio AAC']
  const namesIn = ({ pids }: MeasuredTransport) =>
    pids.map(({ kind, format }) => `${kind} ${format}`)
  // What is known of it grows from report to report, and slowly on a busy machine.
  const report = await shown(site.client, id, (each) => {
    const names = namesIn(each)
    const isWhole = expected.every((name) => names.includes(name)) && each.pat.sections > 0
    return each.mode === 'continuous' && isWhole
  })
  expect(report.state).toBe('measured')
})

test('a sender whose tables come four times later than allowed is shown as such', async () => {
  const { id, port } = await startInput('Slow tables')
  await using _sender = startSender(port, '-pat_period', '2')
  const report = await shown(site.client, id, (each) => {
    const kinds = transportFaults(each).map(({ kind }) => kind)
    return kinds.includes('pat-late') && kinds.includes('pmt-late')
  })
  expect(report.pat.longestGapMs).toBeGreaterThan(TABLE_LIMIT_MS)
})

/** A minute until one is over, another until it is read, and what a busy machine takes. */
const HISTORY_LIMIT_MS = 400_000

test(
  'what a network loses beyond repair is in the history, with how much of the stream was looked at',
  async () => {
    const { id, port } = await startInput('Lossy network')
    await using relay = await openRelay(await freeUdpPort(), port)
    // What is resent after a round trip of 0.8 s comes too late for a latency of 0.3 s.
    relay.delayMs = 400
    relay.lossPercent = 5
    await using _sender = startSender(relay.port)
    const params = { kind: 'input' as const, id }
    const history = await vi.waitFor(
      async () => {
        const { data } = await callApi(site.client, transportHistory, { params })
        expect(data.points.some(({ continuityErrors }) => continuityErrors > 0)).toBe(true)
        return data
      },
      { timeout: HISTORY_LIMIT_MS, interval: 2000 },
    )
    expect(relay.lost).toBeGreaterThan(0)
    const counted = history.points.reduce((all, point) => all + point.continuityErrors, 0)
    const spans = history.errors.filter(({ faults }) =>
      faults.some(({ kind }) => kind === 'continuity'),
    )
    const inSpans = spans.flatMap(({ faults }) =>
      faults.flatMap(({ kind, count }) => (kind === 'continuity' ? [count ?? 0] : [])),
    )
    expect(inSpans.reduce((all, count) => all + count, 0)).toBe(counted)
    // Nobody has opened it: it is sampled.
    expect(history.points.every(({ followedMs }) => followedMs === 0)).toBe(true)
    expect(history.points.every(({ lookedMs }) => lookedMs > 0 && lookedMs < 60_000)).toBe(true)
  },
  HISTORY_LIMIT_MS + 60_000,
)
