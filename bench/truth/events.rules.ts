/** What the bench does to its site, and what must be said of it on each row from then on. Pure. */
import { LIMIT_MS, type Accepted, type Fact, type Row } from './truth.rules.ts'

export const EVENT_KINDS = [
  'program killed',
  'peer gone and back',
  'wrong key',
  'source frozen',
  'black',
  'silent',
  'channel off and on',
  'source switch',
] as const
export type EventKind = (typeof EVENT_KINDS)[number]

/**
 * Beyond the 2 s: what a host cannot know sooner, and why. Printed with the figures. Nothing here is
 * what the product happens to take.
 */
export const ALLOWANCES = {
  silence: { ms: 1000, why: 'a hop that nothing comes to says so within 3 s, as was asked' },
  srtPeer: { ms: 5000, why: 'SRT takes a silent peer for lost after 5 s (its own timeout)' },
  ristPeer: { ms: 1100, why: 'RIST takes a silent peer for lost after 1.03 s (dataplane.md 4.3)' },
  srtLine: { ms: 1200, why: 'SRT reports each 200 packets: every 1.1 s at this bitrate' },
  ristLine: { ms: 1000, why: 'RIST reports every second: its stat interval' },
  segment: { ms: 2000, why: 'content is known when its segment of 2 s is complete (ADR 0018)' },
  black: { ms: 2000, why: 'black is what has been black for 2 s (ADR 0018)' },
  frozen: { ms: 6000, why: 'frozen is what has not changed for 6 s (ADR 0018)' },
  quiet: { ms: 5000, why: 'silent is what has been silent for 5 s (ADR 0018)' },
} as const
type Allowance = keyof typeof ALLOWANCES

/** Of each link of the demo (decisions.md 27), and of those that the bench adds. */
export const LINK_LATENCY_MS = 300

/** The site's rows: an encoder, its feeder and what follows, two links through relays, a channel. */
export const ROWS = {
  encoder: 'encoder Demo camera',
  feeder: 'feeder to Demo gateway',
  input: 'input Demo feed',
  srtOutput: 'output to Demo streams',
  ristOutput: 'output to far end',
  demoChannel: 'channel Demo live',
  srtSender: 'output Bench SRT',
  srtReceiver: 'input Bench SRT in',
  ristSender: 'output Bench RIST',
  ristReceiver: 'input Bench RIST in',
  channel: 'channel Bench live',
  /** Of the channel's open detail: its state above, the path below. */
  path: 'path Bench live',
  source: 'source Bench live',
} as const

/** Where the bench itself sees media arrive. */
export type Tap = 'input' | 'srtReceiver' | 'ristReceiver' | 'demoChannel' | 'channel'

export interface Happened {
  name: string
  kind: EventKind
  /** The row that it was done to. */
  victim: Row
  /** Of the bench's channel: the source that was chosen last, by this event or before. */
  source: string
  atMs: number
  /** When what did it had ended: a call may take effect at any time until its answer. */
  doneAtMs: number
  /** When the bench put it right; of a program that supervisord starts again, `atMs`. */
  repairedAtMs: number
  /** When the last media before the break arrived, and the first after it. */
  stoppedAtMs: Partial<Record<Tap, number>>
  flowsAtMs: Partial<Record<Tap, number>>
}

const state = (text: string, since: Accepted['since'] = null): Accepted => ({ text, since })
const WELL = [state('Running')]
const WELL_CHANNEL = [state('Online')]
/** A process that begins, and a link that is made. */
const COMING = [
  'Starting',
  'Stopping',
  'Running, connecting',
  'Running, waiting for media',
  'Running, no media',
  'Running, no peer',
  'Running, no peer yet',
  'Running, losing packets',
].map((text) => state(text))
const DOWN = [...COMING, state('Error…'), state('Stopped…')]
/** Loss and speed are averages of the last ten seconds; after a repair they end within them. */
const AFTERMATH_MS = 10_000
const AFTERMATH = [
  ...WELL,
  state('Running, losing packets'),
  state('Running, slower than real time'),
]
/** An ear hears in steps, and what the bench does takes a moment to reach a process. */
const HEARING_MS = 500

