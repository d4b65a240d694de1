import { z } from 'zod'
import { ObjectKind } from '../fleet/fleet.schema.ts'
import { Page, pageSize, SearchText } from '../paging.schema.ts'
import { route } from '../route.ts'
import { Id } from '../text.schema.ts'
import { AuditEntry, AuditResult } from './audit.schema.ts'
import { success } from '../reply.schema.ts'

const Any = z.literal('')
/** A moment in ISO 8601 UTC, such as 2026-11-20T08:00:00Z. */
const Moment = z.union([z.iso.datetime('must be a time such as 2026-11-20T08:00:00Z.'), Any])

/** Newest first. Every filter is '' for any. */
export const listAudit = route({
  name: 'audit.list',
  method: 'GET',
  path: '/api/audit',
  action: 'readAudit',
  query: z.strictObject({
    /** Person, object, call or reason. */
    searchText: SearchText,
    actorId: z.union([Id, Any]).default(''),
    objectKind: z.union([ObjectKind, Any]).default(''),
    objectId: z.union([Id, Any]).default(''),
    result: z.union([AuditResult, Any]).default(''),
    /** From this moment on, and before that one. */
    from: Moment.default(''),
    to: Moment.default(''),
    page: Page,
    /** No 'all' by default: the record only grows. */
    rowsPerPage: pageSize(24),
  }),
  reply: success({ data: z.array(AuditEntry), total: z.number() }),
})
