/** From open alarms to messages at real receivers, over restarts and with several API processes. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { addNotificationRule } from '@trunkline/contract/notifications/notification.calls'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as alarmStore from '../alarms/alarm.store.ts'
import type { StoredAlarm } from '../alarms/alarm.store.ts'
import { openTestAlarm } from '../testing/alarm.fixture.ts'
import { createPostgresDatabase } from '../testing/databases.ts'
import type { InjectInput } from '../testing/inject.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { makeTestContext } from '../testing/test-context.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../testing/test-site.ts'
import * as deliveryStore from './delivery.store.ts'
import { Notifier, type NotifierContext } from './notifier.service.ts'
import { openHttpReceiver, openSmtpServer } from './receivers.fixture.ts'

type Draft = NonNullable<InjectInput<typeof addNotificationRule>['body']>

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

interface Body {
  type: string
  data: {
    raised: { alarmId: string; title: string; behind: number }[]
    reminders: { alarmId: string }[]
    cleared: { alarmId: string }[]
    omitted: { raised: number; reminders: number; cleared: number }
  }
}

/** A site with one rule that sends webhooks, and a clock that is set forward by hand. */
async function open(site: TestSite, more: Partial<Draft> = {}) {
  const receiver = await openHttpReceiver()
  const target = { kind: 'webhook' as const, url: receiver.url, secret: SECRET }
  const { answer } = await site.call('admin', addNotificationRule, {
    body: { title: 'Night shift', delaySeconds: 10, target, ...more },
  })
  let aheadMs = 0
  const clock = () => Date.now() + aheadMs
  const notifierOf = (ctx: NotifierContext) => {
    const notifier = new Notifier({ ...ctx, clock })
    onTestFinished(async () => notifier[Symbol.asyncDispose]())
    return notifier
  }
  return {
    ruleId: answer.id,
    receiver,
    clock,
    notifierOf,
    /** Lets so much time pass. */
    pass: (seconds: number) => (aheadMs += seconds * 1000),
    raise: async (id: string, alarm: Partial<StoredAlarm> = {}) =>
      openTestAlarm({ ...site.ctx, clock }, { kind: 'encoder', id }, alarm),
    clear: async (alarmId: string) => {
      await alarmStore.clear(site.ctx.db, [alarmId], clock())
      site.ctx.alarms.remove(alarmId)
    },
    bodies: () => receiver.received.map(({ body }) => JSON.parse(body) as Body),
    log: async () =>
      deliveryStore.log(site.ctx.db, { ruleId: '', state: '', before: '', limit: 100 }),
  }
}

function idsOf(notes: readonly { alarmId: string }[] = []): string[] {
  return notes.map(({ alarmId }) => alarmId)
}

