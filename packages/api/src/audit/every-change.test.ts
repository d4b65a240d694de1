/** T20: every call that changes something leaves one line that tells it whole, without its secrets. */
import { expect, test } from 'vitest'
import { RECORDED_LABELS } from '@trunkline/contract/audit/recorded-field.messages'
import { ADDITION_KEY_HEADER } from '@trunkline/contract/route'
import type { AuditRow } from '../db/schema.ts'
import { isChange } from '../http/call-subject.ts'
import { allCalls } from '../testing/all-calls.ts'
import {
  idIn,
  walkEveryChange,
  WALK_PASSWORDS,
  type Holds,
  type Step,
} from '../testing/change-walk.ts'
import { inject, PLANTED_SECRETS } from '../testing/inject.ts'
import { TEST_PASSWORD } from '../testing/people.ts'
import { openTestSite, type TestSite } from '../testing/test-site.ts'

const SECRETS = [...PLANTED_SECRETS, ...WALK_PASSWORDS, TEST_PASSWORD, '$argon2']

/**
 * `walked` is told of each call that was looked at. What adds an object is sent twice, as when the first
 * answer was lost: it must be one change.
 */
function checkedStep(site: TestSite, walked: string[]): Step {
  const { superadmin } = site.people
  return async (call, holds, input, parts = []) => {
    const known = await linesOf(site)
    const key = call.addsObject ? { [ADDITION_KEY_HEADER]: `addition ${walked.length}` } : {}
    const sent = { ...input, headers: { ...input.headers, ...key } }
    const first = await inject(site.app, call, superadmin.token, sent)
    const again = call.addsObject ? await inject(site.app, call, superadmin.token, sent) : first
    const { status, text } = first
    expect([call.name, again.status, again.text]).toEqual([call.name, status, text])
    expect([call.name, status, status >= 300 ? text : '']).toEqual([
      call.name,
      call.successStatus,
      '',
    ])
    const lines = (await linesOf(site)).filter(({ id }) => !known.some((item) => item.id === id))
    const calls = lines.map((each) => each.call)
    expect(calls.toSorted(), call.name).toEqual([call.name, ...parts].toSorted())
    const line = lines.find((each) => each.call === call.name)
    expect(line).toMatchObject({
      call: call.name,
      actor_id: superadmin.id,
      actor_name: 'Test superadmin',
      role: 'superadmin',
      ip: '127.0.0.1',
      result: 'done',
    })
    expect([call.name, line?.object_kind, line?.object_id, line?.object_title]).not.toContain('')
    expect([call.name, line?.object_id, line?.object_kind]).not.toContain(null)
    expect([call.name, heldBy(line)]).toEqual([call.name, holds])
    walked.push(call.name)
    return idIn(text)
  }
}

async function linesOf(site: TestSite): Promise<AuditRow[]> {
  return site.ctx.db.selectFrom('audit').selectAll().orderBy('at').execute()
}

function heldBy(line: AuditRow | undefined): Holds {
  const hasBefore = (line?.before ?? null) !== null
  const hasAfter = (line?.after ?? null) !== null
  if (hasBefore && hasAfter) return 'before and after'
  if (hasBefore) return 'before'
  return hasAfter ? 'after' : 'neither'
}

/** Of an object as it was recorded: JSON, or null for none. */
function fieldNamesIn(text: string | null): string[] {
  const names: string[] = []
  JSON.parse(text ?? 'null', (name, value: unknown) => {
    if (name !== '' && !/^\d+$/.test(name)) names.push(name)
    return value
  })
  return names
}

test('T20 T10 every call that changes something leaves one whole line, without secrets', async () => {
  await using site = await openTestSite()
  const walked: string[] = []
  await walkEveryChange(site, checkedStep(site, walked))
  const changing = (await allCalls()).filter((call) => isChange(call, {})).map(({ name }) => name)
  expect([...new Set(walked)].toSorted()).toEqual(changing.toSorted())
  const record = JSON.stringify(await linesOf(site))
  expect(SECRETS.filter((secret) => record.includes(secret))).toEqual([])
  const lines = await linesOf(site)
  const names = lines.flatMap(({ before, after }) => [before, after].flatMap(fieldNamesIn))
  expect([...new Set(names)].filter((name) => !Object.hasOwn(RECORDED_LABELS, name))).toEqual([])
})
