import { expect, test } from 'vitest'
import { nominalKbps, NO_PROGRESS, readProgressLine } from './ffmpeg.stats.ts'
import { addSample, NO_LINK_COUNT } from './link-sample.ts'
import { NO_RIST_COUNT } from './rist-count.ts'
import { readRistLine } from './rist.stats.ts'
import { readSrtLine } from './srt.stats.ts'

const SRT_CALLER =
  '{"sid":50588550,"timepoint":"2026-11-20T23:51:38.664812+0000","time":3182,"window":{"flow":8164,"congestion":8192,"flight":2},"link":{"rtt":0.081,"bandwidth":12.6,"maxBandwidth":1000},"send":{"packets":203,"packetsUnique":200,"packetsLost":4,"packetsDropped":1,"packetsRetransmitted":3,"packetsFilterExtra":0,"bytes":248124,"bytesUnique":248124,"bytesDropped":0,"byteAvailBuf":12286500,"msBuf":4,"mbitRate":1.251,"sendPeriod":9},"recv":{"packets":0,"packetsUnique":0,"packetsLost":0,"packetsDropped":0,"packetsRetransmitted":0,"packetsBelated":0,"packetsFilterExtra":0,"packetsFilterSupply":0,"packetsFilterLoss":0,"bytes":0,"bytesUnique":0,"bytesLost":0,"bytesDropped":0,"byteAvailBuf":12286500,"msBuf":0,"mbitRate":0,"msTsbPdDelay":200}}'
const RIST_RECEIVER =
  '1795218720.666684|0.0|[INFO] {"receiver-stats":{"flowinstant":{"flow_id":470618366,"dead":0,"stats":{"quality":100,"received":127,"dropped_late":0,"dropped_full":0,"missing":7,"recovered_total":6,"reordered":0,"retries":0,"recovered_one_nack":0,"recovered_two_nacks":0,"recovered_three_nacks":0,"recovered_four_nacks":0,"recovered_more_nacks":0,"lost":1,"avg_buffer_time":301,"duplicates":0,"missing_queue":0,"missing_queue_max":1071,"min_inter_packet_spacing":1148,"cur_inter_packet_spacing":7865,"max_inter_packet_spacing":10484,"bitrate":1211241},"peers":[{"id":2,"dead":0,"stats":{"received_data":127,"received_rtcp":20,"sent_rtcp":20,"rtt":5,"avg_rtt":5,"bitrate":1211416,"avg_bitrate":290046}}]}}}'
const RIST_SENDER =
  '1795218719.667713|0.0|[INFO] {"sender-stats":{"peer":{"flow_id":470618366,"id":1,"cname":"vm@127.0.0.1:23201","type":"data","stats":{"quality":96.87,"sent":143,"received":20,"retransmitted":7,"bandwidth":1162544,"retry_bandwidth":0,"bandwidth_skipped":1,"bloat_skipped":2,"retransmit_skipped":3,"rtt":3,"avg_rtt":3,"retry_buffer_size":1,"cooldown_time":0}}}}'

/** The reading after one line of a link with one path. */
function ristReading(line: string, direction: 'send' | 'receive') {
  const link = { direction, isSimple: false, addresses: [] }
  return readRistLine({ count: NO_RIST_COUNT, reading: null }, line, link).reading
}

test('an SRT line becomes counts and rates', () => {
  expect(readSrtLine(SRT_CALLER, 'send')).toEqual({
    protocol: 'srt',
    direction: 'send',
    atMs: Date.parse('2026-11-20T23:51:38.664Z'),
    toolKbps: 1207,
    rttMs: 0.081,
    latencyMs: 200,
    packets: 200,
    // Less 44 bytes of headers a packet.
    payloadBytes: 239_324,
    bytes: 248_124,
    lostPackets: null,
    retransmittedPackets: 3,
    droppedPackets: null,
    gaveUpPackets: 1,
    sendBufferMs: 4,
  })
})