describe.each(BOTH_DATABASES)('notifications on %s', (kind) => {
  test('an alarm is sent after the delay, repeated while nobody acknowledges it, and cleared', async () => {
    const site = await openSiteOn(kind)
    const run = await open(site)
    const notifier = run.notifierOf(site.ctx)
    const alarmId = await run.raise('encoder1')
    await notifier.settled()
    expect(run.bodies(), 'not before the delay').toEqual([])
    run.pass(11)
    await notifier.settled()
    await notifier.settled()
    expect(run.bodies().map(({ data }) => idsOf(data.raised))).toEqual([[alarmId]])
    run.pass(3599)
    await notifier.settled()
    run.pass(2)
    await notifier.settled()
    expect(run.bodies().map(({ data }) => idsOf(data.reminders))).toEqual([[], [alarmId]])
    const acknowledged = { atMs: run.clock(), by: 'Somebody', note: '' }
    await alarmStore.save(site.ctx.db, { alarmId, version: 1 }, { acknowledged })
    const [known] = await alarmStore.readThese(site.ctx.db, [alarmId])
    if (known !== undefined) site.ctx.alarms.put(known)
    run.pass(7200)
    await notifier.settled()
    expect(run.bodies(), 'an acknowledged alarm is not repeated').toHaveLength(2)
    await run.clear(alarmId)
    await notifier.settled()
    await notifier.settled()
    expect(run.bodies().map(({ data }) => idsOf(data.cleared))).toEqual([[], [], [alarmId]])
    expect(await site.ctx.db.selectFrom('notified_alarms').selectAll().execute()).toEqual([])
  })

  test('an alarm that is cleared within the delay is never sent', async () => {
    const site = await openSiteOn(kind)
    const run = await open(site)
    const notifier = run.notifierOf(site.ctx)
    const alarmId = await run.raise('encoder1')
    run.pass(5)
    await run.clear(alarmId)
    run.pass(600)
    await notifier.settled()
    expect(run.bodies()).toEqual([])
  })

  test('consequences are counted under their first cause, and not sent', async () => {
    const site = await openSiteOn(kind)
    const run = await open(site)
    const notifier = run.notifierOf(site.ctx)
    const causedBy = await run.raise('encoder1')
    for (let at = 0; at < 300; at++) await run.raise(`behind${at}`, { causedBy })
    run.pass(11)
    await notifier.settled()
    const raised = run.bodies().map(({ data }) => data.raised)
    expect(raised).toMatchObject([[{ alarmId: causedBy, behind: 300 }]])
  })

  test('a thousand alarms that come and go are few messages', async () => {
    const site = await openSiteOn(kind)
    const run = await open(site, { delaySeconds: 0 })
    const notifier = run.notifierOf(site.ctx)
    const raised = await Promise.all(
      Array.from({ length: 1000 }, async (_, at) => run.raise(`encoder${at}`)),
    )
    await notifier.settled()
    const [first] = run.bodies()
    expect(idsOf(first?.data.raised)).toHaveLength(20)
    expect(first?.data.omitted.raised).toBe(980)
    for (let round = 0; round < 360; round++) {
      const id = raised[round] ?? ''
      await run.clear(id)
      await run.raise(`encoder${round}`)
      run.pass(5)
      if (round % 6 === 0) await notifier.settled()
    }
    await notifier.settled()
    expect(run.bodies().length, 'of an hour').toBeLessThanOrEqual(31)
  })

  test('a message that is not taken is tried again after a restart, with the same id', async () => {
    const site = await openSiteOn(kind)
    const run = await open(site)
    run.receiver.statuses.push(503, 503)
    const alarmId = await run.raise('encoder1')
    run.pass(11)
    const first = run.notifierOf(site.ctx)
    await first.settled()
    await first[Symbol.asyncDispose]()
    expect(await run.log()).toMatchObject([{ state: 'waiting', attempts: 1 }])
    const second = run.notifierOf(site.ctx)
    await second.settled()
    expect(run.bodies(), 'not before it is due').toHaveLength(1)
    run.pass(10)
    await second.settled()
    expect(await run.log()).toMatchObject([{ state: 'waiting', attempts: 2 }])
    run.pass(30)
    await second.settled()
    expect(await run.log()).toMatchObject([{ state: 'sent', attempts: 3, answer: 'HTTP 204' }])
    expect(run.bodies().map(({ data }) => idsOf(data.raised))).toEqual([
      [alarmId],
      [alarmId],
      [alarmId],
    ])
    const ids = run.receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(1)
  })

  test('a message that nobody takes is given up, and the log says so', async () => {
    const site = await openSiteOn(kind)
    const run = await open(site)
    run.receiver.statuses.push(...Array.from({ length: 50 }, () => 500))
    const notifier = run.notifierOf(site.ctx)
    await run.raise('encoder1')
    run.pass(11)
    for (let tries = 0; tries < 14; tries++) {
      await notifier.settled()
      run.pass(3600)
    }
    const failed = (await run.log()).filter(({ state }) => state === 'failed')
    expect(failed.at(-1)?.answer).toMatch(/^Given up after \d+ tries\. .*HTTP 500/)
  })
})

test('a rule of a group sends what the group sees, and nothing of others', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  const run = await open(site, { groupIds: [site.north] })
  const other = await open(site, { title: 'South', groupIds: [site.south] })
  const alarmId = await run.raise(id)
  run.pass(11)
  other.pass(11)
  await run.notifierOf(site.ctx).settled()
  await other.notifierOf(site.ctx).settled()
  expect(run.bodies().map(({ data }) => idsOf(data.raised))).toEqual([[alarmId]])
  expect(other.bodies()).toEqual([])
})

