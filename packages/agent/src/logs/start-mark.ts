/** Which lines of a log a process wrote. */
import { START_MARK } from '@trunkline/contract/program-state'

/** Stands in the mark: by it the words of one process are found among those of the next ones. */
export function pidMark(pid: number | string): string {
  return `(pid ${pid})`
}

/** `(pid 71)` of a line that begins a process; '' when it names none. */
export function pidMarkIn(line: string): string {
  return /\(pid \d+\)/.exec(line)?.[0] ?? ''
}

/**
 * What the process with that pid said, without its mark. supervisord starts the next one at once: on
 * a busy host that has begun to speak before the end of the one before is looked into. Of a pid that
 * is not known or not there: what the last process said.
 */
export function linesOfRun(lines: readonly string[], pid: number | null): readonly string[] {
  const isOfRun = (line: string) =>
    line.startsWith(START_MARK) && pid !== null && line.includes(pidMark(pid))
  const own = lines.findLastIndex(isOfRun)
  const start = own >= 0 ? own : lines.findLastIndex((line) => line.startsWith(START_MARK))
  const following = lines.slice(start + 1)
  const end = following.findIndex((line) => line.startsWith(START_MARK))
  return end >= 0 ? following.slice(0, end) : following
}
