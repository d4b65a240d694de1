/** Reads one program's log lines for meaning: its peer, its statistics, the start of a new process. */
import type { ProgramSpec } from '@trunkline/contract/agent/program.messages'
import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'
import { afterFfmpegRate, readFfmpegPeer } from '../logs/ffmpeg-peer.ts'
import { NO_PEER_YET, readRistPeer, readSrtPeer, type PeerReader } from '../logs/peer-state.ts'
import { redact } from '../logs/redact.ts'
import { START_MARK } from '../logs/start-mark.ts'
import {
  nominalKbps,
  NO_PROGRESS,
  readProgressLine,
  type EncodeProgress,
} from '../stats/ffmpeg.stats.ts'
import { addSample } from '../stats/link-sample.ts'
import { NO_RIST_COUNT, readRistLine, type RistCount, type RistLink } from '../stats/rist.stats.ts'
import { readSrtLine } from '../stats/srt.stats.ts'
import type { Program } from './program.ts'

export class LineReader {
  readonly #program: Program
  readonly #clock: () => number
  #progress: EncodeProgress = NO_PROGRESS
  #ristCount: RistCount = NO_RIST_COUNT

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
      if (stream === 'err') this.#hear(line)
      if (stream === this.statistics) this.#count(line)
    }
  }

  #hear(line: string): void {
    const program = this.#program
    if (line.startsWith(START_MARK)) {
      program.reading = null
      this.#progress = NO_PROGRESS
      this.#ristCount = NO_RIST_COUNT
    }
    const peer = this.#peerReader()
    if (!peer) return
    const view = peer(program.peer, line)
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
      const before = program.reading?.kind === 'link' ? program.reading : null
      program.reading =
        output === 'srt'
          ? this.#countSrt(before, line, direction)
          : this.#countRist(before, line, direction)
    }
  }

  #countSrt(before: LinkReading | null, line: string, direction: Way): LinkReading | null {
    const sample = readSrtLine(line, direction)
    return sample ? addSample(before, sample) : before
  }

  #countRist(reading: LinkReading | null, line: string, direction: Way): LinkReading | null {
    const before = { count: this.#ristCount, reading }
    const after = readRistLine(before, line, ristLinkOf(this.#program.spec, direction))
    this.#ristCount = after.count
    return after.reading
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
