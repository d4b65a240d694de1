import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import { PAUSED } from '@trunkline/contract/program-state'
import { expect, test } from 'vitest'
import { FIRST_HELLO_MS } from '@trunkline/contract/fleet/first-answer.rules'
import { movingSince } from '../testing/fake-host.ts'
import { RUNNING_INPUT } from './running-input.fixture.ts'
import {
  awaySinceMs,
  conditionOfHost,
  conditionOfProgram,
  withHostProblems,
} from './finding.rules.ts'

const NOW = 100_000
const OBSERVED = movingSince(0)
const noneOff = () => false

function observed(more: Partial<NonNullable<ProgramStatus['observed']>>): Partial<ProgramStatus> {
  return { observed: { ...OBSERVED, ...more } }
}

test.each<[string, Partial<ProgramStatus>, string]>([
  ['a running link with peer and media', {}, 'well'],
  ['a link that nobody wants to run', { state: 'stopped', wanted: 'stopped' }, 'well'],
  ['a stopped link that should run', { state: 'stopped' }, 'program-down'],
  ['a link that cannot be started', { state: 'fatal' }, 'program-down'],
  ['a link that is not installed', { state: 'absent' }, 'program-down'],
  ['a link on a silent host', { state: 'unreachable' }, 'host-unreachable'],
  ['a link that has just started', { state: 'starting', sinceMs: NOW - 1000 }, 'unsettled'],
  ['a link that starts for too long', { state: 'starting', sinceMs: NOW - 30_000 }, 'program-down'],
  ['a link whose state was not read', { state: 'unknown' }, 'unsettled'],
  ['a link whose peer went', { peer: 'disconnected' }, 'no-peer'],
  [
    'a link that waits for a peer',
    { peer: '', ...observed({ media: 'waiting', peerSinceMs: NOW - 1000 }) },
    'unsettled',
  ],
  ['a link that nobody calls', { peer: '', ...observed({ media: 'waiting' }) }, 'never-connected'],
  ['a link whose process is paused', { cause: PAUSED, peer: '' }, 'program-down'],
  ['a link without media', observed({ media: 'silent' }), 'no-media'],
  ['a link that drops packets', observed({ warning: 'losing' }), 'losing-packets'],
  ['a link with a black picture', observed({ warning: 'black' }), 'bad-picture'],
  ['a link with silent audio', observed({ warning: 'silent' }), 'no-sound'],
  ['a link with a dead path', observed({ warning: 'path-silent' }), 'path-silent'],
  [
    'an encoder that is too slow',
    { kind: 'encoder', peer: '', ...observed({ warning: 'slow' }) },
    'slow',
  ],
])('%s', (_, status, expected) => {
  const condition = conditionOfProgram({ ...RUNNING_INPUT, ...status }, NOW, noneOff)
  expect(condition.is === 'bad' ? condition.finding.rule : condition.is).toBe(expected)
})

test('a link that runs and waits for its peer is neither unreachable nor down any more', () => {
  const overOf = (status: Partial<ProgramStatus>) => {
    const condition = conditionOfProgram({ ...RUNNING_INPUT, ...status }, NOW, noneOff)
    return condition.is === 'unsettled' ? condition.over : condition.is
  }
  const waits = { peer: '', ...observed({ media: 'waiting', peerSinceMs: NOW - 1000 }) } as const
  expect(overOf(waits)).toEqual(['host-unreachable', 'program-down'])
  expect(overOf({ state: 'starting', sinceMs: NOW - 1000 })).toEqual(['host-unreachable'])
})

test('FEED-11 a link whose ends are connected with different keys names them, not its source', () => {
  const cause = 'Connected, but the two ends have different passphrases (SRT: BADSECRET).'
  const finding = {
    rule: 'no-media',
    sentence: `${cause} Enter the same passphrase at both ends.`,
  }
  for (const media of ['moving', 'silent', 'waiting'] as const) {
    const status = { ...RUNNING_INPUT, cause, ...observed({ media }) }
    expect(conditionOfProgram(status, NOW, noneOff)).toMatchObject({ is: 'bad', finding })
  }
})

/** Of its alarm; '' where it has none. */
function sentenceOf(status: Partial<ProgramStatus>): string {
  const condition = conditionOfProgram({ ...RUNNING_INPUT, ...status }, NOW, noneOff)
  return condition.is === 'bad' ? condition.finding.sentence : ''
}

