/** Notification rules as admins make them: what is stored, what is answered, what is refused. */
import {
  addNotificationRule,
  listNotificationDeliveries,
  listNotificationRules,
  removeNotificationRule,
  testNotificationRule,
  updateNotificationRule,
} from '@trunkline/contract/notifications/notification.calls'
import { describe, expect, test } from 'vitest'
import { databaseContent } from '../testing/database-content.ts'
import { PLANTED_SECRETS, type InjectInput } from '../testing/inject.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import type { TestSite } from '../testing/test-site.ts'
import { Secrets } from './notification-rule.store.ts'
import { openHttpReceiver, openSmtpServer } from './receivers.fixture.ts'

type Draft = NonNullable<InjectInput<typeof addNotificationRule>['body']>

const [PASSWORD] = PLANTED_SECRETS
const EMAIL = {
  kind: 'email' as const,
  host: 'mail.example',
  user: 'alarms',
  password: PASSWORD,
  from: 'alarms@trunkline.example',
  to: ['night@trunkline.example'],
}
const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

async function add(site: TestSite, draft: Partial<Draft>) {
  const body = { title: 'Night shift', target: EMAIL, ...draft }
  return site.call('admin', addNotificationRule, { body })
}

async function secretsOf(site: TestSite, id: string): Promise<Secrets> {
  const { secrets_sealed: sealed } = await site.ctx.db
    .selectFrom('notification_rules')
    .select('secrets_sealed')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return sealed === null ? {} : Secrets.parse(JSON.parse(site.ctx.keys.open(sealed)))
}