test('the receiving end of SRT reports dropped packets, the sending end does not', () => {
  const received = SRT_CALLER.replace(
    '"recv":{"packets":0,"packetsUnique":0,"packetsLost":0,"packetsDropped":0',
    '"recv":{"packets":90,"packetsUnique":80,"packetsLost":7,"packetsDropped":2',
  )
  expect(readSrtLine(received, 'receive')).toMatchObject({
    packets: 80,
    lostPackets: 7,
    droppedPackets: 2,
  })
  expect(readSrtLine(received, 'send')).toMatchObject({ lostPackets: null, droppedPackets: null })
  expect(readSrtLine(received, 'receive')).not.toHaveProperty('sendBufferMs')
})

test.each([
  ['an hour east', '+0100', '2026-11-20T22:51:38.664Z'],
  ['half an hour off the hour', '+0530', '2026-11-20T18:21:38.664Z'],
])('an SRT line of a host %s keeps its time', (_where, zone, moment) => {
  const line = SRT_CALLER.replace('+0000', zone)
  expect(readSrtLine(line, 'send')?.atMs).toBe(Date.parse(moment))
})

test('an SRT line without a valid time is ignored', () => {
  expect(readSrtLine(SRT_CALLER.replace('2026-11-20T', 'noon '), 'send')).toBeNull()
})

test('a RIST receiver line becomes counts and rates', () => {
  expect(ristReading(RIST_RECEIVER, 'receive')).toEqual({
    kind: 'link',
    protocol: 'rist',
    direction: 'receive',
    atMs: 1795218720667,
    bitrateKbps: 1211,
    rttMs: 5,
    packets: 127,
    lostPackets: 7,
    retransmittedPackets: 6,
    droppedPackets: 1,
  })
})

test('a RIST receiver that receives nothing has no rate, though the tool keeps its last one', () => {
  const quiet = RIST_RECEIVER.replace('"received":127', '"received":0')
  expect(ristReading(quiet, 'receive')?.bitrateKbps).toBe(0)
})

test('a RIST sender line becomes counts and rates', () => {
  expect(ristReading(RIST_SENDER, 'send')).toEqual({
    kind: 'link',
    protocol: 'rist',
    direction: 'send',
    atMs: 1795218719668,
    bitrateKbps: 1163,
    rttMs: 3,
    // Of 143 were 7 sent again, and 13 control packets.
    packets: 123,
    lostPackets: null,
    retransmittedPackets: 7,
    droppedPackets: null,
  })
})

const NOT_STATISTICS = [
  '',
  'SRT target connected',
  '{"sid":1',
  SRT_CALLER.slice(0, 300),
  '[]',
  '{"__proto__":{}}',
  '1795218717.677079|0.0|[INFO] {"flow_cumulative_stats":{"flow_id":470618366,"received":0,"recovered":0,"lost":0}}',
  RIST_SENDER.slice(0, 200),
]

test.each(NOT_STATISTICS)('a line without statistics is ignored: %s', (line) => {
  for (const direction of ['send', 'receive'] as const) {
    expect(readSrtLine(line, direction)).toBeNull()
    expect(ristReading(line, direction)).toBeNull()
  }
})

test('lines count since the line before; a reading sums them up', () => {
  const sample = readSrtLine(SRT_CALLER, 'send')
  if (!sample) throw new Error('not read')
  const { count, reading } = addSample(NO_LINK_COUNT, null, sample)
  const next = { ...sample, atMs: sample.atMs + 1000, rttMs: 7 }
  const { reading: twice } = addSample(count, reading, next)
  expect(twice).toMatchObject({ packets: 400, bytes: 496_248, lostPackets: null })
  expect(twice).toMatchObject({
    kind: 'link',
    bitrateKbps: 1915,
    retransmittedPackets: 6,
    rttMs: 7,
  })
})

function progressBlock(frame: number, totalSize: string, outTimeUs: number): string[] {
  return [
    `frame=${frame}`,
    'fps=25.04',
    'stream_0_0_q=5.5',
    'bitrate=1204.3kbits/s',
    `total_size=${totalSize}`,
    `out_time_us=${outTimeUs}`,
    `out_time_ms=${outTimeUs}`,
    'out_time=00:00:19.960011',
    'dup_frames=1',
    'drop_frames=2',
    'speed=0.996x',
    'progress=continue',
  ]
}