test('an output whose input does not run has that remedy alone', () => {
  const silent = observed({ media: 'silent' })
  const unfed = 'Nothing feeds it: its input does not run. Start the input.'
  expect(sentenceOf({ ...silent, kind: 'output', cause: unfed })).toBe(
    `Running, but no media moves. ${unfed}`,
  )
  expect(sentenceOf(silent)).toContain('Check the source')
})

test('a figure that passed a threshold is named with it', () => {
  const losing = { warning: 'losing', warningThresholdPercent: 2 } as const
  expect(sentenceOf(observed(losing))).toMatch(/^More than 2 % of the packets are dropped/)
  const slow = { warning: 'slow', warningThresholdPercent: 95 } as const
  const reading = {
    kind: 'encode',
    atMs: 0,
    bitrateKbps: 4500,
    framesPerSecond: 20,
    speed: 0.8,
    droppedFrames: 0,
    duplicatedFrames: 0,
  } as const
  const encoder = { kind: 'encoder', peer: '', ...observed(slow) } as const
  expect(sentenceOf({ ...encoder, reading })).toMatch(
    /^Slower than real time, at less than 95 % of it: .* time\. Lower/,
  )
  expect(sentenceOf({ ...encoder, reading: { ...reading, droppedFrames: 3 } })).toContain(
    'Frames are dropped.',
  )
})

test('a rule that is off hides no lesser finding of the same object', () => {
  const status = {
    ...RUNNING_INPUT,
    peer: 'disconnected' as const,
    ...observed({ media: 'silent' }),
  }
  const seen = (...off: string[]) => {
    const condition = conditionOfProgram(status, NOW, (rule) => off.includes(rule))
    return condition.is === 'bad' ? condition.finding.rule : condition.is
  }
  expect([seen(), seen('no-peer'), seen('no-peer', 'no-media')]).toEqual([
    'no-peer',
    'no-media',
    'well',
  ])
})

test('a RIST sender whose packets nobody answers has no peer, although they flow', () => {
  const reading = {
    kind: 'link',
    protocol: 'rist',
    direction: 'send',
    atMs: NOW,
    bitrateKbps: 1800,
    rttMs: null,
    packets: 100,
    lostPackets: null,
    retransmittedPackets: 0,
    droppedPackets: 0,
  } as const
  const conditionFor = (protocol: 'rist' | 'srt') =>
    conditionOfProgram(
      {
        ...RUNNING_INPUT,
        kind: 'output',
        peer: '',
        cause: 'The far end does not answer.',
        reading: { ...reading, protocol },
        ...observed({ peerSinceMs: 0 }),
      },
      NOW,
      noneOff,
    )
  expect(conditionFor('rist')).toMatchObject({ finding: { rule: 'never-connected' } })
  expect(conditionFor('srt').is).toBe('well')
})

test('media that were silent without a peer count as silent from its return', () => {
  const seen = (peer: 'connected' | 'disconnected') => {
    const silent = observed({ media: 'silent', mediaSinceMs: 20_000, peerSinceMs: 99_500 })
    const status = { ...RUNNING_INPUT, peer, ...silent }
    const condition = conditionOfProgram(status, NOW, (rule) => rule === 'no-peer')
    return condition.is === 'bad' ? [condition.finding.rule, condition.sinceMs] : condition.is
  }
  expect(seen('connected')).toEqual(['no-media', 99_500])
  expect(seen('disconnected')).toEqual(['no-media', 20_000])
})

test('a host that answers and whose disk is nearly full says so, unless that is off', () => {
  const status = { online: true, sinceMs: 5, fault: null, heardAtMs: 1 }
  const disk = { kind: 'disk-low' as const, sentence: '/data has 340 MB free of 20 GB.' }
  const seen = {
    status,
    problems: [disk],
    answerer: 'agent' as const,
    wasAsked: true,
    nowMs: NOW,
  }
  expect(conditionOfHost(seen, noneOff)).toEqual({
    is: 'bad',
    finding: { rule: 'disk-full', sentence: disk.sentence },
    sinceMs: NOW,
  })
  expect(conditionOfHost(seen, () => true).is).toBe('well')
})