export function startingFacts(atMs: number, source: string): Fact[] {
  const rows = Object.values(ROWS).filter((row) => row !== ROWS.source)
  return [
    ...rows.map((row) => fact('start', row, atMs, isChannel(row) ? WELL_CHANNEL : WELL)),
    fact('start', ROWS.source, atMs, [state(source)]),
  ]
}

export function factsOf(happened: Happened): Fact[] {
  switch (happened.kind) {
    case 'program killed':
      return factsOfKill(happened)
    case 'peer gone and back':
      return factsOfLostPeer(happened)
    case 'wrong key':
      return factsOfWrongKey(happened)
    case 'source frozen':
      return happened.victim === ROWS.encoder
        ? factsOfHungEncoder(happened)
        : factsOfContent(happened, 'frozen picture', ['frozen', 'segment'])
    case 'black':
      return factsOfContent(happened, 'black picture', ['black', 'segment'])
    case 'silent':
      return factsOfContent(happened, 'silent audio', ['quiet', 'segment'])
    case 'channel off and on':
      return factsOfSwitchedOff(happened)
    case 'source switch':
      return factsOfSwitch(happened)
  }
}

const CHAIN: readonly Row[] = [
  ROWS.encoder,
  ROWS.feeder,
  ROWS.input,
  ROWS.srtOutput,
  ROWS.ristOutput,
  ROWS.demoChannel,
]

/** Behind a program of the chain nothing arrives any more. */
function factsOfKill(happened: Happened): Fact[] {
  const { victim, name, atMs } = happened
  const own = fact(name, victim, atMs, DOWN)
  if (OTHER_ENDS[victim] !== undefined) return [own, ...factsOfOtherEnd(happened)]
  const behind = CHAIN.slice(CHAIN.indexOf(victim) + 1)
  // A feeder that loses its input calls it again.
  const before = victim === ROWS.input ? [ROWS.feeder] : []
  return [
    own,
    ...before.map((row) => fact(name, row, atMs, DOWN, ['srtPeer'])),
    ...behind.flatMap((row) => nothingBehind(happened, row)),
    ...chainBack(happened, [victim, ...before, ...behind]),
  ]
}

/** A receiver misses media at once, a sender its peer when the protocol does; until it is back. */
function factsOfOtherEnd(happened: Happened): Fact[] {
  const { victim, name, atMs, stoppedAtMs, flowsAtMs } = happened
  const { other, tap, peer, line } = otherEndOf(victim)
  const lostAtMs = atMs + ALLOWANCES[peer].ms
  const [lastMs, flowMs] = [stoppedAtMs[tap], flowsAtMs[tap]]
  const lost = [
    state('Running, no peer', [atMs - HEARING_MS, lostAtMs + HEARING_MS]),
    ...COMING.filter(({ text }) => text !== 'Running, no peer'),
  ]
  const isReceiverKilled = victim === ROWS.srtReceiver || victim === ROWS.ristReceiver
  const isNoticed = flowMs === undefined || flowMs > lostAtMs
  const atReceiver = lastMs === undefined ? [] : [fact(name, other, lastMs, lost, ['silence'])]
  const atSender = [
    fact(name, other, atMs, [...WELL, ...lost]),
    ...(isNoticed ? [fact(name, other, lostAtMs, lost)] : []),
  ]
  return [
    ...(isReceiverKilled ? atSender : atReceiver),
    ...backAfter(name, [victim, other], flowMs, [line]),
  ]
}

interface OtherEnd {
  other: Row
  tap: Tap
  peer: 'srtPeer' | 'ristPeer'
  line: 'srtLine' | 'ristLine'
}

const SRT_LINK = { tap: 'srtReceiver', peer: 'srtPeer', line: 'srtLine' } as const
const RIST_LINK = { tap: 'ristReceiver', peer: 'ristPeer', line: 'ristLine' } as const
const OTHER_ENDS: Readonly<Partial<Record<Row, OtherEnd>>> = {
  [ROWS.srtSender]: { other: ROWS.srtReceiver, ...SRT_LINK },
  [ROWS.srtReceiver]: { other: ROWS.srtSender, ...SRT_LINK },
  [ROWS.ristSender]: { other: ROWS.ristReceiver, ...RIST_LINK },
  [ROWS.ristReceiver]: { other: ROWS.ristSender, ...RIST_LINK },
}

