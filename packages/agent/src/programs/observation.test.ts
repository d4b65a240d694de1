import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'
import { expect, test } from 'vitest'
import { NO_PEER_YET, PEER_IS_HERE, readRistPeer } from '../logs/peer-state.ts'
import { observe } from './observation.ts'
import { ProgramBoard } from './program-board.ts'
import { newProgram, newLastLook, type Program } from './program.ts'

const START_MS = 1_000_000

function started(parts: Partial<Program> = {}): Program {
  const unit = {
    argv: [],
    repeat: 'never',
    output: 'srt',
    direction: 'receive',
    secrets: [],
  } as const
  const applied = { owner: 'test', programId: 'input-1', revision: '', unit, ports: [], bus: null }
  return {
    ...newProgram({ ...applied, spec: null, wanted: 'running' }, START_MS),
    state: 'running',
    sinceMs: START_MS,
    startedAtMs: START_MS,
    pid: 7,
    ...parts,
  }
}

function reading(atMs: number, parts: Partial<LinkReading> = {}): LinkReading {
  return {
    kind: 'link',
    protocol: 'srt',
    direction: 'receive',
    atMs,
    bitrateKbps: 4500,
    rttMs: 20,
    packets: 100,
    lostPackets: 0,
    retransmittedPackets: 0,
    droppedPackets: 0,
    ...parts,
  }
}

/** Connected after ten minutes without a peer, and moving. */
function moving(): { program: Program; nowMs: number } {
  const program = started()
  observe(program, START_MS + 100)
  const cameMs = START_MS + 600_000
  program.peer = PEER_IS_HERE
  observe(program, cameMs)
  program.reading = reading(cameMs + 500)
  observe(program, cameMs + 500)
  program.reading = reading(cameMs + 1000)
  observe(program, cameMs + 1000)
  return { program, nowMs: cameMs + 1000 }
}

test('peer and media count from their arrival, not from the program’s start', () => {
  const program = started()
  observe(program, START_MS + 100)
  expect(program.observed).toMatchObject({
    peerSinceMs: START_MS,
    media: 'waiting',
    mediaSinceMs: START_MS,
  })
  const { program: later, nowMs } = moving()
  expect(later.observed).toMatchObject({
    peerSinceMs: nowMs - 1000,
    media: 'moving',
    mediaSinceMs: nowMs - 500,
  })
})

test('media is silent since its last packet, and has no rate from then on', () => {
  const { program, nowMs } = moving()
  observe(program, nowMs + 2400)
  expect(program.observed?.media).toBe('moving')
  observe(program, nowMs + 2600)
  expect(program.observed).toMatchObject({
    media: 'silent',
    mediaSinceMs: nowMs,
    peerSinceMs: nowMs - 1000,
  })
  expect(program.reading).toMatchObject({
    bitrateKbps: 0,
    rttMs: null,
    packets: 100,
    atMs: nowMs + 2600,
  })
  observe(program, nowMs + 60_000)
  expect(program.observed?.mediaSinceMs).toBe(nowMs)
  program.reading = reading(nowMs + 61_000)
  observe(program, nowMs + 61_000)
  expect(program.observed).toMatchObject({ media: 'moving', mediaSinceMs: nowMs + 61_000 })
})

test('when the far end disconnects, rate and round trip disappear at once', () => {
  const { program, nowMs } = moving()
  program.peer = { ...PEER_IS_HERE, peer: 'disconnected' }
  observe(program, nowMs + 200)
  expect(program.observed).toMatchObject({
    peerSinceMs: nowMs + 200,
    media: 'silent',
    mediaSinceMs: nowMs,
  })
  expect(program.reading).toMatchObject({ bitrateKbps: 0, rttMs: null })
})

test('a report after the far end has gone does not restore the round trip', () => {
  const { program, nowMs } = moving()
  program.peer = { ...PEER_IS_HERE, peer: 'disconnected' }
  observe(program, nowMs + 300)
  program.reading = reading(nowMs + 2000, { bitrateKbps: 0, rttMs: 5 })
  observe(program, nowMs + 2000)
  expect(program.reading).toMatchObject({ bitrateKbps: 0, rttMs: null })
})