describe.each(BOTH_DATABASES)('notification rules on %s', (kind) => {
  test('a rule has defaults, and its password is stored sealed and never answered', async () => {
    const site = await openSiteOn(kind)
    const { status, answer } = await add(site, { groupIds: [site.north] })
    expect(status).toBe(201)
    expect(answer.data).toMatchObject({
      title: 'Night shift',
      isEnabled: true,
      groupIds: [site.north],
      severity: 'warning',
      delaySeconds: 10,
      groupingSeconds: 30,
      repeatMinutes: 60,
      sendsCleared: true,
      language: 'en',
      target: { port: 587, security: 'starttls', password: '', passwordSet: true },
      version: 1,
      waiting: 0,
      last: null,
    })
    expect(await secretsOf(site, answer.id)).toEqual({ password: PASSWORD })
    const listed = await site.call('admin', listNotificationRules, {})
    expect(listed.answer.data).toEqual([answer.data])
    expect(listed.answer.snmpEngineId).toMatch(/^80001f8805[0-9a-f]{16}$/)
    const again = await site.call('admin', listNotificationRules, {})
    expect(again.answer.snmpEngineId).toBe(listed.answer.snmpEngineId)
    expect(
      JSON.stringify(await site.ctx.db.selectFrom('audit').selectAll().execute()),
    ).not.toContain(PASSWORD)
  })

  test('an empty password keeps the stored one, unless the server is another', async () => {
    const site = await openSiteOn(kind)
    const { answer } = await add(site, {})
    const { id } = answer
    const save = async (target: Draft['target'], version?: number) =>
      site.call('admin', updateNotificationRule, {
        params: { id },
        body: { title: 'Night shift', target, ...(version === undefined ? {} : { version }) },
      })
    const echoed = await site.call('admin', updateNotificationRule, {
      params: { id },
      body: answer.data,
    })
    expect(echoed.status, 'what is read may be sent back').toBe(200)
    expect(await secretsOf(site, id)).toEqual({ password: PASSWORD })
    const before = await databaseContent(site.ctx)
    const other = await save({ ...EMAIL, host: 'other.example', password: '' })
    expect([other.status, other.failure.field]).toEqual([400, 'target.password'])
    const old = await save({ ...EMAIL, to: ['day@trunkline.example'] }, 1)
    expect([old.status, old.failure.code]).toEqual([409, 'conflict'])
    expect(old.failure.current).toMatchObject({ id, version: 2 })
    expect(await databaseContent(site.ctx)).toEqual(before)
    const anonymous = await save({ ...EMAIL, user: '', password: '' })
    expect(anonymous.answer.data.target).toMatchObject({ passwordSet: false })
    expect(await secretsOf(site, id)).toEqual({})
  })

  test('a title belongs to one rule, and a group that does not exist is refused', async () => {
    const site = await openSiteOn(kind)
    await add(site, {})
    const before = await databaseContent(site.ctx)
    const twin = await add(site, { title: 'NIGHT SHIFT' })
    expect([twin.status, twin.failure.field]).toEqual([409, 'title'])
    const nowhere = await add(site, { title: 'Other', groupIds: ['nowhere'] })
    expect([nowhere.status, nowhere.failure.field]).toEqual([400, 'groupIds'])
    expect(await databaseContent(site.ctx)).toEqual(before)
  })

  test('the test call answers what the other side said, and the log keeps it', async () => {
    const site = await openSiteOn(kind)
    const smtp = await openSmtpServer()
    const target = { ...EMAIL, host: '127.0.0.1', port: smtp.port, user: '', password: '' }
    const { id } = (await add(site, { target: { ...target, security: 'none' } })).answer
    const sent = await site.call('admin', testNotificationRule, { params: { id } })
    expect(sent.answer.data).toMatchObject({ state: 'sent', reason: 'test', attempts: 1 })
    expect(sent.answer.data.answer).toContain('250')
    expect(smtp.mails).toHaveLength(1)
    smtp.state.refusals = 1
    const refused = await site.call('admin', testNotificationRule, { params: { id } })
    expect(refused.answer.data).toMatchObject({ state: 'failed', nextTryAt: null })
    expect(refused.answer.data.answer).toContain('Try again later')
    const read = async (query: InjectInput<typeof listNotificationDeliveries>['query']) =>
      (await site.call('admin', listNotificationDeliveries, { query: query ?? {} })).answer
    const first = await read({ limit: 1 })
    expect(first.data).toEqual([refused.answer.data])
    const second = await read({ limit: 1, before: first.next })
    expect([second.data, second.next]).toEqual([[sent.answer.data], ''])
    expect((await read({ state: 'sent' })).data).toEqual([sent.answer.data])
    const removed = await site.call('admin', removeNotificationRule, { params: { id } })
    expect(removed.status).toBe(200)
    expect((await read({ ruleId: id })).data, 'the log outlives the rule').toHaveLength(2)
    const gone = await site.call('admin', testNotificationRule, { params: { id } })
    expect(gone.status).toBe(404)
  })
})

test('a webhook is tested too', async () => {
  const site = await openSiteOn('SQLite')
  const { url, received } = await openHttpReceiver()
  const target = { kind: 'webhook' as const, url, secret: WEBHOOK_SECRET }
  const { id } = (await add(site, { target })).answer
  const { answer } = await site.call('admin', testNotificationRule, { params: { id } })
  expect(answer.data).toMatchObject({ state: 'sent', answer: 'HTTP 204' })
  expect(received[0]?.headers['webhook-id']).toBe(`msg_${answer.data.id}`)
})

const WEBHOOK = { kind: 'webhook' as const, url: 'https://a.example/', secret: WEBHOOK_SECRET }
const SNMP = { kind: 'snmp' as const, host: 'nms.example', community: 'control' }