function otherEndOf(row: Row): OtherEnd {
  const end = OTHER_ENDS[row]
  if (end === undefined) throw new Error(`${row} has no other end.`)
  return end
}

function factsOfHungEncoder(happened: Happened): Fact[] {
  return [...CHAIN.flatMap((row) => nothingBehind(happened, row)), ...chainBack(happened, CHAIN)]
}

/** A hop that runs, and that nothing comes to. Its age is that of the last media. */
function nothingBehind(happened: Happened, row: Row): Fact[] {
  const { name, victim, atMs, stoppedAtMs, flowsAtMs } = happened
  const lastMs = stoppedAtMs.input
  // A pause that is too short to be heard is none that a host could know of.
  if (lastMs === undefined) return []
  const since = [lastMs - HEARING_MS, lastMs + HEARING_MS] as const
  if (row === ROWS.demoChannel) {
    // Behind one more link.
    const lastHereMs = lastMs + LINK_LATENCY_MS
    const lost = ['Online, source lost', 'Offline, no media'].map((text) => state(text, since))
    // Viewers may have had enough segments to miss nothing.
    const accepted = flowsAtMs.demoChannel === undefined ? [...WELL_CHANNEL, ...lost] : lost
    return [fact(name, row, lastHereMs, accepted, ['silence'])]
  }
  const noPeer = state('Running, no peer', [
    atMs - HEARING_MS,
    atMs + ALLOWANCES.srtPeer.ms + HEARING_MS,
  ])
  const losesPeer = row === ROWS.input && victim === ROWS.feeder
  const accepted = [state('Running, no media', since), ...(losesPeer ? [noPeer] : [])]
  return [fact(name, row, lastMs, accepted, ['silence'])]
}

function chainBack({ name, flowsAtMs }: Happened, rows: readonly Row[]): Fact[] {
  const { input, demoChannel } = flowsAtMs
  return rows.flatMap((row) => {
    if (isChannel(row)) {
      const behindMs = input === undefined ? undefined : input + LINK_LATENCY_MS
      return channelBack(name, row, demoChannel ?? behindMs)
    }
    return backAfter(name, [row], input, [row === ROWS.ristOutput ? 'ristLine' : 'srtLine'])
  })
}

function factsOfLostPeer(happened: Happened): Fact[] {
  const { name, victim, atMs, repairedAtMs, stoppedAtMs, flowsAtMs } = happened
  const { other: receiver, tap, peer, line } = otherEndOf(victim)
  const lostAtMs = atMs + ALLOWANCES[peer].ms
  const lastMs = stoppedAtMs[tap] ?? atMs
  const noMedia = state('Running, no media', [lastMs - HEARING_MS, lastMs + HEARING_MS])
  const noPeer = state('Running, no peer', [atMs - HEARING_MS, lostAtMs + HEARING_MS])
  const losing = state('Running, losing packets')
  const rows = [receiver, victim]
  return [
    fact(name, receiver, lastMs, [noMedia, noPeer, losing], ['silence']),
    fact(name, victim, atMs, [...WELL, noMedia, noPeer, losing]),
    // Each from when its tool knows.
    ...rows.map((row) => fact(name, row, lostAtMs, [noPeer])),
    ...rows.map((row) => fact(name, row, repairedAtMs, [...COMING, ...AFTERMATH])),
    ...backAfter(name, rows, flowsAtMs[tap], [line]),
  ]
}

/** Both ends know it: one refuses, the other is refused. */
function factsOfWrongKey({ name, atMs, repairedAtMs, flowsAtMs }: Happened): Fact[] {
  // A sender that is restarted calls within the 2 s.
  const wrong = state('Running, wrong passphrase', [atMs - HEARING_MS, atMs + LIMIT_MS])
  const ends = [ROWS.srtSender, ROWS.srtReceiver]
  return [
    ...ends.map((row) => fact(name, row, atMs, [wrong])),
    ...ends.map((row) => fact(name, row, repairedAtMs, [wrong, ...DOWN, ...AFTERMATH])),
    ...backAfter(name, ends, flowsAtMs.srtReceiver, ['srtLine']),
  ]
}

