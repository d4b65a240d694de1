import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import {
  addOverride,
  listOverrides,
  readCombinedRules,
  removeOverride,
  updateOverride,
} from '@trunkline/contract/alarms/overrides/override.calls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeServer } from '../../testing/role-walk/things.ts'
import { addTestInput } from '../../testing/input.fixture.ts'
import { BOTH_DATABASES, openSiteOn } from '../../testing/site-on.ts'
import { openTestSite } from '../../testing/test-site.ts'
import { openAlarms } from '../alarm-keeper.service.ts'
import { openOverrides } from './override.service.ts'

test.each(BOTH_DATABASES)(
  'a change of a rule changes, clears and raises what is open, also after a restart, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const { id } = await addTestInput(site, 6100)
    let aheadMs = 0
    const keeper = openAlarms({ ...site.ctx, clock: () => Date.now() + aheadMs })
    onTestFinished(async () => keeper[Symbol.asyncDispose]())
    const until = async (expected: readonly string[]) =>
      vi.waitFor(async () => {
        aheadMs += 500
        await keeper.written()
        const open = [...site.ctx.alarms.all()].map(({ rule, severity }) => `${rule} ${severity}`)
        expect(open).toEqual(expected)
      }, 60_000)
    await site.call('northManager', contributionAction, {
      body: { id, type: 1, actionType: 'start' },
    })
    site.linkHost.change(`input-${id}`, { state: 'fatal', pid: null, cause: 'Port in use.' })
    await until(['program-down critical'])

    const covers = { kind: 'group' as const, id: site.north }
    const body = { covers, rule: 'program-down' as const, severity: 'warning' as const }
    const added = await site.call('northManager', addOverride, { body })
    expect(added.answer.data).toMatchObject({ covers: { title: 'North' }, severity: 'warning' })
    await until(['program-down warning'])
    const params = { id: added.answer.id }
    await site.call('northManager', updateOverride, { params, body: { isOff: true } })
    await until([])

    site.ctx.overrides.replace([])
    await until(['program-down critical'])
    const reader = await openOverrides(site.ctx)
    onTestFinished(async () => reader[Symbol.asyncDispose]())
    await until([])
    expect((await site.call('northManager', removeOverride, { params })).status).toBe(200)
    await until(['program-down critical'])
  },
)

test.each(BOTH_DATABASES)(
  'what is covered has one override of a rule, and a late change is answered with the newer, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const covers = { kind: 'group' as const, id: site.north }
    const body = { covers, rule: 'no-peer' as const, raiseAfterSeconds: 30 }
    const { answer } = await site.call('northManager', addOverride, { body })
    const again = await site.call('admin', addOverride, { body })
    expect(again).toMatchObject({ status: 409, answer: { field: 'rule' } })
    const params = { id: answer.id }
    const change = async (raiseAfterSeconds: number) =>
      site.call('admin', updateOverride, { params, body: { raiseAfterSeconds, version: 1 } })
    expect((await change(40)).answer.data).toMatchObject({ raiseAfterSeconds: 40, version: 2 })
    expect(await change(50)).toMatchObject({
      status: 409,
      answer: { current: { raiseAfterSeconds: 40 }, changed: ['raiseAfterSeconds'] },
    })
  },
)

test('a manager overrides nothing of what also belongs to another group, or is not there', async () => {
  await using site = await openTestSite()
  const shared = await makeServer(site, 'Shared', 'acants', 19_001, [site.north, site.south])
  const asked = async (covers: { kind: 'group' | 'server' | 'input'; id: string }) =>
    (
      await site.call('northManager', addOverride, {
        body: { covers, rule: 'no-peer', isOff: true },
      })
    ).status
  expect(await asked({ kind: 'server', id: shared })).toBe(403)
  expect(await asked({ kind: 'server', id: site.acantsId })).toBe(201)
  expect(await asked({ kind: 'group', id: site.south })).toBe(404)
  expect(await asked({ kind: 'input', id: 'nowhere' })).toBe(404)
  expect((await site.call('southManager', listOverrides, {})).answer.total).toBe(0)
})

test('a rule that what is covered cannot raise is refused at its field', async () => {
  await using site = await openTestSite()
  const { id } = await addTestInput(site, 6100)
  const body = { covers: { kind: 'input' as const, id }, rule: 'slow' as const, isOff: true }
  const refused = await site.call('admin', addOverride, { body })
  expect(refused).toMatchObject({ status: 400, answer: { field: 'rule' } })
})

test('a change that its rule does not take is refused at its field', async () => {
  await using site = await openTestSite()
  const covers = { kind: 'group' as const, id: site.north }
  const body = { covers, rule: 'losing-packets' as const, isOff: false }
  const { answer } = await site.call('northManager', addOverride, { body })
  const params = { id: answer.id }
  const change = async (settings: { threshold?: number; clearAfterSeconds?: number }) =>
    site.call('northManager', updateOverride, { params, body: settings })
  expect(await change({ threshold: 0.3 })).toMatchObject({
    status: 400,
    answer: { field: 'threshold' },
  })
  const sooner = await change({ clearAfterSeconds: 2 })
  expect(sooner).toMatchObject({ status: 400, answer: { field: 'clearAfterSeconds' } })
  expect((await change({ clearAfterSeconds: 3 })).answer.data).toMatchObject({ version: 2 })
})

test.each(BOTH_DATABASES)(
  'what applies to an object and where it comes from is read by who sees it, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const { id } = await addTestInput(site, 6100)
    const covers = { kind: 'group' as const, id: site.north }
    const ofGroup = { covers, rule: 'losing-packets' as const, severity: 'major' as const }
    const { answer: group } = await site.call('northManager', addOverride, { body: ofGroup })
    const ofInput = { ...ofGroup, covers: { kind: 'input' as const, id }, severity: null }
    const own = await site.call('northManager', addOverride, {
      body: { ...ofInput, threshold: 0.5 },
    })
    const query = { kind: 'input' as const, id }
    const { answer } = await site.call('northManager', readCombinedRules, { query })
    expect(answer.data.find(({ rule }) => rule === 'losing-packets')).toEqual({
      rule: 'losing-packets',
      isOff: false,
      severity: 'major',
      threshold: 0.5,
      raiseAfterMs: 5000,
      clearAfterMs: 3000,
      from: {
        isOff: '',
        severity: group.id,
        threshold: own.answer.id,
        raiseAfterMs: '',
        clearAfterMs: '',
      },
    })
    expect(answer.data.map(({ rule }) => rule)).not.toContain('slow')
    const foreign = await site.call('southManager', readCombinedRules, { query })
    expect(foreign.status).toBe(404)
    const nowhere = { query: { ...query, id: 'nowhere' } }
    expect((await site.call('admin', readCombinedRules, nowhere)).status).toBe(404)
  },
)

test('an override of a group that somebody does not see is named as hidden', async () => {
  await using site = await openTestSite()
  const shared = await makeServer(site, 'Shared', 'acants', 19_001, [site.north, site.south])
  const covers = { kind: 'group' as const, id: site.south }
  const body = { covers, rule: 'disk-full' as const, threshold: 20 }
  await site.call('admin', addOverride, { body })
  const query = { kind: 'server' as const, id: shared }
  const { answer } = await site.call('northManager', readCombinedRules, { query })
  const disk = answer.data.find(({ rule }) => rule === 'disk-full')
  expect(disk).toMatchObject({ threshold: 20, from: { threshold: 'hidden', severity: '' } })
})
