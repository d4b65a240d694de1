import type { AuditLine } from './audit.store.ts'

/** What a test says nothing of. */
export const AUDIT_LINE: Omit<AuditLine, 'at'> = {
  actor_id: null,
  actor_name: '',
  token: '',
  role: null,
  ip: '',
  call: 'test.line',
  object_kind: null,
  object_id: null,
  object_title: '',
  result: 'done',
  reason: '',
  before: null,
  after: null,
}
