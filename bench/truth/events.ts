/** Does to the site what an event is, puts it right, and notes when each of it was so. */
import { setTimeout as pause } from 'node:timers/promises'
import { changeStreamStatus, selectInput } from '@trunkline/contract/channels/channel.calls'
import { readOutput, updateOutput } from '@trunkline/contract/contributions/output.calls'
import { callApi } from '@trunkline/testbed/api-client'
import { DEMO_STREAM } from '@trunkline/testbed/demo-site'
import { processTree } from '../kit/figure.ts'
import { supervisorPid } from '../kit/site.ts'
import { ROWS, type EventKind, type Happened, type Tap } from './events.rules.ts'
import type { Spoiling } from './feed.ts'
import { act, BENCH_STREAM, RIGHT_KEY, WRONG_KEY, type Ear, type TruthSite } from './site.ts'

/** How long it stays so: long enough for the slowest allowance and the limit. */
const HELD_MS: Record<EventKind, number> = {
  'program killed': 0,
  'peer gone and back': 16_000,
  'wrong key': 20_000,
  'source frozen': 16_000,
  black: 14_000,
  silent: 16_000,
  'channel off and on': 9000,
  'source switch': 0,
}
/** A program that does not stop its media within this has not. */
const STOPS_WITHIN_MS = 7000
const FLOWS_WITHIN_MS = 40_000
/** Until averages over ten seconds hold nothing of before. */
const SETTLE_MS = 13_000

/** What is done, what puts it right again, and where its end is heard. */
interface Deed {
  victim: string
  /** Answers the moment from which it may be so. */
  begin: () => Promise<number>
  end: (() => Promise<number>) | null
  taps: readonly Tap[]
}

/** Resolves once all is well again and has been for a while. */
export async function happen(
  truth: TruthSite,
  kind: EventKind,
  place: number,
  random: () => number,
): Promise<Happened> {
  const deed = await deedOf(truth, kind, random)
  const name = `${place}. ${kind}: ${deed.victim}`
  const atMs = await deed.begin()
  const doneAtMs = Date.now()
  await pause(HELD_MS[kind])
  const repairedAtMs = deed.end === null ? atMs : await deed.end()
  const happened: Happened = {
    name,
    kind,
    victim: deed.victim,
    atMs,
    doneAtMs,
    repairedAtMs,
    source: truth.chosenSource,
    stoppedAtMs: {},
    flowsAtMs: {},
  }
  for (const tap of deed.taps) await hearEnd(happened, tap, truth.taps[tap])
  await pause(SETTLE_MS)
  return happened
}

async function hearEnd(happened: Happened, tap: Tap, ear: Ear): Promise<void> {
  const { atMs, repairedAtMs, stoppedAtMs, flowsAtMs } = happened
  const isSelfRepaired = repairedAtMs === atMs
  const stopped = await until(
    () => ear.stoppedAfter(atMs - 200),
    isSelfRepaired ? atMs + STOPS_WITHIN_MS - Date.now() : 0,
  )
  if (stopped !== null) stoppedAtMs[tap] = stopped
  if (stopped === null && isSelfRepaired) {
    // Segments go on over a short pause: their ear knows nothing of it.
    if (ear.hearsPauses) flowsAtMs[tap] = atMs
    return
  }
  const fromMs = isSelfRepaired && stopped !== null ? stopped + 1 : repairedAtMs
  const flows = await until(() => ear.flowsAfter(fromMs), FLOWS_WITHIN_MS)
  if (flows === null) throw new Error(`${happened.name}: nothing came again at ${tap}.`)
  flowsAtMs[tap] = flows
}

async function until(look: () => number | null, withinMs: number): Promise<number | null> {
  const endMs = Date.now() + withinMs
  for (;;) {
    const found = look()
    if (found !== null || Date.now() >= endMs) return found
    await pause(100)
  }
}

async function deedOf(truth: TruthSite, kind: EventKind, random: () => number): Promise<Deed> {
  switch (kind) {
    case 'program killed':
      return killing(truth, random)
    case 'peer gone and back':
      return cutting(truth, random)
    case 'wrong key':
      return misKeying(truth)
    case 'source frozen':
      return random() < 0.5 ? hanging(truth) : spoiling(truth, 'still')
    case 'black':
      return spoiling(truth, 'black')
    case 'silent':
      return spoiling(truth, 'silent')
    case 'channel off and on':
      return switchingOff(truth, random)
    case 'source switch':
      return switching(truth)
  }
}

