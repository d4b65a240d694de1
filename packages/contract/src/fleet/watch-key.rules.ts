/**
 * How a browser names what it shows: one text for each thing, written here and read in
 * watch-key.schema.ts alone. The API sends a browser what it has named, and nothing else. Without zod:
 * the shared worker of the live stream loads it.
 */
import type { CountedKind, HostKind, ProgramKind } from './fleet.schema.ts'

/** Nobody shows more at once; what a page shows is some hundreds. */
export const WATCHED_AT_MOST = 5000

export function programKey(kind: ProgramKind, id: string): string {
  return `program ${kind} ${id}`
}

/** Whose transport stream is shown: its host then measures it without gaps. */
export function transportKey(kind: ProgramKind, id: string): string {
  return `transport ${kind} ${id}`
}

export function hostKey(kind: HostKind, id: string): string {
  return `host ${kind} ${id}`
}

export function streamKey(serverId: string, streamName: string): string {
  return `stream ${serverId} ${streamName}`
}

/** `group`: '' for all groups. */
export function countsKey(kind: CountedKind, group: string): string {
  return `counts ${kind} ${group}`
}

/** The open alarms of this person, as counts. */
export const ALARMS_KEY = 'alarms open all'

/** What is on air, of what this person may see. */
export const ON_AIR_KEY = 'air marks all'
