import { transportFaults } from '@trunkline/contract/fleet/transport.rules'
import type { MeasuredTransport } from '@trunkline/contract/fleet/transport.schema'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { TransportParser } from './transport-parser.ts'
import { transportReport } from './transport-report.rules.ts'
import {
  AUDIO_PID,
  blank,
  changed,
  feed,
  measured,
  MUX_KBPS,
  PACKET,
  packetsOf,
  PMT_PID,
  recordStream,
  VIDEO_PID,
} from './transport.fixture.ts'

let stream: Uint8Array
beforeAll(async () => {
  stream = await recordStream()
})

/** 'continuity 512 ×1': each fault in words. */
function faultsOf(report: MeasuredTransport): string[] {
  return transportFaults(report).map(({ kind, pid, count }) =>
    [kind, ...(pid === null ? [] : [pid]), ...(count === null ? [] : [`x${count}`])].join(' '),
  )
}

/** Of the packets of a PID with payload, the n-th. */
function nth(pid: number, n: number) {
  const found = packetsOf(stream).filter((packet) => packet.pid === pid && packet.hasPayload)[n]
  return (packet: { at: number }) => packet.at === found?.at
}

function without(pick: (packet: { at: number }) => boolean): Uint8Array {
  const kept = packetsOf(stream).filter((packet) => !pick(packet))
  return Buffer.concat(kept.map(({ at }) => stream.subarray(at, at + PACKET)))
}

test('a stream of ffmpeg has no fault, and its PIDs are named with their bitrates', () => {
  const report = measured(stream)
  expect(faultsOf(report)).toEqual([])
  const named = report.pids.map(({ pid, kind, format }) => [pid, kind, format].join(' '))
  expect(named).toEqual([
    '0 table PAT',
    '17 table SDT',
    '256 table PMT',
    '512 video H.264',
    '4112 audio MPEG audio',
    '8191 null ',
  ])
  const sum = report.pids.reduce((all, { bitrateKbps }) => all + bitrateKbps, 0)
  expect(sum).toBeCloseTo(MUX_KBPS, 0)
  expect(report.bitrateKbps).toBeCloseTo(MUX_KBPS, 5)
  expect(report.packets).toBe(stream.length / PACKET)
  expect(report.programs).toMatchObject([{ number: 3, pmtPid: PMT_PID, pcrPid: VIDEO_PID }])
  expect(report.pcrs).toMatchObject([{ pid: VIDEO_PID, over40Ms: 0, jumps: 0 }])
  // Each datagram brings its seven packets at once: 10.5 ms of the stream.
  expect(report.pcrs[0]?.jitterMs).toBeLessThanOrEqual(11)
})

test('each packet that is missing is one continuity error of its PID', () => {
  const [video, audio] = [nth(VIDEO_PID, 100), nth(AUDIO_PID, 20)]
  expect(faultsOf(measured(without(video)))).toEqual([`continuity ${VIDEO_PID} x1`])
  const both = without((packet) => video(packet) || audio(packet))
  expect(faultsOf(measured(both))).toEqual([
    `continuity ${VIDEO_PID} x1`,
    `continuity ${AUDIO_PID} x1`,
  ])
})

test('a wrong counter is an error where it comes and where the right one follows', () => {
  const wrong = changed(stream, nth(VIDEO_PID, 100), (bytes) => {
    bytes[3] = ((bytes[3] ?? 0) & 0xf0) | (((bytes[3] ?? 0) + 7) & 0x0f)
  })
  expect(faultsOf(measured(wrong))).toEqual([`continuity ${VIDEO_PID} x2`])
})

test('a packet may be sent twice, not three times', () => {
  const again = (times: number) => {
    const isIt = nth(AUDIO_PID, 20)
    const parts = packetsOf(stream).flatMap((packet) => {
      const bytes = stream.subarray(packet.at, packet.at + PACKET)
      return isIt(packet) ? Array.from({ length: times }, () => bytes) : [bytes]
    })
    return Buffer.concat(parts)
  }
  expect(faultsOf(measured(again(2)))).toEqual([])
  expect(faultsOf(measured(again(3)))).toEqual([`continuity ${AUDIO_PID} x1`])
})