/** Their command lines, as their hosts run them. */
function victimsOf({ site, srt, rist }: TruthSite): readonly (readonly [string, RegExp, Tap])[] {
  const { feederToInput } = site.plan.ports
  const tool = (name: string, port: number, more: string) =>
    new RegExp(`^${name} .*${more.replace('PORT', String(port))}`)
  return [
    [ROWS.encoder, /^ffmpeg .*-f lavfi/, 'input'],
    [ROWS.feeder, tool('srt-live-transmit', feederToInput, ':PORT\\?mode=caller'), 'input'],
    [ROWS.input, tool('srt-live-transmit', feederToInput, ':PORT\\?mode=listener'), 'input'],
    [ROWS.srtSender, tool('srt-live-transmit', srt.callPort, ':PORT\\?mode=caller'), 'srtReceiver'],
    [
      ROWS.srtReceiver,
      tool('srt-live-transmit', srt.listenPort, ':PORT\\?mode=listener'),
      'srtReceiver',
    ],
    [ROWS.ristSender, tool('ristsender', rist.callPort, ':PORT'), 'ristReceiver'],
    [ROWS.ristReceiver, tool('ristreceiver', rist.listenPort, ':PORT'), 'ristReceiver'],
  ]
}

function killing(truth: TruthSite, random: () => number): Deed {
  const victims = victimsOf(truth)
  const [row, pattern, tap] = victims[Math.floor(random() * victims.length)] ?? raise('No victim.')
  const begin = async () => {
    const atMs = Date.now()
    for (const pid of pidsOf(truth, pattern)) process.kill(pid, 'SIGKILL')
    return atMs
  }
  const taps: Tap[] = tap === 'input' ? ['input', 'demoChannel'] : [tap]
  return { victim: row, begin, end: null, taps }
}

function pidsOf({ site }: TruthSite, pattern: RegExp): number[] {
  const found = processTree(supervisorPid(site.dataDir)).filter((running) =>
    pattern.test(running.command),
  )
  if (found.length === 0) throw new Error(`No process of the site matches ${String(pattern)}.`)
  return found.map(({ pid }) => pid)
}

function raise(sentence: string): never {
  throw new Error(sentence)
}

function cutting({ srt, rist }: TruthSite, random: () => number): Deed {
  const isRist = random() < 0.5
  const { relay } = isRist ? rist : srt
  const cut = (isCut: boolean) => async () => {
    relay.isCut = isCut
    return Date.now()
  }
  return {
    victim: isRist ? ROWS.ristSender : ROWS.srtSender,
    begin: cut(true),
    end: cut(false),
    taps: [isRist ? 'ristReceiver' : 'srtReceiver'],
  }
}

/** As an operator does it: saved, and taken up by a restart. */
function misKeying({ site, srt }: TruthSite): Deed {
  const withKey = (passphrase: string) => async () => {
    const { data } = await callApi(site.client, readOutput, { params: { id: srt.outputId } })
    const { title, inputType, contributionId, config, advanced, version } = data
    await callApi(site.client, updateOutput, {
      params: { id: srt.outputId },
      body: {
        title,
        inputType,
        contributionId,
        config,
        advanced,
        version,
        encryption: { selection: 'yes', passphrase, type: 128 },
      },
    })
    const atMs = Date.now()
    await act(site, 'output', srt.outputId, 'restart')
    return atMs
  }
  return {
    victim: ROWS.srtSender,
    begin: withKey(WRONG_KEY),
    end: withKey(RIGHT_KEY),
    taps: ['srtReceiver'],
  }
}

/** It hangs, and is not dead. */
function hanging(truth: TruthSite): Deed {
  const signal = (name: NodeJS.Signals) => async () => {
    for (const pid of pidsOf(truth, /^ffmpeg .*-f lavfi/)) process.kill(pid, name)
    return Date.now()
  }
  return {
    victim: ROWS.encoder,
    begin: signal('SIGSTOP'),
    end: signal('SIGCONT'),
    taps: ['input', 'demoChannel'],
  }
}

function spoiling({ feed }: TruthSite, how: Spoiling): Deed {
  return {
    victim: ROWS.channel,
    begin: async () => feed.spoil(how, true),
    end: async () => feed.spoil(how, false),
    taps: [],
  }
}

function switchingOff({ site }: TruthSite, random: () => number): Deed {
  const isBench = random() < 0.5
  const streamName = isBench ? BENCH_STREAM : DEMO_STREAM
  const turn = (disabled: boolean) => async () => {
    const atMs = Date.now()
    await callApi(site.client, changeStreamStatus, {
      body: { serverId: site.ids.channelServerId, streamName, data: { disabled } },
    })
    return atMs
  }
  return {
    victim: isBench ? ROWS.channel : ROWS.demoChannel,
    begin: turn(true),
    end: turn(false),
    taps: [isBench ? 'channel' : 'demoChannel'],
  }
}

/** The bench channel's other source. */
function switching(truth: TruthSite): Deed {
  const { site, sources } = truth
  const index = sources.findIndex((source) => source !== truth.chosenSource)
  const url = sources[index] ?? raise('The channel has no other source.')
  const begin = async () => {
    const { channelServerId: serverId } = site.ids
    const atMs = Date.now()
    await callApi(site.client, selectInput, {
      body: { serverId, streamName: BENCH_STREAM, index, url },
    })
    truth.chosenSource = url
    return atMs
  }
  return { victim: ROWS.source, begin, end: null, taps: [] }
}
