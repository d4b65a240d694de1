import { muteAlarm } from '@trunkline/contract/alarms/alarm.calls'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { conflict } from '../errors.ts'
import type { Actor } from '../security/actor.ts'
import { makeTestContext, type TestContext } from '../testing/test-context.ts'
import { flushRefusals, recordIfRefused, recordRefusal } from './refusals.service.ts'

const actor: Actor = {
  id: 'm-1',
  email: '',
  fullName: 'Test manager',
  role: 'manager',
  groupIds: [],
  sessionId: '',
  ip: '192.0.2.1',
}

let site: TestContext
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  site = await makeTestContext()
})
afterEach(async () => {
  vi.useRealTimers()
  await site[Symbol.asyncDispose]()
})

async function refuse(times: number, call = 'groups.remove'): Promise<void> {
  for (let at = 0; at < times; at += 1) {
    await recordRefusal(site.ctx, {
      actor: null,
      call,
      object: { kind: 'group', id: `g-${at}` },
      result: 'refused',
      ip: '192.0.2.1',
      reason: `Refused ${at}.`,
    })
  }
}

async function lines() {
  const rows = await site.ctx.db.selectFrom('audit').select(['call', 'reason']).execute()
  return rows.map(({ call, reason }) => `${call}: ${reason}`)
}

test('T20 the first ten refusals of a minute have a line each, the rest share a line', async () => {
  await refuse(1000)
  await refuse(1, 'groups.add')
  expect(await lines()).toHaveLength(11)
  vi.advanceTimersByTime(60_000)
  await expect.poll(lines).toHaveLength(12)
  expect((await lines()).filter((line) => line.includes('more calls'))).toEqual([
    'groups.remove: 990 more calls like this within a minute. The last: Refused 999.',
  ])
  await refuse(1)
  expect(await lines(), 'a new minute').toHaveLength(13)
})

test('T20 counted refusals are written once when the API ends', async () => {
  await refuse(11)
  await flushRefusals(site.ctx)
  await flushRefusals(site.ctx)
  expect((await lines()).filter((line) => line.includes('1 more call like this'))).toHaveLength(1)
})

test('T20 commands that failed have a line each with their object, however many', async () => {
  for (let at = 0; at < 20; at += 1) {
    await recordRefusal(site.ctx, {
      actor: null,
      call: 'outputs.start',
      object: { kind: 'output', id: `o-${at}` },
      result: 'failed',
      ip: '192.0.2.1',
      reason: 'The host did not answer.',
    })
  }
  const rows = await site.ctx.db.selectFrom('audit').select('object_id').orderBy('id').execute()
  const ids = Array.from({ length: 20 }, (_, at) => `o-${at}`)
  expect(new Set(rows.map((row) => row.object_id))).toEqual(new Set(ids))
})

test('T20 a refusal that its service recorded is counted once, also where it has no line of its own', async () => {
  const failure = conflict('Somebody else has saved this alarm since you opened it.')
  const entry = { actor, call: muteAlarm.name, object: null, result: 'refused' as const }
  for (let at = 0; at < 10; at += 1) await recordRefusal(site.ctx, entry)
  await recordRefusal(site.ctx, { ...entry, reason: failure.message, failure })
  const attempt = { call: muteAlarm, request: { params: { id: 'a-1' }, body: {} }, actor }
  await recordIfRefused(site.ctx, attempt, failure)
  await flushRefusals(site.ctx)
  expect((await lines()).filter((line) => line.includes('more call'))).toEqual([
    `alarms.mute: 1 more call like this within a minute. The last: ${failure.message}`,
  ])
})