test.each<[string, Partial<Draft>]>([
  ['title', { title: '' }],
  ['delaySeconds', { delaySeconds: 3601 }],
  ['groupingSeconds', { groupingSeconds: 9 }],
  ['repeatMinutes', { repeatMinutes: -1 }],
  ['target.host', { target: { ...EMAIL, host: 'a b' } }],
  ['target.to', { target: { ...EMAIL, to: [] } }],
  ['target.to.0', { target: { ...EMAIL, to: ['nobody'] } }],
  ['target.password', { target: { ...EMAIL, password: '' } }],
  ['target.security', { target: { ...EMAIL, security: 'none' } }],
  ['target.url', { target: { ...WEBHOOK, url: 'ftp://a.example/' } }],
  ['target.url', { target: { ...WEBHOOK, url: 'https://user:pass@a.example/' } }],
  ['target.url', { target: { ...WEBHOOK, url: 'http://a.example:99999/' } }],
  ['target.secret', { target: { ...WEBHOOK, secret: '' } }],
  ['target.secret', { target: { ...WEBHOOK, secret: 'whsec_short' } }],
  ['target.community', { target: { ...SNMP, community: '' } }],
  ['target.user', { target: { ...SNMP, version: '3' } }],
  ['target.authPassword', { target: { ...SNMP, version: '3', user: 'a' } }],
  ['target.authPassword', { target: { ...SNMP, version: '3', user: 'a', authPassword: 'short' } }],
])('a bad %s is refused by its name and changes nothing: %j', async (field, bad) => {
  const site = await openSiteOn('SQLite')
  const before = await databaseContent(site.ctx)
  const { status, failure } = await add(site, bad)
  expect([status, failure.field]).toEqual([400, field])
  expect(failure.error).not.toContain('[object')
  expect(await databaseContent(site.ctx)).toEqual(before)
})

describe.each(BOTH_DATABASES)('the language of a rule on %s', (kind) => {
  test('design 9 a rule in French keeps its language, and its test mail and log are French', async () => {
    const site = await openSiteOn(kind)
    const smtp = await openSmtpServer()
    const target = {
      ...EMAIL,
      host: '127.0.0.1',
      port: smtp.port,
      user: '',
      password: '',
      security: 'none' as const,
    }
    const { answer } = await add(site, { title: 'Nuit', language: 'fr', target })
    expect(answer.data.language).toBe('fr')
    const sent = await site.call('admin', testNotificationRule, { params: { id: answer.id } })
    expect(sent.answer.data.subject).toBe('[Trunkline] Test de Nuit')
    expect(smtp.mails[0]?.subject).toBe('[Trunkline] Test de Nuit')
    expect(smtp.mails[0]?.text.trim()).toBe(sent.answer.data.text.trim())
    await site.call('admin', updateNotificationRule, {
      params: { id: answer.id },
      body: { title: 'Night', target },
    })
    const read = await site.call('admin', listNotificationDeliveries, { query: {} })
    expect(read.answer.data[0]?.subject, 'as it was sent').toBe('[Trunkline] Test de Nuit')
    const listed = await site.call('admin', listNotificationRules, {})
    expect(listed.answer.data[0]?.language).toBe('en')
  })

  test('rules stored before languages existed are English', async () => {
    const site = await openSiteOn(kind)
    const smtp = await openSmtpServer()
    const target = { ...EMAIL, host: '127.0.0.1', port: smtp.port, user: '', password: '' }
    const { id } = (await add(site, { target: { ...target, security: 'none' } })).answer
    await site.call('admin', testNotificationRule, { params: { id } })
    const { db } = site.ctx
    const without = (json: string) => json.replace(/"language":"en",?/, '').replace(',}', '}')
    const rule = await db.selectFrom('notification_rules').selectAll().executeTakeFirstOrThrow()
    const sent = await db
      .selectFrom('notification_deliveries')
      .selectAll()
      .executeTakeFirstOrThrow()
    await db
      .updateTable('notification_rules')
      .set({ settings: without(rule.settings) })
      .execute()
    await db
      .updateTable('notification_deliveries')
      .set({ message: without(sent.message) })
      .execute()
    const listed = await site.call('admin', listNotificationRules, {})
    expect(listed.answer.data[0]?.language).toBe('en')
    const read = await site.call('admin', listNotificationDeliveries, { query: {} })
    expect(read.answer.data[0]?.subject).toBe('[Trunkline] Test of Night shift')
  })
})