test('a report every two seconds: media end within the last that held fewer packets than usual', () => {
  const { program, nowMs } = moving()
  const report = (atMs: number, packets: number, bitrateKbps: number) => {
    program.reading = reading(atMs, { protocol: 'rist', packets, bitrateKbps })
    observe(program, atMs)
  }
  report(nowMs + 2000, 450, 1850)
  report(nowMs + 4000, 800, 1850)
  // A quarter of the usual 350.
  report(nowMs + 6000, 887, 1850)
  report(nowMs + 8000, 887, 0)
  expect(program.observed).toMatchObject({ media: 'silent' })
  const sinceMs = program.observed?.mediaSinceMs ?? 0
  expect(Math.abs(sinceMs - (nowMs + 4500))).toBeLessThan(50)
})

test('a low bitrate, and a tool that reports once a minute, are no silence between two readings', () => {
  // 200 packets of 1316 bytes at 64 kbit/s take 33 s.
  const thin = started({ peer: PEER_IS_HERE, reading: reading(START_MS, { bitrateKbps: 64 }) })
  observe(thin, START_MS)
  observe(thin, START_MS + 40_000)
  expect(thin.observed?.media).toBe('moving')
  observe(thin, START_MS + 50_000)
  expect(thin.observed?.media).toBe('silent')
  const spec = {
    kind: 'receiver',
    outer: { protocol: 'rist', statIntervalMs: 60_000 },
  } as Program['spec']
  const slow = started({
    spec,
    peer: PEER_IS_HERE,
    reading: reading(START_MS, { protocol: 'rist' }),
  })
  observe(slow, START_MS)
  observe(slow, START_MS + 80_000)
  expect(slow.observed?.media).toBe('moving')
})

test('a warning has its own start time, and ends', () => {
  const encode = (atMs: number, speed: number) => ({
    kind: 'encode' as const,
    atMs,
    bitrateKbps: 1850,
    framesPerSecond: 25,
    speed,
    droppedFrames: 0,
    duplicatedFrames: 0,
  })
  const program = started({ reading: encode(START_MS + 1000, 1) })
  observe(program, START_MS + 1000)
  expect(program.observed?.warning).toBe('')
  program.reading = encode(START_MS + 900_000, 0.7)
  observe(program, START_MS + 900_100)
  expect(program.observed).toMatchObject({ warning: 'slow', warningSinceMs: START_MS + 900_000 })
  program.reading = encode(START_MS + 901_000, 0.8)
  observe(program, START_MS + 901_000)
  expect(program.observed?.warningSinceMs).toBe(START_MS + 900_000)
  program.reading = encode(START_MS + 902_000, 1)
  observe(program, START_MS + 902_000)
  expect(program.observed).toMatchObject({ warning: '', warningSinceMs: START_MS + 902_000 })
})

test('a finding has a start time for each threshold step', () => {
  const { program, nowMs } = moving()
  program.reading = reading(nowMs + 1000)
  const lose = (atMs: number, gaveUpPackets: number) => {
    program.lastLook.loss = [...program.lastLook.loss, { atMs, packets: 1000, gaveUpPackets }]
    observe(program, atMs)
  }
  lose(nowMs + 1000, 1)
  expect(program.observed).toMatchObject({ warning: '' })
  expect(program.observed?.findings?.map(({ step }) => step)).toEqual([0.01, 0.02, 0.05])
  lose(nowMs + 2000, 9)
  expect(program.observed).toMatchObject({ warning: 'losing' })
  expect(program.observed?.findings?.map(({ step }) => step).at(-1)).toBe(0.2)
  observe(program, nowMs + 30_000)
  expect(program.observed?.findings).toEqual([])
})

