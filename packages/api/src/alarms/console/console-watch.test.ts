import { listAlarms } from '@trunkline/contract/alarms/alarm.calls'
import { listEvents } from '@trunkline/contract/events/event.calls'
import { addSchedule } from '@trunkline/contract/schedules/schedule.calls'
import { login } from '@trunkline/contract/session/session.calls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { backupName } from '../../backup/backup-times.rules.ts'
import { newBackup } from '../../backup/backup-record.ts'
import * as backupStore from '../../backup/backup.store.ts'
import { newId } from '../../id.ts'
import * as scheduleStore from '../../schedules/schedule.store.ts'
import { inject } from '../../testing/inject.ts'
import type { PersonName } from '../../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../../testing/site-on.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../../testing/test-site.ts'
import { openAlarms } from '../alarm-keeper.service.ts'
import { ConsoleWatch, PARTS } from './console-watch.service.ts'
import { WRONG_SECRETS_AT_LEAST } from './console.rules.ts'

/** Which rules say something of the console, as it is seen now. */
async function bad(site: TestSite): Promise<string[]> {
  await using watch = new ConsoleWatch(site.ctx, () => undefined)
  watch.look()
  await watch.looked()
  return PARTS.map((part) => watch.conditionOf(part, 0)).flatMap((seen) =>
    seen.is === 'bad' ? [`${seen.finding.rule}: ${seen.finding.sentence}`] : [],
  )
}

async function endBackup({ ctx }: TestSite, fault: string): Promise<void> {
  const nowMs = Date.now()
  const backup = newBackup('asked for', nowMs, backupName(nowMs, 'asked for'))
  await backupStore.insert(ctx.db, backup)
  const endedAt = new Date(nowMs).toISOString()
  await backupStore.end(ctx.db, backup.id, { endedAt, bytes: null, fault })
}

async function missSchedule(site: TestSite): Promise<() => Promise<void>> {
  const { id } = await addTestEncoder(site, 0)
  const times = { repeats: 'once' as const, at: '2126-11-20T08:00:00Z', timeZone: 'UTC' }
  const body = { object: { kind: 'encoder' as const, id }, command: 'start' as const, times }
  const { answer } = await site.call('admin', addSchedule, { body })
  const run = async (outcome: 'missed' | 'done') => {
    const at = new Date().toISOString()
    const ran = { id: newId(), scheduleId: answer.id, dueAt: at, begunAt: at, endedAt: at }
    await scheduleStore.insertRun(site.ctx.db, { ...ran, outcome, sentence: 'No API ran then.' })
  }
  await run('missed')
  return async () => run('done')
}

test.each(BOTH_DATABASES)(
  'a failed backup, a missed schedule and wrong passwords are seen, and seen to end, on %s',
  async (kind) => {
    const site = await openSiteOn(kind, { signInLimit: 1000 })
    expect(await bad(site)).toEqual([])
    const guess = async () =>
      inject(site.app, login, '', { body: { email: 'nobody@example.com', password: 'x' } })
    for (let tries = 1; tries < WRONG_SECRETS_AT_LEAST; tries += 1) await guess()
    expect(await bad(site)).toEqual([])
    await guess()
    await endBackup(site, 'There is no room.')
    const repeat = await missSchedule(site)
    expect(await bad(site)).toEqual([
      expect.stringContaining('The last backup failed. There is no room.'),
      expect.stringContaining('No API ran then.'),
      expect.stringContaining('most of them from 127.0.0.1'),
    ])
    await endBackup(site, '')
    await repeat()
    expect(await bad(site)).toEqual([expect.stringContaining('wrong-secrets')])
  },
)

test('an alarm of the console is for admins, has a timeline, and ends after the next backup', async () => {
  const site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  await endBackup(site, 'There is no room.')
  const seenBy = async (who: PersonName) =>
    (await site.call(who, listAlarms, {})).answer.data.map(({ kind, objectId, title, rule }) => ({
      kind,
      objectId,
      title,
      rule,
    }))
  const keep = async (until: () => Promise<void>) => {
    let aheadMs = 0
    const keeper = openAlarms({ ...site.ctx, clock: () => Date.now() + aheadMs })
    await vi.waitFor(async () => {
      aheadMs += 2000
      await keeper.written()
      await until()
    }, 60_000)
    await keeper[Symbol.asyncDispose]()
  }
  const alarm = { kind: 'console', objectId: 'backups', title: 'Backups', rule: 'backup-failed' }
  await keep(async () => expect(await seenBy('admin')).toEqual([alarm]))
  expect(await seenBy('superadmin')).toEqual([alarm])
  expect(await seenBy('northManager')).toEqual([])
  const query = { kind: 'console' as const, id: 'backups' }
  const timeline = await site.call('admin', listEvents, { query })
  expect(timeline.answer.data).toMatchObject([{ kind: 'alarm', state: 'raised' }])
  expect((await site.call('northManager', listEvents, { query })).status).toBe(403)
  await endBackup(site, '')
  await keep(async () => expect(await seenBy('admin')).toEqual([]))
})
