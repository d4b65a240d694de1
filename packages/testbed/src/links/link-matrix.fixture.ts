/** Every kind of link that a host may run, and at its far end the same tools as another company would run them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freeUdpPort, type TestAgent } from '@trunkline/agent/agent.fixture'
import * as programService from '@trunkline/agent/programs/program.service'
import type { Leg, ProgramSpec } from '@trunkline/contract/agent/program.messages'
import { openSink, type Sink, type SteadyStream } from '../encoder-streams/steady-stream.ts'

export const OWNER = 'acants-0'
export const PASSPHRASE = 'far-end.Secret_5~0123456789abcdef'
export const OTHER_PASSPHRASE = 'another.Secret_5~0123456789abcdef'
/** decisions.md 27. */
export const LATENCY_MS = 300
/** As far as the kernel allows; half a minute of the slowest stream of these tests. */
const RECEIVE_BUFFER_BYTES = 2_000_000

export interface LinkKind {
  protocol: 'SRT' | 'RIST Main' | 'RIST Simple'
  place: 'input' | 'output'
  mode: 'Listen' | 'Push'
  bits: 0 | 128 | 256
}

/** 'SRT input, Listen, 256'. */
export function nameOf({ protocol, place, mode, bits }: LinkKind): string {
  return `${protocol} ${place}, ${mode}, ${bits === 0 ? 'clear' : bits}`
}

export function allKinds(): LinkKind[] {
  const every = (['SRT', 'RIST Main', 'RIST Simple'] as const).flatMap((protocol) =>
    (['input', 'output'] as const).flatMap((place) =>
      (['Listen', 'Push'] as const).flatMap((mode) =>
        ([0, 128, 256] as const).map((bits) => ({ protocol, place, mode, bits })),
      ),
    ),
  )
  return every.filter(isPossible)
}

/**
 * RIST Simple has no encryption, and its sender calls always: ristreceiver as the caller sends its
 * control packets to port 32769, wherever the sender is.
 */
function isPossible({ protocol, place, mode, bits }: LinkKind): boolean {
  if (protocol !== 'RIST Simple') return true
  return bits === 0 && mode === (place === 'input' ? 'Listen' : 'Push')
}

/** A link of ours on an agent, where its stream comes from, and where what it carried is counted. */
export interface LinkUnderTest extends AsyncDisposable {
  readonly kind: LinkKind
  readonly programId: string
  readonly sink: Sink
  /** Another tool at the other end, with this key or none. */
  startFarEnd(key: FarKey): FarEnd
}

export interface FarKey {
  passphrase: string
  bits: 0 | 128 | 256
}

export interface FarEnd extends AsyncDisposable {
  /** The end of its output, for the report of a test that fails. */
  readonly outputTail: string
  /** By SIGKILL: it cannot say goodbye. */
  kill(): Promise<void>
}

/** Applies it, wanted running; nothing stands at its far end yet. */
export async function openLink(
  agent: TestAgent,
  stream: SteadyStream,
  kind: LinkKind,
): Promise<LinkUnderTest> {
  const sink = await openSink()
  const outerPort = await freeUdpPort()
  const programId = `${kind.place}-${outerPort}`
  const isInput = kind.place === 'input'
  const away = { ip: '127.0.0.1', port: sink.port }
  const local = { ...(isInput ? away : { ip: stream.ip, port: stream.port }), ttl: 1 }
  const spec: ProgramSpec = {
    kind: isInput ? 'receiver' : 'sender',
    local,
    outer: outerLeg(kind, outerPort),
  }
  await programService.apply(agent.ctx, OWNER, {
    programId,
    revision: 'r1',
    wanted: 'running',
    spec,
  })
  return {
    kind,
    programId,
    sink,
    startFarEnd: (key) =>
      startTool(farTool(kind, { outerPort, local: isInput ? stream : away, key })),
    async [Symbol.asyncDispose]() {
      await programService.remove(agent.ctx, OWNER, programId)
      await sink[Symbol.asyncDispose]()
    },
  }
}