test('a host without its supervisor says that first, and its disk where that rule is off', () => {
  const status = { online: true, sinceMs: 5, fault: null, heardAtMs: 1 }
  const lost = { kind: 'supervisor-lost' as const, sentence: 'It ended.' }
  const disk = { kind: 'disk-low' as const, sentence: '/data has 340 MB free of 20 GB.' }
  const notice = { kind: 'command-lines-readable' as const, sentence: 'Others read them.' }
  const of = { status, answerer: 'agent' as const, wasAsked: true, nowMs: NOW }
  const ruleOf = (problems: (typeof lost | typeof disk | typeof notice)[], off: string) => {
    const condition = conditionOfHost({ ...of, problems }, (rule) => rule === off)
    return condition.is === 'bad' ? condition.finding.rule : condition.is
  }
  expect(ruleOf([lost, disk], '')).toBe('supervisor-down')
  expect(ruleOf([lost, disk], 'supervisor-down')).toBe('disk-full')
  expect(ruleOf([notice], '')).toBe('well')
})

test('the disk of a host counts for an encoder of which nothing else is wrong, also a stopped one', () => {
  const disk = { kind: 'disk-low' as const, sentence: '/data has 340 MB free of 20 GB.' }
  const seen = (status: ProgramStatus) =>
    withHostProblems(conditionOfProgram(status, NOW, noneOff), [disk], NOW, noneOff)
  const low = { is: 'bad', finding: { rule: 'disk-full', sentence: disk.sentence }, sinceMs: NOW }
  const stopped = { ...RUNNING_INPUT, state: 'stopped', wanted: 'stopped' } as const
  expect(seen(stopped)).toEqual(low)
  expect(seen({ ...RUNNING_INPUT, state: 'fatal' })).toMatchObject({
    finding: { rule: 'program-down' },
  })
  expect(withHostProblems({ is: 'well' }, [disk], NOW, () => true).is).toBe('well')
})

test.each([
  ['Port 5 is in use', 'Port 5 is in use. Start it, or read its log.'],
  [
    'Its supervisor died; the program is started again',
    'Its supervisor died; the program is started again. If it does not come up, read its log.',
  ],
])('the sentence names the cause and the remedy: %s', (cause, rest) => {
  const down = { ...RUNNING_INPUT, state: 'backoff', cause } as const
  expect(conditionOfProgram(down, NOW, noneOff)).toMatchObject({
    finding: { sentence: `Not running although it should be. ${rest}` },
  })
})

test.each([
  ['The two ends have different passphrases.', 'Enter the same passphrase at both ends.'],
  ['One end encrypts, the other does not (RIST).', 'Set the same encryption at both ends.'],
  [
    'The far end rejects the call, often because of its stream ID (SRT: Application-defined rejection reason).',
    'Check the stream ID, and what the far end allows.',
  ],
  [
    'The SRT settings of the two ends do not match (SRT: Peer version too old).',
    'Compare the advanced parameters of both ends.',
  ],
  ['', 'Check the sender and the network between.'],
])('the remedy of a peer that is missing follows from what its host knows: %s', (cause, remedy) => {
  const gone = { ...RUNNING_INPUT, peer: 'disconnected', cause } as const
  expect(sentenceOf(gone)).toBe(['The peer is gone.', cause, remedy].filter(Boolean).join(' '))
  expect(sentenceOf({ ...gone, kind: 'output', cause: '' })).toContain('another sender')
})

test('a host that had no time to answer raises nothing', () => {
  const away = { online: false, sinceMs: 5, fault: 'refused', heardAtMs: 1 } as const
  const seen = {
    status: away,
    problems: [],
    answerer: 'agent' as const,
    wasAsked: true,
    nowMs: NOW,
  }
  const waiting = { is: 'unsettled', againAtMs: 5 + FIRST_HELLO_MS }
  const unheard = { ...seen, status: { ...away, heardAtMs: null } }
  expect(conditionOfHost({ ...unheard, nowMs: 5 }, noneOff)).toEqual(waiting)
  expect(conditionOfHost({ ...unheard, wasAsked: false }, noneOff)).toEqual(waiting)
  expect(conditionOfHost(seen, noneOff)).toMatchObject({
    finding: { rule: 'host-unreachable' },
    sinceMs: 5,
  })
  expect(conditionOfHost({ ...seen, status: { ...away, online: true } }, noneOff).is).toBe('well')
})

test.each<[string, 'refused' | 'timeout', number | null, number]>([
  ['a closed connection counts from its end', 'refused', 9000, 10_000],
  ['a silence counts in part', 'timeout', 7600, 8400],
  ['a silence counts from the last sign of life at most', 'timeout', 9500, 9500],
  ['a host that was never heard counts from the first attempt', 'timeout', null, 10_000],
])('%s', (_, fault, heardAtMs, expected) => {
  expect(awaySinceMs({ sinceMs: 10_000, fault, heardAtMs })).toBe(expected)
})
