/** The one line of a log that says why a program ended. Pure. */
import { START_MARK } from '@trunkline/contract/program-state'

/** Said on the way out, after the line that matters, or at every start. */
const NOISE = [
  // The small picture could not be written: no stream ends of that.
  /^\[(image2|fifo) @/,
  / pictures\/[a-z0-9-]+\.jpg\b/,
  /^\s*$/,
  /^Media path:/,
  /\bbytes lost\b.*\bbytes (sent|received)\b/,
  /-stats":|_stats":/,
  // Of a handshake: what came of it has a line of its own.
  /\.N:SRT\.\w+: /,
  /^\[[^\]]*\] ?\[info\]|^\[info\]|\|\[INFO\]|\|\[DEBUG\]/,
  /Exiting normally, received signal/,
  /^\s*(Last message repeated|encoder\s+:|Metadata:|Stream #|Duration:)/,
  /non-existing PPS|no frame!|deprecated pixel format/,
]
const ALARM =
  /error|fail|fatal|refus|reject|cannot|can't|unable|invalid|no such|not found|denied|in use|malformed/i
const MAX_LENGTH = 240

/**
 * From the lines of the last process: the last alarming one, else the last that is no noise,
 * else ''.
 */
export function causeFrom(lines: readonly string[]): string {
  const start = lines.findLastIndex((line) => line.startsWith(START_MARK))
  const relevant = lines.slice(start + 1).filter((line) => !NOISE.some((noise) => noise.test(line)))
  const line = relevant.findLast((text) => ALARM.test(text)) ?? relevant.at(-1) ?? ''
  return shorten(line.trim())
}

function shorten(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1)}…`
}

/**
 * Why it ended, from its own last lines and from how its end looked. An outside signal has nothing
 * to do with what the tool said before.
 */
export function causeOfDeath(lines: readonly string[], end: string): string {
  if (/SIGKILL|SIGTERM|SIGINT/.test(end)) return end
  return signalFrom(lines) || causeFrom(lines) || end
}

/** ffmpeg catches a signal, says so and ends with a code of its own. */
function signalFrom(lines: readonly string[]): string {
  const start = lines.findLastIndex((line) => line.startsWith(START_MARK))
  const signalLine = lines.slice(start + 1).findLast((line) => SIGNAL_LINE.test(line)) ?? ''
  const name = SIGNALS.get(Number(SIGNAL_LINE.exec(signalLine)?.[1]))
  return name === undefined ? '' : `Ended by ${name}`
}

const SIGNAL_LINE = /Exiting normally, received signal (\d+)/
const SIGNALS = new Map([
  [2, 'SIGINT'],
  [6, 'SIGABRT'],
  [9, 'SIGKILL'],
  [11, 'SIGSEGV'],
  [15, 'SIGTERM'],
])

/**
 * How the process ended, in supervisord's words: `exited: in1 (terminated by SIGKILL; not
 * expected)` of its own log. '' when the log does not say.
 */
export function endFrom(supervisorLines: readonly string[], programId: string): string {
  const mark = `exited: ${programId} (`
  const line = supervisorLines.findLast((text) => text.includes(mark))
  if (line === undefined) return ''
  const words = line.slice(line.indexOf(mark) + mark.length).split(/[;)]/)[0] ?? ''
  const signal = /terminated by (\w+)/.exec(words)?.[1]
  const code = /exit status (\d+)/.exec(words)?.[1]
  if (signal !== undefined) return `Ended by ${signal}`
  if (code === undefined) return ''
  // A shell answers 128 and the signal's number for a child that a signal ended.
  const name = SIGNALS.get(Number(code) - 128)
  return name === undefined ? `Ended with code ${code}` : `Ended by ${name}`
}
