/** Reads one program's log lines for meaning: its peer, its statistics, the start of a new process. */
import { NO_PEER_YET, readRistPeer, readSrtPeer, type PeerReader } from '../logs/peer-state.ts'
import { redact } from '../logs/redact.ts'
import { START_MARK } from '../logs/start-mark.ts'
import {
  nominalKbps,
  NO_PROGRESS,
  readProgressLine,
  type EncodeProgress,
} from '../stats/ffmpeg.stats.ts'
import { addSample, type LinkSample } from '../stats/link-sample.ts'
import { readRistLine } from '../stats/rist.stats.ts'
import { readSrtLine } from '../stats/srt.stats.ts'
import type { Program } from './program.ts'

export class LineReader {
  readonly #program: Program
  readonly #clock: () => number
  #progress: EncodeProgress = NO_PROGRESS

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
      program.reading = this.#progress.reading ?? program.reading
    } else if (direction !== 'none') {
      const sample = output === 'srt' ? readSrtLine(line, direction) : readRistLine(line, direction)
      if (sample) this.#add(sample)
    }
  }

  #add(sample: LinkSample): void {
    const before = this.#program.reading
    this.#program.reading = addSample(before?.kind === 'link' ? before : null, sample)
  }

  #peerReader(): PeerReader | null {
    const { output } = this.#program.unit
    if (output === 'ffmpeg') return null
    return output === 'srt' ? readSrtPeer : readRistPeer
  }
}