test('a silent path among several is a warning since it fell silent', () => {
  const path = {
    address: 'a:1',
    isAlive: true,
    silentSinceMs: null,
    bitrateKbps: 1,
    rttMs: 1,
    packets: 1,
    retransmittedPackets: 0,
    savedPackets: 0,
  }
  const paths = [path, { ...path, isAlive: false, silentSinceMs: START_MS + 5000 }]
  const program = started({ peer: PEER_IS_HERE, reading: reading(START_MS + 6000, { paths }) })
  observe(program, START_MS + 6000)
  expect(program.observed).toMatchObject({
    warning: 'path-silent',
    warningSinceMs: START_MS + 5000,
  })
})

test('stored observations stay valid after a restart of the agent until lines are read', () => {
  const { program: before, nowMs } = moving()
  const againMs = nowMs + 30_000
  const program = started({
    peer: PEER_IS_HERE,
    observed: before.observed,
    reading: before.reading,
    lastLook: { ...newLastLook(againMs), peer: 'connected' },
  })
  observe(program, againMs + 100)
  expect(program.observed).toEqual(before.observed)
  // Nothing came meanwhile: silent since the last reading, not since the start of ours.
  observe(program, againMs + 4000)
  expect(program.observed).toMatchObject({ media: 'silent', mediaSinceMs: nowMs })
})

test('without a process nothing is observed', () => {
  const { program, nowMs } = moving()
  program.state = 'stopped'
  observe(program, nowMs)
  expect(program.observed).toBeNull()
})

const HANDSHAKE = {
  address: '203.0.113.5:4512',
  version: '1.5.1',
  peerLatencyMs: 200,
  encryption: 'AES-256',
  isAnswered: true,
  keys: 'alike',
} as const

test('CON-IN-26 facts of a peer have their own age and go with it', () => {
  const { program, nowMs } = moving()
  expect(program.observed?.peerFacts).toBeNull()
  program.peer = { ...PEER_IS_HERE, handshake: HANDSHAKE }
  observe(program, nowMs + 100)
  const first = program.observed?.peerFacts
  // It came with the peer, and was read a moment later.
  expect(first).toMatchObject({ sinceMs: nowMs - 1000, latencyMs: null, srtVersion: '1.5.1' })
  program.peer = { ...program.peer, latencyMs: 200 }
  observe(program, nowMs + 200)
  expect(program.observed?.peerFacts).toEqual({ ...first, latencyMs: 200 })
  program.peer = { ...PEER_IS_HERE, handshake: { ...HANDSHAKE, address: '203.0.113.5:4600' } }
  observe(program, nowMs + 300)
  expect(program.observed?.peerFacts).toMatchObject({
    sinceMs: nowMs + 300,
    address: '203.0.113.5:4600',
    latencyMs: null,
  })
  program.peer = { ...PEER_IS_HERE, peer: 'disconnected' }
  observe(program, nowMs + 400)
  expect(program.observed?.peerFacts).toBeNull()
})

test('CON-IN-26 facts stay when their log is gone after a restart of the agent', () => {
  const { program, nowMs } = moving()
  program.peer = { ...PEER_IS_HERE, handshake: HANDSHAKE, latencyMs: 200 }
  observe(program, nowMs + 100)
  const facts = program.observed?.peerFacts
  program.peer = PEER_IS_HERE
  observe(program, nowMs + 5000)
  expect(program.observed?.peerFacts).toEqual(facts)
})

test('a reading alone does not publish its program: it goes out with the readings', () => {
  const board = new ProgramBoard()
  const published: string[] = []
  board.listen(({ type }) => void published.push(type))
  const program = started({ reading: reading(START_MS) })
  board.add(program)
  board.publish(program)
  program.reading = reading(START_MS + 1000)
  board.publish(program)
  expect(published).toEqual(['program'])
  program.deathCause = 'The source is gone.'
  program.state = 'fatal'
  board.publish(program)
  expect(published).toEqual(['program', 'program'])
})

type Seen = NonNullable<Program['lastLook']['content']>

