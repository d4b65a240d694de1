import { transportFaults } from '@trunkline/contract/fleet/transport.rules'
import { expect, test } from 'vitest'
import { eventually, freeUdpPort, quietLog } from '../agent.fixture.ts'
import { isUdpPortFree, type UdpAddress } from '../host/free-port.ts'
import {
  TransportChecks,
  type ChecksPace,
  type LinkTransport,
  type MeasuredLink,
} from './transport-checks.ts'
import { AUDIO_PID, MOVING, sendStream, VIDEO_PID } from './transport.fixture.ts'

const PACE = {
  windowMs: 300,
  everyMs: 1000,
  lookMs: 50,
  settleMs: 0,
  suspectMs: 500,
  countedMs: 1000,
}
const SEAT = 'acants-0'

/** Everything that was reported of a link, in order. */
function openChecks(first: readonly MeasuredLink[], pace: ChecksPace = PACE) {
  const all: ({ owner: string } & LinkTransport)[] = []
  let links = first
  const checks = new TransportChecks({
    log: quietLog(),
    clock: Date.now,
    links: () => links,
    onReports: (owner, reports) => all.push(...reports.map((report) => ({ owner, ...report }))),
    pace,
  })
  checks.begin()
  const of = (programId: string) =>
    all.filter((each) => each.programId === programId).map(({ report }) => report)
  return {
    checks,
    all,
    of,
    use: (next: readonly MeasuredLink[]) => {
      links = next
    },
    [Symbol.asyncDispose]: async () => checks[Symbol.asyncDispose](),
  }
}

async function newLeg(lastByte: number): Promise<UdpAddress> {
  return { ip: `239.255.91.${lastByte}`, port: await freeUdpPort() }
}

function linkOf(programId: string, leg: UdpAddress, owner = SEAT): MeasuredLink {
  return { programId, owner, leg }
}

test('a bus is sampled again and again, for each link that uses it', async () => {
  const leg = await newLeg(1)
  const links = [linkOf('input-a', leg), linkOf('output-b', leg, 'acants-1')]
  await using seen = openChecks(links)
  await using _stream = sendStream(leg)
  await eventually(() => {
    for (const programId of ['input-a', 'output-b']) {
      const reports = seen.of(programId).filter(isMeasured)
      expect(reports.length).toBeGreaterThan(1)
      const last = reports.at(-1)
      expect(last?.mode).toBe('sampled')
      expect(last?.everyMs).toBeGreaterThanOrEqual(PACE.everyMs)
      expect(last?.pids.map(({ pid }) => pid)).toEqual(
        expect.arrayContaining([0, 256, VIDEO_PID, AUDIO_PID]),
      )
      const kinds = transportFaults(last ?? fail()).map(({ kind }) => kind)
      expect(kinds).not.toContain('continuity')
    }
  })
  expect(seen.all.filter(({ programId }) => programId === 'output-b')[0]?.owner).toBe('acants-1')
  expect(seen.checks.known(SEAT).map(({ programId }) => programId)).toEqual(['input-a'])
})

test('a link that is followed is read without gaps, and sampled again afterwards', async () => {
  const leg = await newLeg(2)
  await using seen = openChecks([linkOf('input-a', leg)])
  await using _stream = sendStream(leg)
  expect(seen.checks.follow('acants-1', ['input-a'], 60_000)).toBe(0)
  expect(seen.checks.follow(SEAT, ['input-a', 'unknown'], 60_000)).toBe(1)
  await eventually(() => {
    const last = seen.of('input-a').filter(isMeasured).at(-1)
    expect(last?.mode).toBe('continuous')
    // More than one window of it.
    expect((last?.toMs ?? 0) - (last?.fromMs ?? 0)).toBeGreaterThan(2 * PACE.windowMs)
  })
  seen.checks.follow(SEAT, ['input-a'], 0)
  await eventually(() => {
    expect(seen.of('input-a').filter(isMeasured).at(-1)?.mode).toBe('sampled')
  })
})

test('a bus without a stream is silent', async () => {
  await using seen = openChecks([linkOf('input-a', await newLeg(3))])
  await eventually(() => {
    const last = seen.of('input-a').filter(isMeasured).at(-1)
    expect(transportFaults(last ?? fail()).map(({ kind }) => kind)).toEqual(['silent'])
  })
})

test('a unicast address is not sampled: it has one reader', async () => {
  const leg = { ip: '127.0.0.1', port: await freeUdpPort() }
  await using seen = openChecks([linkOf('output-a', leg)])
  await eventually(() => {
    expect(seen.of('output-a')).toMatchObject([{ state: 'unread', reason: 'unicast' }])
  })
  expect(isUdpPortFree(leg.port)).toBe(true)
})

test('a link that stops is measured no longer, and its bus is left', async () => {
  const leg = await newLeg(4)
  await using seen = openChecks([linkOf('input-a', leg)])
  seen.checks.follow(SEAT, ['input-a'], 60_000)
  await eventually(() => expect(seen.of('input-a').length).toBeGreaterThan(0))
  expect(isUdpPortFree(leg.port)).toBe(false)
  seen.use([])
  await eventually(() => {
    expect(seen.of('input-a').at(-1)).toBeNull()
    expect(isUdpPortFree(leg.port)).toBe(true)
  })
  expect(seen.checks.known(SEAT)).toEqual([])
})

test('of many buses only a few are read at once, and each has its turn', async () => {
  const legs = await Promise.all(Array.from({ length: 30 }, async (_, at) => newLeg(10 + at)))
  await using seen = openChecks(legs.map((leg, at) => linkOf(`input-${at}`, leg)))
  let most = 0
  await eventually(() => {
    most = Math.max(most, legs.filter(({ port }) => !isUdpPortFree(port)).length)
    expect(new Set(seen.all.map(({ programId }) => programId)).size).toBe(legs.length)
  })
  // Three places for thirty buses, and one that is just being left.
  expect(most).toBeLessThanOrEqual(6)
})

type Report = NonNullable<LinkTransport['report']>
type Measured = Extract<Report, { state: 'measured' }>

function isMeasured(report: Report | null): report is Measured {
  return report?.state === 'measured'
}

function fail(): never {
  throw new Error('Nothing was measured yet.')
}

test('black picture and silence of a sampled bus are found, and it is looked at again soon', async () => {
  const leg = await newLeg(9)
  const content = { sampledMs: 60_000, continuousMs: 60_000, restMs: 0 }
  await using seen = openChecks([linkOf('input-a', leg)], { ...PACE, windowMs: 2000, content })
  const found = () => seen.of('input-a').filter(isMeasured).at(-1)?.content
  {
    await using _black = sendStream(leg, {
      picture: 'color=black:s=320x180:r=25',
      sound: 'anullsrc',
    })
    await eventually(() => {
      const { picture, sound, peakDbfs } = found() ?? {}
      expect([picture?.kind, sound?.kind, peakDbfs]).toEqual(['black', 'silent', -90])
    })
  }
  await using _moving = sendStream(leg, MOVING)
  await eventually(() => {
    const { picture, sound, peakDbfs } = found() ?? {}
    expect([picture?.kind, sound?.kind]).toEqual(['moving', 'heard'])
    // ffmpeg's tone has an eighth of full scale.
    expect(peakDbfs).toBeCloseTo(-18, -1)
  })
})
