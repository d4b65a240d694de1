import { z } from 'zod'
import { ObjectKind } from '../fleet/fleet.schema.ts'
import { Moment } from '../moment.schema.ts'
import { Page, pageSize, SearchText } from '../paging.schema.ts'
import { route } from '../route.ts'
import { Id } from '../text.schema.ts'
import { AuditEntry, AuditResult } from './audit.schema.ts'
import { success } from '../reply.schema.ts'

const Any = z.literal('')

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
    from: Moment,
    to: Moment,
    page: Page,
    /** No 'all' by default: the record only grows. */
    rowsPerPage: pageSize(24),
  }),
  reply: success({ data: z.array(AuditEntry), total: z.number() }),
})