function seen(program: Program, atMs: number, content: Partial<Seen>): void {
  program.lastLook = {
    ...program.lastLook,
    content: { atMs, picture: null, sound: null, ...content },
  }
  program.reading = reading(atMs)
  observe(program, atMs)
}

test('a black picture is a warning once it has lasted over two looks, since it began', () => {
  const { program, nowMs } = moving()
  const picture = { kind: 'black', sinceMs: nowMs } as const
  seen(program, nowMs + 2000, { picture })
  expect(program.observed?.warning).toBe('')
  seen(program, nowMs + 5000, { picture })
  expect(program.observed).toMatchObject({ warning: 'black', warningSinceMs: nowMs })
  seen(program, nowMs + 9000, { picture: { kind: 'moving', sinceMs: nowMs + 8000 } })
  expect(program.observed?.warning).toBe('')
})

test('a worse finding is shown before silence', () => {
  const { program, nowMs } = moving()
  const sound = { kind: 'silent', sinceMs: nowMs } as const
  const frozen = { kind: 'frozen', sinceMs: nowMs } as const
  seen(program, nowMs + 6000, { sound, picture: frozen })
  expect(program.observed?.warning).toBe('frozen')
  seen(program, nowMs + 9000, { sound })
  expect(program.observed?.warning).toBe('silent')
})

test('after a start of the agent a black picture stays so until the first look', () => {
  const { program, nowMs } = moving()
  seen(program, nowMs + 5000, { picture: { kind: 'black', sinceMs: nowMs } })
  program.lastLook = { ...newLastLook(nowMs + 6000), peer: program.lastLook.peer }
  program.reading = reading(nowMs + 7000)
  observe(program, nowMs + 7000)
  expect(program.observed).toMatchObject({ warning: 'black', warningSinceMs: nowMs })
  seen(program, nowMs + 9000, {})
  expect(program.observed?.warning).toBe('')
})

test.each([
  [
    '[ERROR] Disabling packet processing till new NONCE',
    'The two ends have different secrets (RIST).',
    'The two ends had different secrets when the far end was last heard (RIST). RIST reports this only once: whether the far end still sends is not known.',
  ],
  [
    '[ERROR] Receiving encrypted data, but configured without keysize!',
    'One end encrypts, the other does not (RIST).',
    'The far end is not heard now. When it was last heard, only one of the two ends encrypted (RIST).',
  ],
])(
  'FEED-11 a RIST receiver says of a trouble when it is not known any more: %s',
  (text, now, past) => {
    const program = started()
    const lastAtMs = START_MS + 600_000
    const line = (atMs: number) => `${atMs / 1000}|0.0|${text}`
    program.peer = readRistPeer(readRistPeer(program.peer, line(START_MS)), line(lastAtMs))
    observe(program, lastAtMs + 59_000)
    expect(program.peer.trouble).toBe(now)
    observe(program, lastAtMs + 60_000)
    expect(program.peer.trouble).toBe(past)
    program.peer = readRistPeer(program.peer, line(lastAtMs + 90_000))
    observe(program, lastAtMs + 91_000)
    expect(program.peer.trouble).toBe(now)
  },
)

test('FEED-11 a listener names the rejection of a caller only while it calls again and again', () => {
  const trouble = 'The two ends have different passphrases (SRT: Incorrect passphrase).'
  const program = started()
  program.peer = { ...NO_PEER_YET, trouble, rejections: 4 }
  const lastAtMs = START_MS + 600_000
  program.lastLook = { ...program.lastLook, rejectedAtMs: lastAtMs }
  observe(program, lastAtMs + 59_000)
  expect(program.peer.trouble).toBe(trouble)
  observe(program, lastAtMs + 60_000)
  const past = 'Nobody calls now. The last call was rejected (SRT: Incorrect passphrase).'
  expect(program.peer).toEqual({ ...NO_PEER_YET, trouble: past })
  observe(program, lastAtMs + 120_000)
  expect(program.peer.trouble).toBe(past)
})
