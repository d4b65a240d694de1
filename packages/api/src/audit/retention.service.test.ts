import { DAY_MS } from '@trunkline/contract/durations'
import { expect, onTestFinished, test } from 'vitest'
import type { Context } from '../context.ts'
import * as eventStore from '../events/event.store.ts'
import { createPostgresDatabase } from '../testing/databases.ts'
import { makeTestContext } from '../testing/test-context.ts'
import { AUDIT_LINE } from './audit-line.fixture.ts'
import * as auditStore from './audit.store.ts'
import { openRetention, removeOld } from './retention.service.ts'

const NEVER = new AbortController().signal

async function addAged(ctx: Context, ageDays: number, count: number): Promise<void> {
  const at = new Date(Date.now() - ageDays * DAY_MS).toISOString()
  for (let line = 0; line < count; line++) {
    await auditStore.insert(ctx.db, { ...AUDIT_LINE, at, reason: `${ageDays} days old` })
  }
}

async function addAgedEvents(ctx: Context, ageDays: number, count: number): Promise<void> {
  const atMs = Date.now() - ageDays * DAY_MS
  const events = Array.from({ length: count }, (_, at) => ({
    object: { kind: 'input' as const, id: `${ageDays}-${at}` },
    facet: 'run' as const,
    value: 'up',
    atMs: atMs + at,
    event: { kind: 'up' as const, atMs: atMs + at, sinceMs: null, state: 'up', cause: '' },
  }))
  await eventStore.write(ctx.db, events)
}

async function reasons(ctx: Context): Promise<string[]> {
  const lines = await ctx.db.selectFrom('audit').select('reason').orderBy('at').execute()
  return lines.map(({ reason }) => reason)
}

async function openOn(kind: 'SQLite' | 'PostgreSQL'): Promise<Context> {
  if (kind === 'SQLite') {
    const test = await makeTestContext()
    onTestFinished(async () => test[Symbol.asyncDispose]())
    return test.ctx
  }
  const database = await createPostgresDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  const test = await makeTestContext({ databaseUrl: database.url })
  onTestFinished(async () => test[Symbol.asyncDispose]())
  return test.ctx
}

test.each(['SQLite', 'PostgreSQL'] as const)(
  'lines and events older than the setting are removed in batches, and an audit line counts the lines, on %s',
  async (kind) => {
    const ctx = await openOn(kind)
    await addAged(ctx, 401, 1200)
    await addAged(ctx, 399, 2)
    await addAgedEvents(ctx, 401, 501)
    await addAgedEvents(ctx, 399, 1)
    expect(await removeOld(ctx, NEVER)).toEqual({ lines: 1200, events: 501 })
    const left = await reasons(ctx)
    expect(left.slice(0, 2)).toEqual(['399 days old', '399 days old'])
    expect(left[2]).toMatch(
      /^1200 lines from before \d{4}-\S+Z removed \(TRUNKLINE_AUDIT_DAYS is 400\)$/,
    )
    expect(left).toHaveLength(3)
    expect(await removeOld(ctx, NEVER)).toEqual({ lines: 0, events: 0 })
    expect(await reasons(ctx)).toHaveLength(3)
    expect(await ctx.db.selectFrom('events').select('object_id').execute()).toEqual([
      { object_id: '399-0' },
    ])
  },
)

test('0 days keeps the record for ever', async () => {
  await using test = await makeTestContext({ auditDays: null })
  await addAged(test.ctx, 36_000, 1)
  expect(await removeOld(test.ctx, NEVER)).toEqual({ lines: 0, events: 0 })
  expect(await reasons(test.ctx)).toEqual(['36000 days old'])
})

test('pruning starts with the process, and ends with it after the current batch', async () => {
  await using test = await makeTestContext()
  await addAged(test.ctx, 500, 1001)
  const retention = openRetention(test.ctx)
  await retention[Symbol.asyncDispose]()
  expect(await reasons(test.ctx)).toHaveLength(1001 - 500 + 1)
})
