import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { makeBackup } from '@trunkline/contract/backups/backup.calls'
import { listGroups } from '@trunkline/contract/groups/group.calls'
import { login } from '@trunkline/contract/session/session.calls'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { outcomesOf } from '../outcome-counts.ts'
import { openTestAlarm } from '../testing/alarm.fixture.ts'
import { inject } from '../testing/inject.ts'
import { TEST_PASSWORD } from '../testing/people.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../testing/test-site.ts'
import { addTestToken, personOwner } from '../users/api-tokens/api-token.fixture.ts'

let site: TestSite
beforeAll(async () => {
  site = await openTestSite()
  await addTestEncoder(site, 0)
  await openTestAlarm(site.ctx, { kind: 'server', id: site.acantsId })
})
afterAll(async () => site[Symbol.asyncDispose]())

async function scrape(token: string) {
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` }
  return site.app.inject({ url: '/metrics', headers })
}

async function metricsText(): Promise<string> {
  const owner = await personOwner(site.ctx, site.people.admin.id)
  const { text } = await addTestToken(site.ctx, owner, { scope: 'read' })
  return (await scrape(text)).payload
}

function valueOf(text: string, series: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return Number(line?.slice(series.length))
}

test('metrics are for tokens and sessions of admins only', async () => {
  const { people } = site
  const answers = await Promise.all(
    ['', people.northManager.token, people.northMonitor.token, people.admin.token].map(scrape),
  )
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 403, 403, 200])
  expect(answers.at(-1)?.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
})

test('promtool finds nothing wrong with the metrics', async () => {
  const checked = spawnSync('promtool', ['check', 'metrics'], { input: await metricsText() })
  expect([checked.status, String(checked.stdout), String(checked.stderr)]).toEqual([0, '', ''])
})

test('objects, alarms and hosts are counted by kind and state', async () => {
  const text = await metricsText()
  const encoders = text
    .split('\n')
    .filter((line) => line.startsWith('trunkline_objects{kind="encoder"'))
  expect(encoders.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)).toBe(1)
  const open = valueOf(text, 'trunkline_alarms{severity="critical",state="open"}')
  expect(open).toBe([...site.ctx.alarms.all()].filter((it) => it.severity === 'critical').length)
  const hosts = ['online', 'away'].map((state) =>
    valueOf(text, `trunkline_hosts{state="${state}"}`),
  )
  expect(hosts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0)
  expect(valueOf(text, 'trunkline_live_viewers')).toBe(0)
})

test('T16 connections that the port for agents refused are counted by why', async () => {
  const refusals = outcomesOf(site.ctx).agentPortRefusals
  refusals.full += 2
  refusals.certificate += 3
  const text = await metricsText()
  const read = (reason: string) =>
    valueOf(text, `trunkline_agent_port_refused_total{reason="${reason}"}`)
  expect([read('full'), read('certificate')]).toEqual([refusals.full, refusals.certificate])
})

test('backups, and secrets that were tried and right, are counted', async () => {
  const series = [
    'trunkline_backups_total{result="done"}',
    'trunkline_backups_total{result="failed"}',
    'trunkline_secrets_tried_total',
    'trunkline_secrets_right_total',
  ]
  const read = async () => {
    const text = await metricsText()
    return series.map((each) => valueOf(text, each))
  }
  const before = await read()
  const { email } = site.people.northEditor
  for (const password of ['wrong-horse-battery', TEST_PASSWORD, 'wrong-again-battery']) {
    await inject(site.app, login, '', { body: { email, password } })
  }
  await inject(site.app, makeBackup, site.people.admin.token, {})
  await vi.waitFor(async () => {
    const now = await read()
    expect(now.map((value, at) => value - (before[at] ?? 0))).toEqual([1, 0, 3, 1])
  }, 30_000)
})

test('calls are counted by their route, and what nobody serves as one, whatever its path', async () => {
  await inject(site.app, listGroups, site.people.admin.token, {})
  for (let count = 0; count < 20; count++) {
    await site.app.inject({ url: `/api/made-up-${count}` })
    await site.app.inject({ url: `/api/users/getUser/made-up-${count}` })
  }
  const text = await metricsText()
  const answers = text
    .split('\n')
    .filter((line) => line.startsWith('trunkline_http_responses_total'))
  expect(answers.filter((line) => line.includes('made-up'))).toEqual([])
  const user =
    'trunkline_http_responses_total{method="GET",route="/api/users/getUser/:id",status="4xx"}'
  expect(valueOf(text, user)).toBe(20)
  const other = 'trunkline_http_responses_total{method="",route="other",status="4xx"}'
  expect(valueOf(text, other)).toBeGreaterThanOrEqual(20)
  const groups = 'trunkline_http_request_duration_seconds_count{method="GET",route="/api/group"}'
  expect(valueOf(text, groups)).toBeGreaterThanOrEqual(1)
})

const pathOf = (name: string) =>
  fileURLToPath(new URL(`../../../../docs/monitoring/${name}`, import.meta.url))
const read = (name: string) => readFileSync(pathOf(name), 'utf8')

test('the sample alerts are rules that promtool takes', () => {
  const checked = spawnSync('promtool', ['check', 'rules', pathOf('alerts.yml')])
  expect([checked.status, String(checked.stderr)]).toEqual([0, ''])
  expect(String(checked.stdout)).toContain('14 rules found')
})

test('alerts and dashboard use only metrics that API or agent has', async () => {
  const agent = readFileSync(
    new URL('../../../agent/src/metrics/host-metrics.ts', import.meta.url),
    'utf8',
  )
  const totals = readFileSync(new URL('link-totals.ts', import.meta.url), 'utf8')
  const known = `${await metricsText()}${agent}${totals}`
  const names = `${read('alerts.yml')}${read('grafana.json')}`.match(
    /\b(trunkline_[a-z0-9_]+|nodejs_[a-z_]+|process_[a-z_]+)\b/g,
  )
  const bare = [...new Set(names?.map((name) => name.replace(/_(bucket|sum|count)$/, '')))]
  expect(bare.length).toBeGreaterThan(15)
  expect(bare.filter((name) => !known.includes(name))).toEqual([])
})
