/** A transport stream is measured without gaps while a browser shows it, and goes to that browser. */
import { programKey, transportKey } from '@trunkline/contract/fleet/watch-key.rules'
import type { MeasuredTransport } from '@trunkline/contract/fleet/transport.schema'
import { putOnAir } from '@trunkline/contract/on-air/on-air.calls'
import { addEncoder, updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { programIdOf } from '../../programs/wanted-program.ts'
import { palConfig } from '../../testing/encoder.fixture.ts'
import { FAKE_KEY, FakeHost } from '../../testing/fake-host.ts'
import { addTestEncoder, openTestSite } from '../../testing/test-site.ts'
import { addPath } from '../../paths/path-site.fixture.ts'
import { listenLive } from './live.fixture.ts'
import { TransportFollower } from './transport-follower.ts'

const LIMIT = { timeout: 60_000 }
const PACE = { againMs: 10_000, forMs: 25_000, pathsMs: 60_000 }

async function open() {
  const site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  const { show } = await listenLive(site)
  const { id } = await addTestEncoder(site, 0)
  const programId = programIdOf('encoder', id)
  await site.encoderHost.asked('applyProgram')
  return { site, host: site.encoderHost, show, id, programId, key: transportKey('encoder', id) }
}

function measuredAt(toMs: number): MeasuredTransport {
  return {
    state: 'measured',
    content: null,
    mode: 'sampled',
    fromMs: toMs - 2000,
    toMs,
    everyMs: 30_000,
    packets: 1330,
    bitrateKbps: 1000,
    longestSilenceMs: 11,
    syncByteErrors: 0,
    syncLosses: 0,
    transportErrors: 0,
    crcErrors: 0,
    pat: { sections: 20, longestGapMs: 101 },
    programs: [],
    pcrs: [],
    pids: [],
    pidCount: 0,
  }
}

function tell(host: FakeHost, programId: string, toMs = host.nowMs()): void {
  const transports = [{ programId, report: measuredAt(toMs) }]
  host.tell({ type: 'readings', nowMs: host.nowMs(), readings: [], transports })
}

test('its host is asked to follow it, and each report goes to whoever shows it', async () => {
  const { host, show, id, programId, key } = await open()
  const live = await show('admin', [key])
  expect(live.of('transport')).toEqual([{ kind: 'encoder', id, report: null }])
  await host.asked('followTransports')
  expect(host.paramsOf('followTransports')).toEqual([{ programIds: [programId], forMs: 25_000 }])
  const other = await show('admin', [programKey('encoder', id)])
  tell(host, programId)
  const { report } = await live.next('transport', (data) => data.report !== null)
  expect(report).toMatchObject({ state: 'measured', bitrateKbps: 1000 })
  expect(other.of('transport')).toEqual([])
  // Whoever comes later has it at once; the one is asked for once.
  const late = await show('admin', [key])
  expect(late.of('transport')).toEqual([{ kind: 'encoder', id, report }])
  expect(host.paramsOf('followTransports')).toHaveLength(1)
})

test('times are told by the clock of the API, and what is measured no longer is gone', async () => {
  const { host, show, programId, key } = await open()
  const live = await show('admin', [key])
  host.setClockAhead(3_600_000)
  const toMs = Date.now()
  tell(host, programId, toMs + 3_600_000)
  const { report } = await live.next('transport', (data) => data.report !== null)
  if (report?.state !== 'measured') throw new Error('not measured')
  expect(Math.abs(report.toMs - toMs)).toBeLessThan(60_000)
  expect(report.toMs - report.fromMs).toBe(2000)
  const gone = [{ programId, report: null }]
  host.tell({ type: 'readings', nowMs: host.nowMs(), readings: [], transports: gone })
  await live.until(() => live.of('transport').length === 3)
  expect(live.of('transport').at(-1)?.report).toBeNull()
})

test('it is asked again while it is shown, and no more afterwards', async () => {
  const { site, host, key } = await open()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const follower = new TransportFollower(site.ctx, () => undefined, { ...PACE, againMs: 20 })
  onTestFinished(() => follower.close())
  follower.show(programKey('encoder', 'x'))
  expect(vi.getTimerCount()).toBe(0)
  follower.show(key)
  await host.asked('followTransports', 1)
  vi.advanceTimersByTime(20)
  await host.asked('followTransports', 2)
  follower.hide(key)
  expect(vi.getTimerCount()).toBe(0)
})

test('a host of an older version is never asked, and a report of a newer one is passed over', async () => {
  const { site, host, show, key, programId } = await open()
  const older = await FakeHost.open({
    seatKind: 'encoder',
    capabilities: { checksTransports: false },
  })
  onTestFinished(async () => older[Symbol.asyncDispose]())
  const body = { title: 'Old', ip: '127.0.0.1', port: older.port, apiKey: FAKE_KEY }
  const added = await site.call('admin', addEncoder, { body: { ...body, groupId: site.north } })
  const { id } = added.answer
  const config = palConfig(1)
  await site.call('admin', updateEncoder, { body: { _id: id, config } })
  await older.asked('applyProgram')
  const live = await show('admin', [transportKey('encoder', id), key])
  await host.asked('followTransports')
  // Sent after whatever it was asked before.
  await site.ctx.hosts.call({ host: '127.0.0.1', port: older.port }, 'probePort', { port: 5000 })
  expect(older.paramsOf('followTransports')).toEqual([])
  const unknown = { programId, report: { state: 'deferred' } }
  const message = { type: 'readings', nowMs: host.nowMs(), readings: [], transports: [unknown] }
  host.tellRaw(JSON.stringify(message))
  tell(host, programId)
  await live.next('transport', (data) => data.report?.state === 'measured')
})

test('who may not see the encoder sees nothing of its stream', async () => {
  const { host, show, programId, key } = await open()
  const live = await show('northMonitor', [key])
  const stranger = await show('southMonitor', [key])
  tell(host, programId)
  await live.next('transport', (data) => data.report !== null)
  expect(stranger.of('transport')).toEqual([])
})

test('what is on air is followed with every hop before it, though no browser shows it', async () => {
  const site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  const { encoderId, feederId, inputId, toChannel, channelId } = await addPath(site)
  const followed = (host: FakeHost) => {
    const calls = host.paramsOf('followTransports')
    return [...new Set(calls.flatMap(({ programIds }) => programIds))].toSorted()
  }
  expect([followed(site.encoderHost), followed(site.linkHost)]).toEqual([[], []])
  const params = { kind: 'channel' as const, id: channelId }
  await site.call('admin', putOnAir, { params, body: {} })
  const onEncoderHost = [programIdOf('encoder', encoderId), programIdOf('feeder', feederId)]
  const onLinkHost = [programIdOf('input', inputId), programIdOf('output', toChannel)]
  await expect
    .poll(() => [followed(site.encoderHost), followed(site.linkHost)], LIMIT)
    .toEqual([onEncoderHost, onLinkHost])
})
