import { expect, test } from 'vitest'
import { afterSending, newPath, pathTrouble, silentPath } from './rist-paths.ts'
import { NO_RIST_COUNT, type Counted, type RistLink } from './rist-count.ts'
import { readRistLine } from './rist.stats.ts'

// Lines of librist 0.2.7 as they stood in its logs, shortened to what is read.
const TWO_WAYS: RistLink = {
  direction: 'send',
  isSimple: false,
  addresses: ['far.example:6002', '198.51.100.7:6004'],
}
const ONE_WAY: RistLink = { ...TWO_WAYS, addresses: [] }
const RECEIVER: RistLink = { direction: 'receive', isSimple: false, addresses: [] }
const NOTHING: Counted = { count: NO_RIST_COUNT, reading: null }

interface Sent {
  id: number
  /** Payload alone; the tool adds what it sent again and its control packets. */
  sent: number
  received?: number
  rateBps?: number
  type?: string
}

function sent(second: number, { id, sent: packets, received = 20, ...more }: Sent): string {
  const { rateBps = 2_000_000, type = 'data' } = more
  return `17953226${second}.79${id}|0.0|[INFO] {"sender-stats":{"peer":{"flow_id":1,"id":${id},"cname":"far","type":"${type}","stats":{"quality":100,"sent":${packets + Math.max(received, id)},"received":${received},"retransmitted":${id},"bandwidth":${rateBps},"retry_bandwidth":0,"bandwidth_skipped":0,"bloat_skipped":0,"retransmit_skipped":0,"rtt":5,"avg_rtt":5,"retry_buffer_size":1,"cooldown_time":0}}}}`
}

type Peers = readonly (readonly [id: number, packets: number, dead?: 0 | 1])[]

function received(second: number, packets: number, peers: Peers, flowId = 9): string {
  const list = peers.map(
    ([id, data, dead = 0]) =>
      `{"id":${id},"dead":${dead},"stats":{"received_data":${data},"received_rtcp":20,"sent_rtcp":20,"rtt":7,"avg_rtt":5,"bitrate":2004000,"avg_bitrate":1}}`,
  )
  return `17953226${second}.800000|0.0|[INFO] {"receiver-stats":{"flowinstant":{"flow_id":${flowId},"dead":0,"stats":{"quality":100,"received":${packets},"missing":0,"recovered_total":0,"lost":0,"bitrate":1990000},"peers":[${list.join(',')}]}}}`
}

function silent(second: number, id: number): string {
  return `17953226${second}.500000|0.0|[WARNING] Listening peer ${id} timed out after 732 ms`
}

function read(lines: readonly string[], link: RistLink, from: Counted = NOTHING): Counted {
  return lines.reduce((before, line) => readRistLine(before, line, link), from)
}

function round(second: number): string[] {
  return [sent(second, { id: 1, sent: 210 }), sent(second, { id: 2, sent: 209 })]
}

test('a stream on two paths is counted once, and each path by itself', () => {
  const { reading } = read([...round(50), ...round(51)], TWO_WAYS)
  expect(reading).toMatchObject({
    packets: 420,
    bitrateKbps: 2211,
    rttMs: 5,
    retransmittedPackets: 6,
  })
  expect(reading?.paths).toEqual([
    {
      address: 'far.example:6002',
      isAlive: true,
      silentSinceMs: null,
      bitrateKbps: 2000,
      rttMs: 5,
      packets: 420,
      retransmittedPackets: 2,
      savedPackets: 0,
    },
    expect.objectContaining({ address: '198.51.100.7:6004', packets: 418, savedPackets: 0 }),
  ])
  expect(pathTrouble(reading)).toBe('')
})

