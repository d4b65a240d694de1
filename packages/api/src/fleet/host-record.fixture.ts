import type { HostRecord } from '../hosts/host-record.ts'

/** A gateway that an agent answers for. */
export function hostRecord(id: string, port: number, more: Partial<HostRecord> = {}): HostRecord {
  return {
    id,
    kind: 'server',
    answerer: 'agent',
    address: { host: 'machine', port },
    baseUrl: '',
    apiKey: 'key',
    groupIds: [],
    editorIds: [],
    createdAtMs: 0,
    ...more,
  }
}