test('a signalled discontinuity is no error', () => {
  const isIt = (packet: { pid: number; hasPcr: boolean; at: number }) =>
    packet.pid === VIDEO_PID && packet.hasPcr && packet.at > stream.length / 2
  const at = packetsOf(stream).find(isIt)?.at
  const jumped = changed(
    stream,
    (packet) => packet.pid === VIDEO_PID && packet.at >= (at ?? 0),
    (bytes) => {
      bytes[3] = ((bytes[3] ?? 0) & 0xf0) | (((bytes[3] ?? 0) + 5) & 0x0f)
    },
  )
  expect(faultsOf(measured(jumped))).toEqual([`continuity ${VIDEO_PID} x1`])
  const announced = changed(
    jumped,
    (packet) => packet.at === at,
    (bytes) => {
      bytes[5] = (bytes[5] ?? 0) | 0x80
    },
  )
  expect(faultsOf(measured(announced))).toEqual([])
})

test('a stream without PAT says so, and one whose PAT comes late', () => {
  const none = changed(stream, ({ pid }) => pid === 0, blank)
  const faults = faultsOf(measured(none))
  expect(faults).toEqual(['no-pat 0'])
  const rare = changed(stream, ({ pid, at }) => pid === 0 && isBetween(at, 1, 1.8), blank)
  const late = measured(rare)
  expect(faultsOf(late)).toContain('pat-late 0')
  expect(late.pat.longestGapMs).toBeGreaterThan(800)
  expect(late.pat.longestGapMs).toBeLessThan(1000)
})

test('a program without PMT says so, and one whose PMT comes late', () => {
  const none = changed(stream, ({ pid }) => pid === PMT_PID, blank)
  expect(faultsOf(measured(none))).toContain(`no-pmt ${PMT_PID}`)
  const rare = changed(stream, ({ pid, at }) => pid === PMT_PID && isBetween(at, 1, 1.8), blank)
  expect(faultsOf(measured(rare))).toContain(`pmt-late ${PMT_PID}`)
})

test('a table with a wrong CRC is ignored', () => {
  const broken = changed(
    stream,
    ({ pid }) => pid === PMT_PID,
    (bytes) => {
      bytes[20] = (bytes[20] ?? 0) ^ 1
    },
  )
  const report = measured(broken)
  expect(faultsOf(report)[0]).toBe(`no-pmt ${PMT_PID}`)
  expect(report.crcErrors).toBe(packetsOf(stream).filter(({ pid }) => pid === PMT_PID).length)
})

test('scrambled packets are counted by PID', () => {
  const scrambled = changed(
    stream,
    ({ pid }) => pid === AUDIO_PID,
    (bytes) => {
      bytes[3] = (bytes[3] ?? 0) | 0x80
    },
  )
  const count = packetsOf(stream).filter(({ pid }) => pid === AUDIO_PID).length
  expect(faultsOf(measured(scrambled))).toEqual([`scrambled ${AUDIO_PID} x${count}`])
})

test('packets marked as damaged by the sender are counted, and not as continuity errors too', () => {
  const isIt = nth(VIDEO_PID, 100)
  const damaged = changed(stream, isIt, (bytes) => {
    bytes[1] = (bytes[1] ?? 0) | 0x80
  })
  expect(faultsOf(measured(damaged))).toEqual(['transport-error x1'])
})

test('an audio PID of the PMT without packets is missing', () => {
  const mute = changed(stream, ({ pid }) => pid === AUDIO_PID, blank)
  expect(faultsOf(measured(mute))).toEqual([`pid-missing ${AUDIO_PID}`])
})

