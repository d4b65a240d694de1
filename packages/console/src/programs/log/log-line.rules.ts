/** Reads a log of ffmpeg or of the link tools as lines with a time and a level, where they have them. */

export type LogLevel = 'info' | 'warn' | 'error'

/** The log level of an input (Q171): 1 errors, 2 warnings too, 3 all. */
export type ShownLevel = 1 | 2 | 3

const LEVELS_SHOWN: Record<ShownLevel, readonly LogLevel[]> = {
  1: ['error'],
  2: ['error', 'warn'],
  3: ['error', 'warn', 'info'],
}

/** The lines of that level and worse. */
export function linesOfLevel(lines: readonly LogLine[], level: ShownLevel): readonly LogLine[] {
  return lines.filter((line) => LEVELS_SHOWN[level].includes(line.level))
}

export interface LogLine {
  /** From 0, within what was read. */
  number: number
  /** `13:58:21`, in UTC; '' when the line has none. */
  time: string
  /** `2026-11-21`; '' when the line tells no day. */
  day: string
  level: LogLevel
  text: string
}

/** 2026-11-21 13:58:21.123 or 13:58:21.123, with what separates it from the rest. */
const TIME = /^\[?(?:(\d{4}-\d{2}-\d{2})[T ])?(\d{2}:\d{2}:\d{2})(?:[.,]\d+)?Z?\]? ?/
/** What a unit script says of itself: `--- Started 2026-11-22T05:48:45Z (pid 7646)`. */
const START = /^--- Started (\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})Z ?/
/** ffmpeg: [warning]. srt: `*E:SRT.cn`. rist: `[ERROR]`. */
const ERROR = /\[(?:error|fatal|panic)\]|\*E:|\b(?:ERROR|FATAL)\b/i
const WARN = /\[warn(?:ing)?\]|!W:|\*W:|\bWARN(?:ING)?\b/i
const LEVEL_TAG = /\[(?:info|verbose|debug|warn(?:ing)?|error|fatal|panic)\] ?/i

export function logLinesOf(text: string): readonly LogLine[] {
  return text
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .map((line, number) => {
      const start = START.exec(line)
      const time = start ?? TIME.exec(line)
      const rest = time === null ? line : line.slice(time[0].length)
      return {
        number,
        time: time?.[2] ?? '',
        day: time?.[1] ?? '',
        level: levelOf(rest),
        text: start ? `Started ${rest}` : rest.replace(LEVEL_TAG, ''),
      }
    })
}

/** `13:58:21`, with its day before it when that is not today: a quiet tool said it long ago. */
export function lineTimeText({ day, time }: LogLine, nowMs: number): string {
  const today = new Date(nowMs).toISOString().slice(0, 10)
  return day === '' || day === today ? time : `${day} ${time}`
}

/** What ristsender and ristreceiver put before a line: seconds since 1970, an instance, a level. */
const RIST_HEAD = /^(\d{10})\.\d+\|[^|]*\|\s*/
/** What a unit script says of itself, with the line that follows it in some tools' logs. */
const STARTED = /^--- Started \S+ \([^)]*\)(?:, )?/

/** One line of a log for a place that has room for one: `14:02:10 RIST target connected`. */
export function plainLineOf(line: string): string {
  const rist = RIST_HEAD.exec(line)
  const head = rist === null ? '' : new Date(Number(rist[1]) * 1000).toISOString().slice(11, 19)
  const [read] = logLinesOf(rist === null ? line.replace(STARTED, '') : line.slice(rist[0].length))
  return [head, read?.time ?? '', read?.text ?? ''].filter((part) => part !== '').join(' ')
}

function levelOf(line: string): LogLevel {
  if (ERROR.test(line)) return 'error'
  return WARN.test(line) ? 'warn' : 'info'
}
