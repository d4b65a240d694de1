/** Gives a parser damaged texts and notes where it fails or is slow. */
import { damaged, randomOf } from './damage.ts'
import type { ForeignText } from './foreign-texts.ts'

export interface ParserOutcome {
  name: string
  inputs: number
  /** The error and the text, cut. */
  crashes: string[]
  /** On the processor, of the slowest input, at its fastest of three tries: what else the machine does does not count. */
  slowestMs: number
  slowest: string
}

const SHOWN = 300
const TRIES = 3
const US_PER_MS = 1000

export function tryParser(
  parser: ForeignText,
  seed: number,
  goesOn: (inputs: number) => boolean,
): ParserOutcome {
  const random = randomOf(seed)
  const outcome: ParserOutcome = {
    name: parser.name,
    inputs: 0,
    crashes: [],
    slowestMs: 0,
    slowest: '',
  }
  while (goesOn(outcome.inputs)) {
    const bytes = damaged(parser.samples, random)
    outcome.inputs += 1
    let ms = timeOf(parser, bytes, outcome.crashes)
    if (ms <= outcome.slowestMs) continue
    for (let at = 1; at < TRIES; at += 1) ms = Math.min(ms, timeOf(parser, bytes, []))
    if (ms > outcome.slowestMs) Object.assign(outcome, { slowestMs: ms, slowest: shown(bytes) })
  }
  return outcome
}

function timeOf({ read, isExpected }: ForeignText, bytes: Uint8Array, crashes: string[]): number {
  // Of the thread alone it is only known to a tick, of some milliseconds.
  const before = process.cpuUsage()
  try {
    read(bytes)
  } catch (error) {
    if (!isExpected(error)) crashes.push(`${String(error)}: ${shown(bytes)}`)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / US_PER_MS
}

function shown(bytes: Uint8Array): string {
  return JSON.stringify(new TextDecoder().decode(bytes.subarray(0, SHOWN)))
}