/** Pictures are judged by the key frames of segments: two of them in a second. */
const KEY_FRAMES_MS = 500

function factsOfContent(
  { name, atMs, repairedAtMs }: Happened,
  cause: string,
  late: readonly Allowance[],
): Fact[] {
  const since = [atMs - KEY_FRAMES_MS, atMs + KEY_FRAMES_MS + HEARING_MS] as const
  return [ROWS.channel, ROWS.path].flatMap((row) => [
    fact(name, row, atMs, [state(`Online, ${cause}`, since)], late),
    fact(name, row, repairedAtMs, WELL_CHANNEL, ['segment']),
  ])
}

function factsOfSwitchedOff(happened: Happened): Fact[] {
  const { name, victim, atMs, repairedAtMs, flowsAtMs, source } = happened
  const isBench = victim === ROWS.channel
  const rows = isBench ? [ROWS.channel, ROWS.path] : [victim]
  const flow = isBench ? flowsAtMs.channel : flowsAtMs.demoChannel
  const coming = [
    ...['Offline, no media', 'Reading', 'Online, source lost'].map((text) => state(text)),
    ...WELL_CHANNEL,
  ]
  const ofRows = rows.flatMap((row) => [
    fact(name, row, atMs, [state('Disabled')]),
    fact(name, row, repairedAtMs, coming),
    ...channelBack(name, row, flow),
  ])
  if (!isBench) return [...ofRows, ...callersOfChannel(happened)]
  return [
    ...ofRows,
    fact(name, ROWS.source, atMs, [state('')]),
    // The choice stays.
    fact(name, ROWS.source, repairedAtMs, [state(''), state(source)]),
    ...(flow === undefined ? [] : [fact(name, ROWS.source, flow, [state(source)])]),
  ]
}

/**
 * A channel that is off receives nothing: its two senders lose their peer. SRT reports it at once.
 */
function callersOfChannel({ name, atMs, doneAtMs, repairedAtMs, flowsAtMs }: Happened): Fact[] {
  const callers = [
    { row: ROWS.srtOutput, late: [], line: 'srtLine', ms: 0 },
    { row: ROWS.ristOutput, late: ['ristPeer'], line: 'ristLine', ms: ALLOWANCES.ristPeer.ms },
  ] as const
  return callers.flatMap(({ row, late, line, ms }) => {
    const noPeer = state('Running, no peer', [atMs - HEARING_MS, doneAtMs + ms + HEARING_MS])
    return [
      fact(name, row, atMs, [noPeer], late),
      fact(name, row, repairedAtMs, [...COMING, ...AFTERMATH]),
      ...backAfter(name, [row], flowsAtMs.demoChannel, [line]),
    ]
  })
}

/** The picture goes on: nothing else may change. */
function factsOfSwitch({ name, source, atMs, doneAtMs }: Happened): Fact[] {
  const since = [atMs - HEARING_MS, doneAtMs + HEARING_MS] as const
  return [fact(name, ROWS.source, atMs, [state(source, since)])]
}

function backAfter(
  name: string,
  rows: readonly Row[],
  flowsAtMs: number | undefined,
  late: readonly Allowance[],
): Fact[] {
  if (flowsAtMs === undefined) return []
  return rows.flatMap((row) => [
    fact(name, row, flowsAtMs, AFTERMATH, late),
    fact(name, row, flowsAtMs + AFTERMATH_MS, WELL),
  ])
}

function channelBack(name: string, row: Row, flowsAtMs: number | undefined): Fact[] {
  return flowsAtMs === undefined ? [] : [fact(name, row, flowsAtMs, WELL_CHANNEL)]
}

function isChannel(row: Row): boolean {
  return row.startsWith('channel ') || row.startsWith('path ')
}

function fact(
  event: string,
  row: Row,
  fromMs: number,
  accepted: readonly Accepted[],
  late: readonly Allowance[] = [],
): Fact {
  const allowedMs = late.reduce((sum, name) => sum + ALLOWANCES[name].ms, 0)
  return { event, row, fromMs, accepted, allowedMs }
}