function emailBy(port: number) {
  return {
    kind: 'email' as const,
    host: '127.0.0.1',
    port,
    security: 'none' as const,
    from: 'alarms@trunkline.example',
    to: ['night@trunkline.example'],
  }
}

test('an e-mail that the server refuses for now arrives once it takes it', async () => {
  const site = await openSiteOn('SQLite')
  const smtp = await openSmtpServer()
  const run = await open(site, {
    target: emailBy(smtp.port),
  })
  smtp.state.refusals = 1
  const notifier = run.notifierOf(site.ctx)
  await run.raise('encoder1')
  run.pass(11)
  await notifier.settled()
  expect((await run.log())[0]?.answer).toContain('Try again later')
  run.pass(10)
  await notifier.settled()
  expect(smtp.mails).toHaveLength(1)
  const subject = 'Subject: [Trunkline] CRITICAL Camera: Not running'
  expect(smtp.mails[0]?.source).toContain(subject)
})

test('a server that does not answer holds up nothing that goes elsewhere', async () => {
  const site = await openSiteOn('SQLite')
  let connections = 0
  const silent = createServer(() => (connections += 1))
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const target = emailBy((silent.address() as AddressInfo).port)
  const run = await open(site, { target })
  for (let at = 0; at < 9; at += 1) {
    await site.call('admin', addNotificationRule, {
      body: { title: `By mail ${at}`, delaySeconds: 10, target },
    })
  }
  const notifier = run.notifierOf(site.ctx)
  await run.raise('encoder1')
  run.pass(11)
  const sending = [notifier.settled()]
  await expect.poll(() => connections).toBe(8)
  const elsewhere = await open(site, { title: 'Elsewhere' })
  sending.push(notifier.settled())
  await expect.poll(() => elsewhere.bodies()).toHaveLength(1)
  const byMail = (await run.log()).filter(({ kind }) => kind === 'email')
  expect(byMail.map(({ attempts, answer }) => `${attempts} ${answer}`).toSorted()).toEqual([
    ...Array.from({ length: 2 }, () => '0 '),
    ...Array.from({ length: 8 }, () => '1 '),
  ])
  await notifier[Symbol.asyncDispose]()
  await Promise.all(sending)
})

test('design 9 an alarm goes by e-mail in the language of the rule when it is sent', async () => {
  const site = await openSiteOn('SQLite')
  const smtp = await openSmtpServer()
  const run = await open(site, {
    language: 'fr',
    target: emailBy(smtp.port),
  })
  const notifier = run.notifierOf(site.ctx)
  const alarmId = await run.raise('encoder1')
  run.pass(11)
  await notifier.settled()
  await notifier.settled()
  await run.clear(alarmId)
  run.pass(31)
  await notifier.settled()
  await notifier.settled()
  expect(smtp.mails.map(({ subject }) => subject)).toEqual([
    "[Trunkline] CRITIQUE Camera : À l'arrêt",
    "[Trunkline] TERMINÉE CRITIQUE Camera : À l'arrêt",
  ])
  expect(smtp.mails[1]?.text).toMatch(/alarme déclenchée le .* UTC, terminée le .* UTC/)
})

test('two API processes on PostgreSQL send each message once', async () => {
  const database = await createPostgresDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  const site = await openTestSite({ databaseUrl: database.url })
  onTestFinished(async () => site[Symbol.asyncDispose]())
  const { databaseUrl, secretFile } = site.ctx.config
  const other = await makeTestContext({ databaseUrl, secretFile })
  onTestFinished(async () => other[Symbol.asyncDispose]())
  const run = await open(site, { groupingSeconds: 10 })
  const notifiers = [site.ctx, other.ctx].map((ctx) => run.notifierOf(ctx))
  const sent: string[] = []
  for (let round = 0; round < 10; round++) {
    const alarmId = await run.raise(`encoder${round}`)
    sent.push(alarmId)
    const known = site.ctx.alarms.get(alarmId)
    if (known !== undefined) other.ctx.alarms.put(known)
    run.pass(11)
    await Promise.all(notifiers.flatMap((each) => [each.settled(), each.settled()]))
  }
  expect(run.bodies().flatMap(({ data }) => idsOf(data.raised))).toEqual(sent)
  expect((await run.log()).every(({ attempts }) => attempts === 1)).toBe(true)
})
