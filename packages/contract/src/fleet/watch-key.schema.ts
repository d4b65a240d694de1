/** Reads the keys that watch-key.rules.ts writes. */
import { CountedKind, HostKind, ProgramKind } from './fleet.schema.ts'

export type Watched =
  | { of: 'program'; kind: ProgramKind; id: string }
  | { of: 'transport'; kind: ProgramKind; id: string }
  | { of: 'host'; kind: HostKind; id: string }
  | { of: 'stream'; serverId: string; streamName: string }
  | { of: 'counts'; kind: CountedKind; group: string }
  | { of: 'alarms' }
  | { of: 'air' }

/** Only the last part may have spaces in it. */
const KEY = /^(?<of>[a-z]+) (?<kind>[^ ]+) (?<rest>.*)$/s

/** null for what this version does not know. */
export function watchedOf(key: string): Watched | null {
  const { of = '', kind = '', rest = '' } = KEY.exec(key)?.groups ?? {}
  switch (of) {
    case 'program':
    case 'transport': {
      const program = ProgramKind.safeParse(kind).data
      return program === undefined ? null : { of, kind: program, id: rest }
    }
    case 'host': {
      const host = HostKind.safeParse(kind).data
      return host === undefined ? null : { of, kind: host, id: rest }
    }
    case 'stream':
      return { of, serverId: kind, streamName: rest }
    case 'counts': {
      const counted = CountedKind.safeParse(kind).data
      return counted === undefined ? null : { of, kind: counted, group: rest }
    }
    case 'alarms':
    case 'air':
      return { of }
    default:
      return null
  }
}
