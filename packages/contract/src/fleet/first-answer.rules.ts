/** Whether a host had time to answer: an API may have started before it, as on one machine. Pure. */
import type { HostStatus } from './fleet.schema.ts'

/** A host that was never heard has this long to say hello before it counts as unreachable. */
export const FIRST_HELLO_MS = 10_000

/** Of an agent or a media server. */
export type HostAnswer = Pick<HostStatus, 'online' | 'sinceMs' | 'heardAtMs'>

/** It was not heard of since the API started, and that was just now. */
export function isUndecided({ online, sinceMs, heardAtMs }: HostAnswer, nowMs: number): boolean {
  return !online && heardAtMs === null && nowMs - sinceMs < FIRST_HELLO_MS
}
