/** Lines of a log with their time in front, the same for every tool. Pure. */
import { START_MARK } from '@trunkline/contract/program-state'

/** librist: seconds since 1970, an instance. */
const RIST_HEAD = /^(\d{10}\.\d{3})\d*\|[^|]*\|/
/** libsrt: time of day on the host's clock, without a date. */
const SRT_HEAD = /^\d\d:\d\d:\d\d\.\d{6}\/(?=\S+[ .!*][A-Z]:SRT\.)/

/**
 * `2026-11-23T13:58:21.123Z …`, by the time that the tool prints with its date, else `readAtMs`; as
 * it is where neither is known. The mark of a start has its time in itself.
 */
export function datedLine(line: string, readAtMs: number | null): string {
  if (line.startsWith(START_MARK)) return line
  const rist = RIST_HEAD.exec(line)
  const atMs = rist ? Math.round(Number(rist[1]) * 1000) : readAtMs
  const text = line.replace(RIST_HEAD, '')
  return atMs === null ? text : `${new Date(atMs).toISOString()} ${text.replace(SRT_HEAD, '')}`
}