test('PCRs that are rare, late, missing or jump', () => {
  const hidden = (pick: (at: number, index: number) => boolean) => {
    let index = 0
    return measured(
      changed(
        stream,
        ({ hasPcr, at }) => hasPcr && pick(at, index++),
        (bytes) => {
          bytes[5] = (bytes[5] ?? 0) & ~0x10
        },
      ),
    )
  }
  const slow = hidden((_at, index) => index % 3 !== 0)
  expect(faultsOf(slow)).toEqual([`pcr-slow ${VIDEO_PID} x${slow.pcrs[0]?.over40Ms}`])
  const late = hidden((at) => isBetween(at, 1, 1.3))
  expect(faultsOf(late)).toEqual([`pcr-late ${VIDEO_PID} x1`])
  expect(late.pcrs[0]?.longestIntervalMs).toBeGreaterThan(300)
  expect(late.pcrs[0]?.longestIntervalMs).toBeLessThan(345)
  expect(faultsOf(hidden(() => true))).toEqual([`no-pcr ${VIDEO_PID}`])
  const jumped = changed(
    stream,
    ({ hasPcr, at }) => hasPcr && at > stream.length / 2,
    (bytes) => {
      bytes[6] = ((bytes[6] ?? 0) + 1) & 0xff
    },
  )
  expect(faultsOf(measured(jumped))).toEqual([`pcr-jump ${VIDEO_PID} x1`])
})

test('irregular arrival counts as PCR jitter', () => {
  const parser = new TransportParser(0)
  const datagram = 7 * PACKET
  let nowMs = 0
  for (let at = 0; at < stream.length; at += datagram) {
    const delayMs = (at / datagram) % 10 < 5 ? 0 : 60
    nowMs = Math.max(nowMs, (at * 8) / MUX_KBPS + delayMs)
    parser.push(stream.subarray(at, at + datagram), nowMs)
  }
  const report = transportReport([parser.take(nowMs)], { mode: 'sampled', everyMs: 30_000 })
  expect(report.pcrs[0]?.jitterMs).toBeGreaterThan(55)
  expect(report.pcrs[0]?.jitterMs).toBeLessThan(75)
})

test('datagrams that are not cut at packets, and those with an RTP header, read the same', () => {
  const counts = ({ pids, packets, pat, crcErrors }: MeasuredTransport) => ({
    pids,
    packets,
    sections: pat.sections,
    crcErrors,
  })
  const whole = counts(measured(stream))
  expect(counts(measured(stream, { datagramBytes: 1000 }))).toEqual(whole)
  expect(counts(measured(stream, { datagramBytes: 100 }))).toEqual(whole)
  const header = new Uint8Array(12)
  header[0] = 0x80
  header[1] = 33
  expect(counts(measured(stream, { header }))).toEqual(whole)
})

test('a wrong sync byte is an error, two in a row are a sync loss, and the sync is found again', () => {
  const wrongAt = (...indexes: number[]) =>
    changed(
      stream,
      (_packet, index) => indexes.includes(index),
      (bytes) => {
        bytes[0] = 0
      },
    )
  // Packets of stuffing: nothing else is missed.
  const nulls = packetsOf(stream).flatMap(({ pid }, index) => (pid === 8191 ? [index] : []))
  const alone = nulls[10] ?? 0
  const single = measured(wrongAt(alone))
  expect(single).toMatchObject({ syncByteErrors: 1, syncLosses: 0 })
  expect(faultsOf(single)).toEqual(['sync-byte x1'])
  const lost = measured(wrongAt(700, 701))
  expect(lost).toMatchObject({ syncByteErrors: 2, syncLosses: 1 })
  expect(faultsOf(lost)[0]).toBe('sync-loss x1')
  // Bytes that are missing: what follows begins elsewhere in each datagram.
  const shifted = Buffer.concat([stream.subarray(0, 100_100), stream.subarray(100_200)])
  expect(faultsOf(measured(shifted, { datagramBytes: 1000 }))[0]).toBe('sync-loss x1')
})

test('an interruption is one fault, not one of each table', () => {
  const half = Math.floor(stream.length / PACKET / 2) * PACKET
  const parser = new TransportParser(0)
  const brokenMs = feed(parser, stream.subarray(0, half))
  const startMs = brokenMs + 3000
  const endMs = feed(parser, stream.subarray(half + 40 * PACKET), { startMs })
  const report = transportReport([parser.take(endMs)], { mode: 'sampled', everyMs: 30_000 })
  expect(faultsOf(report)).toEqual(['interrupted'])
  expect(report.longestSilenceMs).toBeGreaterThanOrEqual(3000)
})