export function outerLeg(kind: LinkKind, port: number): Leg {
  const shared = {
    mode: kind.mode === 'Listen' ? ('listen' as const) : ('call' as const),
    host: kind.mode === 'Listen' ? '' : '127.0.0.1',
    port,
    adapterIp: '',
    key: kind.bits === 0 ? null : { passphrase: PASSPHRASE, bits: kind.bits },
  }
  if (kind.protocol === 'SRT') {
    return {
      protocol: 'srt',
      ...shared,
      latencyMs: LATENCY_MS,
      maxBandwidthBytes: 625_000,
      advanced: [
        { key: 'peeridletimeo', value: '2000' },
        { key: 'oheadbw', value: '50' },
      ],
    }
  }
  return {
    protocol: 'rist',
    ...shared,
    profile: kind.protocol === 'RIST Main' ? 'main' : 'simple',
    bufferMs: LATENCY_MS,
    bandwidthKbps: 625_000,
    reorderBufferMs: null,
    rttMinMs: null,
    statIntervalMs: 500,
  }
}

export interface FarPlace {
  outerPort: number
  /** Input: what it reads and sends to us. Output: where it puts what it has from us. */
  local: { ip: string; port: number }
  key: FarKey
  /** As ours has it. */
  latencyMs?: number
}

/** Its command: it reads or fills `local`, and is the other end of a link of this kind. */
export function farTool(kind: LinkKind, place: FarPlace): string[] {
  const isSrt = kind.protocol === 'SRT'
  // Starved for two seconds it would lose datagrams by the kernel's own size of a buffer.
  const adapter = isSrt ? `adapter=127.0.0.1&rcvbuf=${RECEIVE_BUFFER_BYTES}` : 'miface=lo'
  const query = kind.place === 'input' ? `?${adapter}` : ''
  const local = `udp://${place.local.ip}:${place.local.port}${query}`
  const outer = isSrt ? srtUrl(kind, place) : ristUrl(kind, place)
  const [from, to] = kind.place === 'input' ? [local, outer] : [outer, local]
  if (isSrt) return ['srt-live-transmit', from, to]
  const tool = kind.place === 'input' ? 'ristsender' : 'ristreceiver'
  return [tool, '-p', kind.protocol === 'RIST Main' ? '1' : '0', '-i', from, '-o', to]
}

/** It calls when we listen. */
function srtUrl(kind: LinkKind, { outerPort, key, latencyMs = LATENCY_MS }: FarPlace): string {
  const mode = kind.mode === 'Listen' ? 'caller' : 'listener'
  const secret = key.bits === 0 ? '' : `&passphrase=${key.passphrase}&pbkeylen=${key.bits / 8}`
  return `srt://127.0.0.1:${outerPort}?mode=${mode}&latency=${latencyMs}${secret}`
}

function ristUrl(kind: LinkKind, { outerPort, key, latencyMs = LATENCY_MS }: FarPlace): string {
  const place = kind.mode === 'Listen' ? '127.0.0.1' : '@127.0.0.1'
  const secret = key.bits === 0 ? '' : `&secret=${key.passphrase}&aes-type=${key.bits}`
  return `rist://${place}:${outerPort}?buffer=${latencyMs}${secret}`
}

const OUTPUT_CHARACTERS = 2000

/** A media tool that no supervisor minds. */
export function startTool([tool = '', ...args]: readonly string[]): FarEnd {
  const child = spawn(tool, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  let output = ''
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-OUTPUT_CHARACTERS))
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return {
    get outputTail() {
      return `${tool} ${child.exitCode === null ? 'runs' : `ended with ${child.exitCode}`}: ${output}`
    },
    kill,
    [Symbol.asyncDispose]: kill,
  }
}

/** Half a second of the slowest stream of these tests, longer than the buffers of both ends. */
const JOINING_DATAGRAMS = 25

/**
 * Resolves once a peer that joined a running stream has it whole: RIST begins with the packet that
 * it happens to hear first and leaves out what it missed before. Counting starts here.
 */
export async function untilJoined(sink: Sink): Promise<void> {
  await sink.until(JOINING_DATAGRAMS)
  sink.empty()
}

/** More media tools at once than these starve each other on a small machine, and lose packets by it. */
const LANES = 6

/** Begins `work` for each, a few at a time; answers what becomes of it, by name. */
export function inLanes<Item, Result>(
  list: readonly Item[],
  nameOfItem: (item: Item) => string,
  work: (item: Item) => Promise<Result>,
): ReadonlyMap<string, Promise<Result>> {
  const lanes: Promise<unknown>[] = Array.from({ length: LANES }, async () => Promise.resolve())
  const results = list.map((item, index) => {
    const result = (lanes[index % LANES] ?? Promise.resolve()).then(async () => work(item))
    lanes[index % LANES] = result.catch(() => undefined)
    return [nameOfItem(item), result] as const
  })
  return new Map(results)
}