test('a path is silent from the line that says so; the other path counts as recovering', () => {
  const lost = read([...round(50), silent(51, 1)], TWO_WAYS)
  expect(lost.reading?.paths?.[0]).toMatchObject({
    isAlive: false,
    silentSinceMs: 1_795_322_651_500,
    bitrateKbps: 0,
    rttMs: null,
  })
  expect(pathTrouble(lost.reading)).toBe('The first path (far.example:6002) is silent.')
  const alone = read(
    [51, 52].map((second) => sent(second, { id: 2, sent: 210 })),
    TWO_WAYS,
    lost,
  )
  expect(alone.reading?.packets).toBe(210 + 420)
  expect(alone.reading?.paths?.map((path) => path.savedPackets)).toEqual([0, 420])
  // Its first line counts what it sent before it was silent, too: that is not the stream's.
  const back = read(
    [sent(53, { id: 1, sent: 388 }), sent(53, { id: 2, sent: 210 })],
    TWO_WAYS,
    alone,
  )
  expect(back.reading?.packets).toBe(210 + 630)
  expect(back.reading?.paths?.map((path) => path.isAlive)).toEqual([true, true])
  expect(back.reading?.paths?.map((path) => path.savedPackets)).toEqual([0, 420])
  expect(pathTrouble(back.reading)).toBe('')
})

test('a path that never answers is silent, although data is sent on it', () => {
  const start = read([sent(50, { id: 2, sent: 4, received: 0, rateBps: 0 })], TWO_WAYS)
  expect(start.reading?.paths?.[1]?.silentSinceMs).toBeNull()
  const lines = [sent(51, { id: 1, sent: 210 }), sent(51, { id: 2, sent: 10, received: 0 })]
  const { reading } = read([...lines, ...lines], TWO_WAYS, start)
  expect(reading?.paths?.map((path) => path.isAlive)).toEqual([true, false])
  expect(pathTrouble(reading)).toBe('The second path (198.51.100.7:6004) is silent.')
})

test('both paths silent is a lost peer, not a path warning', () => {
  const { reading } = read([...round(50), silent(51, 1), silent(51, 2)], TWO_WAYS)
  expect(pathTrouble(reading)).toBe('')
})

test('control packets without a receiver do not count as a stream', () => {
  const { reading } = read([sent(50, { id: 1, sent: 10, received: 0, rateBps: 4700 })], ONE_WAY)
  expect(reading).toMatchObject({ packets: 0, bitrateKbps: 0, rttMs: null })
})

test('one of several receivers counts for the stream; there are no paths', () => {
  const { reading } = read([...round(50), sent(51, { id: 2, sent: 209 })], ONE_WAY)
  expect(reading).toMatchObject({ packets: 419, bitrateKbps: 2198 })
  expect(reading).not.toHaveProperty('paths')
})

test('RIST Simple: control packets do not count as stream, and keep the path alive', () => {
  const simple = { ...TWO_WAYS, isSimple: true }
  const control = { received: 20, rateBps: 9000, type: 'rtcp' }
  const lines = [
    sent(50, { id: 1, sent: 190, received: 0 }),
    sent(50, { id: 2, sent: 20, ...control }),
    sent(50, { id: 3, sent: 190, received: 0 }),
    sent(50, { id: 4, sent: 20, ...control }),
  ]
  const { reading } = read(lines, simple)
  expect(reading).toMatchObject({ packets: 190, bitrateKbps: 2000 })
  expect(reading?.paths?.map((path) => [path.isAlive, path.packets])).toEqual([
    [true, 190],
    [true, 190],
  ])
  const lost = read([silent(51, 3), silent(51, 4)], simple, { ...NOTHING, reading })
  expect(lost.reading?.paths?.map((path) => path.isAlive)).toEqual([true, false])
})

function callers(...ids: number[]): string[] {
  return ids.flatMap((id) => [
    `1795322650.1|1.0|[INFO] New RTCP peer connecting, flow_id 9, peer_id ${id}, ports 1969 <- 32768`,
    `1795322650.1|0.0|[INFO] Peer has been authenticated, sending oob/api message: auth,198.51.100.${id}:14126,0.0.0.0:6002`,
  ])
}

const BOTH = [
  ...callers(2, 3),
  received(50, 0, [
    [2, 1],
    [3, 1],
  ]),
  // The second way is slower: twelve of its copies are still to come.
  received(51, 190, [
    [2, 190],
    [3, 178],
  ]),
]