test('a stream without packets counts as silent, and has no other error', () => {
  const report = transportReport([new TransportParser(0).take(2000)], {
    mode: 'sampled',
    everyMs: 30_000,
  })
  expect(faultsOf(report)).toEqual(['silent'])
})

test('consecutive windows add up to the whole', () => {
  const parser = new TransportParser(0)
  const third = Math.floor(stream.length / (7 * PACKET) / 3) * 7 * PACKET
  const broken = without(nth(VIDEO_PID, 100))
  const windows = [0, 1, 2].map((part) => {
    const from = part * third
    const bytes = broken.subarray(from, part === 2 ? broken.length : from + third)
    return parser.take(feed(parser, bytes, { startMs: (from * 8) / MUX_KBPS }))
  })
  const parts = transportReport(windows, { mode: 'continuous', everyMs: null })
  const whole = measured(broken)
  expect(faultsOf(parts)).toEqual([`continuity ${VIDEO_PID} x1`])
  // Arrivals are compared within one window only.
  const jitterMs = parts.pcrs[0]?.jitterMs ?? 0
  const pcrs = whole.pcrs.map((timing) => ({ ...timing, jitterMs }))
  // A sum of fractions of a millisecond.
  const toMs: unknown = expect.closeTo(whole.toMs, 6)
  expect(parts).toEqual({ ...whole, pcrs, toMs, mode: 'continuous', everyMs: null })
})

test('noise of any kind neither throws nor grows a report', () => {
  const bytes = fc.uint8Array({ maxLength: 3000 })
  const packets = fc
    .array(fc.uint8Array({ minLength: PACKET, maxLength: PACKET }), { maxLength: 12 })
    .map((list) => Buffer.concat(list.map((packet) => Buffer.from([0x47, ...packet.slice(1)]))))
  const tables = fc
    .array(
      fc.tuple(fc.constantFrom(0, PMT_PID), fc.uint8Array({ minLength: 184, maxLength: 184 })),
      { maxLength: 12 },
    )
    .map((list) =>
      Buffer.concat(
        list.map(([pid, payload]) =>
          Buffer.from([0x47, 0x40 | (pid >> 8), pid & 0xff, 0x10, ...payload]),
        ),
      ),
    )
  const known = fc.nat({ max: 200 }).map((index) => stream.subarray(index * 77, index * 77 + 1316))
  fc.assert(
    fc.property(fc.array(fc.oneof(bytes, packets, tables, known), { maxLength: 40 }), (all) => {
      const parser = new TransportParser(0)
      all.forEach((datagram, index) => parser.push(datagram, index * 3))
      const report = transportReport([parser.take(all.length * 3)], {
        mode: 'sampled',
        everyMs: 30_000,
      })
      expect(report.pids.length).toBeLessThanOrEqual(64)
      expect(report.programs.length).toBeLessThanOrEqual(16)
      expect(report.pcrs.length).toBeLessThanOrEqual(16)
    }),
    { numRuns: 300 },
  )
})

test('all PIDs at once are counted, and the largest listed', () => {
  const parser = new TransportParser(0)
  for (let pid = 0; pid < 8192; pid++) {
    const packet = new Uint8Array(PACKET)
    packet.set([0x47, pid >> 8, pid & 0xff, 0x10])
    for (let times = pid === 7000 ? 5 : 1; times > 0; times--) {
      packet[3] = 0x10 | times
      parser.push(packet, pid / 10)
    }
  }
  const report = transportReport([parser.take(820)], { mode: 'sampled', everyMs: 30_000 })
  expect(report.pidCount).toBe(8192)
  expect(report.pids).toHaveLength(64)
  expect(report.pids.map(({ pid }) => pid)).toContain(7000)
})

/** By the seconds of the stream. */
function isBetween(at: number, fromS: number, toS: number): boolean {
  const seconds = (at * 8) / MUX_KBPS / 1000
  return seconds >= fromS && seconds < toS
}