function read(blocks: [lines: string[], nowMs: number][]) {
  return blocks.reduce(
    (progress, [lines, nowMs]) =>
      lines.reduce(
        (before, line) => readProgressLine(before, line, { nowMs, nominalKbps: 1850 }),
        progress,
      ),
    NO_PROGRESS,
  ).reading
}

test('ffmpeg: a constant rate reads the same for every block alignment', () => {
  // 4,500 kbit/s, written in bursts: a block of one second holds 5 % more or less.
  const bursts = Array.from({ length: 12 }, (_, index) => {
    const bytes = index * 562_500 + (index % 2) * 28_000
    return [progressBlock(index * 25, String(bytes), index * 1_000_000), 100_000 + index * 1000]
  }) as [string[], number][]
  const kbps = read(bursts)?.bitrateKbps ?? 0
  expect(Math.abs(kbps - 4500)).toBeLessThan(45)
})

test('ffmpeg: a stalled stream has no rate at once', () => {
  const reading = read([
    [progressBlock(452, '2704804', 17_960_000), 100_000],
    [progressBlock(502, '3004804', 19_960_000), 102_000],
    [progressBlock(502, '3004804', 19_960_000), 103_000],
  ])
  expect(reading).toMatchObject({ bitrateKbps: 0, speed: 0, framesPerSecond: 0 })
})

test('ffmpeg: rates over the last blocks, not since the start', () => {
  const reading = read([
    [progressBlock(452, '2704804', 17_960_000), 100_000],
    [progressBlock(502, '3004804', 19_960_000), 102_000],
  ])
  expect(reading).toEqual({
    kind: 'encode',
    atMs: 102_000,
    bitrateKbps: 1200,
    bytes: 3_004_804,
    framesPerSecond: 25,
    speed: 1,
    droppedFrames: 2,
    duplicatedFrames: 1,
  })
})

test('ffmpeg: half speed shows as half speed and half the rate', () => {
  const reading = read([
    [progressBlock(452, '2704804', 17_960_000), 100_000],
    [progressBlock(502, '3004804', 19_960_000), 104_000],
  ])
  expect(reading).toMatchObject({ bitrateKbps: 600, speed: 0.5, framesPerSecond: 12.5 })
})

test('ffmpeg: old blocks read in one go have the media’s own time', () => {
  const reading = read([
    [progressBlock(452, '2704804', 17_960_000), 100_000],
    [progressBlock(502, '3004804', 19_960_000), 100_000],
  ])
  expect(reading).toMatchObject({ bitrateKbps: 1200, speed: 1 })
})

test('ffmpeg: without a byte count the configured rate is used, scaled by the speed', () => {
  const reading = read([
    [progressBlock(452, 'N/A', 17_960_000), 100_000],
    [progressBlock(502, 'N/A', 19_960_000), 104_000],
  ])
  expect(reading).toMatchObject({ bitrateKbps: 925, speed: 0.5 })
})

test.each<[argv: string[], kbps: number]>([
  [['ffmpeg', '-b:v', '1500k', '-muxrate', '1850000', 'udp://…'], 1850],
  [['ffmpeg', '-f', 'tee', '[f=mpegts:muxrate=4500000:onfail=ignore]udp://…'], 4500],
  [['ffmpeg', '-b:v', '1500k', '-b:a', '128k', '-f', 'tee'], 1628],
  [['ffmpeg', '-i', 'x'], 0],
])('the rate that a command asks for: %j', (argv, kbps) => {
  expect(nominalKbps(argv)).toBe(kbps)
})

test('ffmpeg: a new process in the same log starts from nothing', () => {
  const reading = read([
    [progressBlock(500, '3004804', 19_960_000), 100_000],
    [progressBlock(1, '0', 0), 102_000],
  ])
  expect(reading).toBeNull()
})

test('ffmpeg: bytes add up over the processes of a log; a copied stream has no frames', () => {
  const reading = read([
    [progressBlock(0, '1000', 0), 100_000],
    [progressBlock(0, '3000', 2_000_000), 102_000],
    [progressBlock(0, '500', 500_000), 104_000],
    [progressBlock(0, '1500', 1_500_000), 105_000],
  ])
  expect(reading).toMatchObject({ bytes: 4500, bitrateKbps: 8 })
})
