/** Valid lines of activity for tests; each test changes what it is about. */
import type { AuditEntry } from '@trunkline/contract/audit/audit.schema'

export function lineOf(id: string, parts: Partial<AuditEntry> = {}): AuditEntry {
  return {
    _id: id,
    id,
    at: new Date().toISOString(),
    actor: { _id: 'user-admin', fullName: 'Night Desk', role: 'admin' },
    token: '',
    ip: '192.0.2.7',
    call: 'encoders.update',
    object: { kind: 'encoder', _id: 'enc-1', title: 'Camera 1' },
    result: 'done',
    reason: '',
    before: null,
    after: null,
    ...parts,
  }
}
