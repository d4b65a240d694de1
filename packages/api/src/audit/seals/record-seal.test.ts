/** T20: whoever can write to the database cannot rewrite the record of activity unnoticed. */
import { DAY_MS, HOUR_MS } from '@trunkline/contract/durations'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createPostgresDatabase } from '../../testing/databases.ts'
import { makeTestContext, type TestContext } from '../../testing/test-context.ts'
import { AUDIT_LINE } from '../audit-line.fixture.ts'
import * as auditStore from '../audit.store.ts'
import { removeOld } from '../retention.service.ts'
import { checkRecord, sealRecord } from './record-seal.service.ts'

const NEVER = new AbortController().signal
const HOURS = 3
const LINES_AN_HOUR = 4

async function openOn(kind: 'SQLite' | 'PostgreSQL', auditDays: number): Promise<TestContext> {
  const database = kind === 'SQLite' ? null : await createPostgresDatabase()
  onTestFinished(async () => database?.[Symbol.asyncDispose]())
  const opened = await makeTestContext({ auditDays, databaseUrl: database?.url ?? null })
  onTestFinished(async () => opened[Symbol.asyncDispose]())
  // A quarter past: an hour later the hour that was is settled, and no test runs over its end.
  opened.advance(HOUR_MS - (opened.ctx.clock() % HOUR_MS) + HOUR_MS / 4)
  return opened
}

async function addLine({ ctx }: TestContext, agoMs = 0): Promise<void> {
  await auditStore.insert(ctx.db, {
    ...AUDIT_LINE,
    at: new Date(ctx.clock() - agoMs).toISOString(),
    actor_name: 'Ann Editor',
    reason: 'as it was',
    before: { title: 'Före' },
  })
}

async function addHour(site: TestContext): Promise<void> {
  for (let line = 0; line < LINES_AN_HOUR; line += 1) await addLine(site)
  site.advance(HOUR_MS)
  await sealRecord(site.ctx)
}

describe.each(['SQLite', 'PostgreSQL'] as const)('T20 on %s', (kind) => {
  /** A record that was sealed at the end of each hour. */
  async function openRecord(auditDays = 400) {
    const site = await openOn(kind, auditDays)
    const beganMs = site.ctx.clock()
    for (let hour = 0; hour < HOURS; hour += 1) await addHour(site)
    const { db } = site.ctx
    const seals = await db.selectFrom('record_seals').selectAll().orderBy('from_at').execute()
    const lines = await db.selectFrom('audit').selectAll().orderBy('at').execute()
    const faults = async () => (await checkRecord(site.ctx)).faults
    return { site, db, beganMs, seals, lines, faults }
  }

  test('a record that nobody touched is as it was written, what is not settled yet apart', async () => {
    const { site, seals, beganMs } = await openRecord()
    await addLine(site)
    await sealRecord(site.ctx)
    const check = await checkRecord(site.ctx)
    expect(check).toMatchObject({ seals: HOURS, lines: HOURS * LINES_AN_HOUR, faults: [] })
    expect(Date.parse(check.from ?? '')).toBeGreaterThanOrEqual(beganMs)
    expect([check.to, check.digest]).toEqual([seals.at(-1)?.to_at, seals.at(-1)?.digest])
    const logged = site.logged.flatMap((line) => line['digest'] ?? [])
    expect(logged).toEqual(seals.map(({ digest }) => digest))
  })

  test('a line that was changed, removed or added shows, by the time that it was in', async () => {
    const { site, db, seals, lines, faults } = await openRecord()
    const [, second] = seals
    const stretch = `from ${second?.from_at} to ${second?.to_at}`
    const line = lines.find(({ at }) => second && at >= second.from_at && at < second.to_at)
    const id = line?.id ?? ''

    await db.updateTable('audit').set({ actor_name: 'Bob' }).where('id', '=', id).execute()
    expect(await faults()).toEqual([`A line ${stretch} was changed, or the seal of it.`])
    await db.deleteFrom('audit').where('id', '=', id).execute()
    expect(await faults()).toEqual([
      `There were 4 lines ${stretch} when they were sealed, and there are 3.`,
    ])
    if (line) await db.insertInto('audit').values(line).execute()
    expect(await faults()).toEqual([])
    await addLine(site, 2 * HOUR_MS)
    expect(await faults()).toEqual([
      `There were 4 lines ${stretch} when they were sealed, and there are 5.`,
    ])
  })

  test('a seal that was removed with its lines, or made up, shows', async () => {
    const { db, seals, faults } = await openRecord()
    const [first, second, third] = seals
    if (!first || !second || !third) throw new Error('Three were sealed.')
    const digest = first.digest
    await db
      .updateTable('record_seals')
      .set({ digest })
      .where('from_at', '=', third.from_at)
      .execute()
    expect(await faults()).toEqual([
      `A line from ${third.from_at} to ${third.to_at} was changed, or the seal of it.`,
    ])
    await db
      .deleteFrom('audit')
      .where('at', '<', second.to_at)
      .where('at', '>=', first.to_at)
      .execute()
    await db.deleteFrom('record_seals').where('from_at', '=', second.from_at).execute()
    expect(await faults()).toContain(
      `Seals were removed or changed between ${first.to_at} and ${third.from_at}.`,
    )
  })

  test('what was removed as it was too old is no fault, and what was removed before that is', async () => {
    const { site, db, seals, faults } = await openRecord(30)
    site.advance(29 * DAY_MS)
    for (let day = 0; day < 4; day += 1) {
      await addLine(site)
      site.advance(DAY_MS)
      await sealRecord(site.ctx)
    }
    expect((await removeOld(site.ctx, NEVER)).lines).toBe(HOURS * LINES_AN_HOUR)
    expect(await faults()).toEqual([])
    const left = await db.selectFrom('record_seals').select('from_at').orderBy('from_at').execute()
    expect(left.length).toBeGreaterThan(3)
    expect(left.map(({ from_at }) => from_at)).not.toContain(seals[0]?.from_at)

    const newest = left.at(-1)?.from_at ?? ''
    await db.deleteFrom('audit').where('at', '<', newest).execute()
    await db.deleteFrom('record_seals').where('from_at', '<', newest).execute()
    expect(await faults()).toEqual([
      expect.stringContaining(`What was before ${newest} is gone, and lines are kept for 30 days`),
    ])
  })

  test('two processes that seal at once make one seal', async () => {
    const site = await openOn(kind, 400)
    await addLine(site)
    site.advance(HOUR_MS)
    await Promise.all([sealRecord(site.ctx), sealRecord(site.ctx)])
    expect(await checkRecord(site.ctx)).toMatchObject({ seals: 1, lines: 1, faults: [] })
  })
})
