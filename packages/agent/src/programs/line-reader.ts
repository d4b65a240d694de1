/** Reads one program's log lines for meaning: its peer, its statistics, the start of a new process. */
import type { ProgramSpec } from '@trunkline/contract/agent/program.messages'
import { START_MARK } from '@trunkline/contract/program-state'
import { afterFfmpegRate, readFfmpegPeer } from '../logs/ffmpeg-peer.ts'
import { NO_PEER_YET, readRistPeer, type PeerReader, type PeerView } from '../logs/peer-state.ts'
import { readSrtPeer } from '../logs/srt-peer.ts'
import { redact } from '../logs/redact.ts'
import {
  nominalKbps,
  NO_PROGRESS,
  readProgressLine,
  type EncodeProgress,
} from '../stats/ffmpeg.stats.ts'
import { addSample, NO_LINK_COUNT, type LinkCount, type LinkSample } from '../stats/link-sample.ts'
import { withLoss } from '../stats/loss-window.ts'
import { NO_RIST_COUNT, type RistCount, type RistLink } from '../stats/rist-count.ts'
import { readRistLine } from '../stats/rist.stats.ts'
import { readSrtLine } from '../stats/srt.stats.ts'
import { CALLER_DIED } from './callers/dead-caller.ts'
import type { Program } from './program.ts'

export class LineReader {
  readonly #program: Program
  readonly #clock: () => number
  #progress: EncodeProgress = NO_PROGRESS
  #srtCount: LinkCount = NO_LINK_COUNT
  #ristCount: RistCount = NO_RIST_COUNT
  /** Statistics of before are of another connection. */
  #peerHeardMs = 0

  constructor(program: Program, clock: () => number) {
    this.#program = program
    this.#clock = clock
  }

  /** The stream that carries statistics: RIST writes everything to stderr. */
  get statistics(): 'out' | 'err' {
    return this.#program.unit.output === 'rist' ? 'err' : 'out'
  }

  /** Lines of before: they tell of the peer; their statistics are counted already. */
  readPast(lines: readonly string[]): void {
    const peer = this.#peerReader()
    if (peer) this.#program.peer = lines.reduce(peer, NO_PEER_YET)
  }

  read(stream: 'out' | 'err', lines: readonly string[]): void {
    for (const line of lines) {
      if (stream === 'err') this.#readMessage(line)
      if (stream === this.statistics) this.#count(line)
    }
  }

  #readMessage(line: string): void {
    const program = this.#program
    if (line.startsWith(START_MARK)) {
      program.reading = null
      this.#progress = NO_PROGRESS
      this.#srtCount = NO_LINK_COUNT
      this.#ristCount = NO_RIST_COUNT
    }
    const peer = this.#peerReader()
    if (!peer) return
    const view = startedForNextCall(program, line) ?? peer(program.peer, line)
    if (view.peer !== program.peer.peer) this.#peerHeardMs = this.#clock()
    if (view.rejections > program.peer.rejections) {
      program.lastLook = { ...program.lastLook, rejectedAtMs: this.#clock() }
    }
    program.peer = { ...view, trouble: redact(view.trouble, program.unit.secrets) }
  }

  #count(line: string): void {
    const program = this.#program
    const { output, direction } = program.unit
    if (output === 'ffmpeg') {
      this.#progress = readProgressLine(this.#progress, line, {
        nowMs: this.#clock(),
        nominalKbps: nominalKbps(this.#program.unit.argv),
      })
      const { reading } = this.#progress
      const isNew = reading !== null && reading !== program.reading
      program.reading = reading ?? program.reading
      if (isNew && direction !== 'none') {
        program.peer = afterFfmpegRate(program.peer, reading.bitrateKbps)
      }
    } else if (direction !== 'none') {
      if (output === 'srt') this.#countSrt(line, direction)
      else this.#countRist(line, direction)
    }
  }

  #countSrt(line: string, direction: Way): void {
    const sample = readSrtLine(line, direction)
    if (!sample) return
    const { count, reading } = addSample(this.#srtCount, this.#linkReading(), sample)
    this.#srtCount = count
    this.#program.reading = reading
    this.#noteLoss(sample)
    const { latencyMs } = sample
    if (latencyMs === undefined || sample.atMs < this.#peerHeardMs) return
    this.#program.peer = { ...this.#program.peer, latencyMs }
  }

  #countRist(line: string, direction: Way): void {
    const before = { count: this.#ristCount, reading: this.#linkReading() }
    const after = readRistLine(before, line, ristLinkOf(this.#program.spec, direction))
    const { sample } = after.count.link
    const isNew = sample !== null && sample !== this.#ristCount.link.sample
    this.#ristCount = after.count
    this.#program.reading = after.reading
    this.#noteCallers()
    if (isNew) this.#noteLoss(sample)
  }

  #noteCallers(): void {
    const { peer } = this.#program
    const { callers } = this.#ristCount
    if (callers.size === 0) return
    const known = peer.here.map((id) => callers.get(id) ?? '').filter((ip) => ip !== '')
    this.#program.peer = { ...peer, addresses: [...new Set(known)].toSorted() }
  }

  #linkReading() {
    const { reading } = this.#program
    return reading?.kind === 'link' ? reading : null
  }

  #noteLoss(sample: LinkSample): void {
    const { lastLook } = this.#program
    this.#program.lastLook = { ...lastLook, loss: withLoss(lastLook.loss, sample) }
  }

  #peerReader(): PeerReader | null {
    const { output, direction } = this.#program.unit
    if (direction === 'none') return null
    if (output === 'ffmpeg') return readFfmpegPeer
    return output === 'srt' ? readSrtPeer : readRistPeer
  }
}

type Way = 'send' | 'receive'

function ristLinkOf(spec: ProgramSpec | null, direction: Way): RistLink {
  if (spec === null || spec.kind === 'encoder' || spec.outer.protocol !== 'rist') {
    return { direction, isSimple: false, addresses: [] }
  }
  const { profile, secondPath } = spec.outer
  const ways = secondPath ? [spec.outer, secondPath] : []
  const addresses = ways.map((way) => `${way.host}:${way.port}`)
  return { direction, isSimple: profile === 'simple', addresses }
}

/** A caller was there and has died: who is awaited is the next one, not the first. */
function startedForNextCall({ deathCause }: Program, line: string): PeerView | null {
  const isStart = line.startsWith(START_MARK) && deathCause === CALLER_DIED
  return isStart ? { ...NO_PEER_YET, peer: 'disconnected' } : null
}