test('an input shows the two paths of a stream, and what each recovered', () => {
  const quiet = read(BOTH, RECEIVER)
  expect(quiet.reading?.paths?.map((path) => [path.address, path.savedPackets])).toEqual([
    ['198.51.100.2', 0],
    ['198.51.100.3', 0],
  ])
  const lossy = [52, 53].map((second) =>
    received(second, 190, [
      [2, 190],
      [3, 186],
    ]),
  )
  const { reading } = read(lossy, RECEIVER, quiet)
  expect(reading).toMatchObject({ packets: 570, bitrateKbps: 2000, rttMs: 7 })
  // One line behind: a line may fall between a packet and its copy.
  expect(reading?.paths?.map((path) => path.savedPackets)).toEqual([4, 0])
  expect(reading?.paths?.[0]).toMatchObject({ bitrateKbps: 2004, retransmittedPackets: null })
})

test('a path that the tool dropped keeps its place, and returns there as a new peer', () => {
  const gone = read(
    [
      silent(52, 2),
      received(52, 190, [
        [2, 90, 1],
        [3, 190],
      ]),
      received(53, 190, [[3, 190]]),
      received(54, 190, [[3, 190]]),
    ],
    RECEIVER,
    read(BOTH, RECEIVER),
  )
  expect(gone.reading?.paths?.map((path) => path.isAlive)).toEqual([false, true])
  expect(pathTrouble(gone.reading)).toBe('The first path (198.51.100.2) is silent.')
  expect(gone.reading?.paths?.[1]?.savedPackets).toBe(290)
  const line = received(55, 190, [
    [3, 190],
    [7, 120],
  ])
  const back = read([...callers(7), line], RECEIVER, gone)
  expect(back.reading?.paths?.map((path) => [path.address, path.isAlive])).toEqual([
    ['198.51.100.7', true],
    ['198.51.100.3', true],
  ])
})

test('a restarted agent continues the sums', () => {
  const { reading } = read(BOTH, RECEIVER)
  const line = received(52, 190, [[3, 190]])
  const after = read([line], RECEIVER, { count: NO_RIST_COUNT, reading })
  expect(after.reading?.packets).toBe(380)
  expect(after.reading?.paths).toHaveLength(2)
})

test('a restarted caller begins with new paths', () => {
  const again = received(60, 190, [[8, 190]], 10)
  expect(read([again], RECEIVER, read(BOTH, RECEIVER)).reading).not.toHaveProperty('paths')
})

test('a reading has eight paths at most, and few callers are remembered', () => {
  const many = Array.from({ length: 100 }, (_, index) => index + 1)
  const calls = many.flatMap((id) => [
    `1795322650.100000|0.0|[INFO] New peer connecting, peer_id ${id}`,
    `1795322650.200000|0.0|[INFO] sending oob/api message: auth,192.0.2.${id}:14126,10.0.0.1:6000`,
  ])
  const peers = many.map((id) => [id, 10] as const)
  const { count, reading } = read([...calls, received(51, 210, peers)], RECEIVER)
  expect(reading?.packets).toBe(210)
  expect(reading?.paths).toHaveLength(8)
  expect(count.callers.size).toBe(64)
  expect(count.callers.get(100)).toBe('192.0.2.100')
})

test.each([
  ['its time', round(51)[0]?.replace(/^[0-9.]+/, '')],
  ['most of its time', round(51)[0]?.slice(9)],
  ['all in front of its numbers', round(51)[0]?.replace(/^.*(?=\{"sender)/, '')],
])('a line without %s is ignored', (_what, line = '') => {
  const before = read(round(50), TWO_WAYS)
  expect(readRistLine(before, line, TWO_WAYS)).toBe(before)
})

test('a way of three saves packets only while both others are silent', () => {
  const [alive, silentOther] = [{ ...newPath('a'), isAlive: true }, silentPath(newPath('b'), 1000)]
  const stats = { sent: 10, retransmitted: 0, bandwidth: 1000, rtt: 5, received: 1 }
  const peer = { stats } as Parameters<typeof afterSending>[2]
  const saved = (others: Parameters<typeof afterSending>[1]) =>
    afterSending(alive, others, peer).savedPackets
  expect(saved([silentOther, { ...newPath('c'), isAlive: true }])).toBe(0)
  expect(saved([silentOther, silentPath(newPath('c'), 1000)])).toBe(10)
})
