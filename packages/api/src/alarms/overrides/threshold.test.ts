/** A threshold changes what the card shows and what is raised, at once and alike. */
import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import {
  addOverride,
  removeOverride,
  updateOverride,
} from '@trunkline/contract/alarms/overrides/override.calls'
import { lossStepsOf } from '@trunkline/contract/alarms/threshold.rules'
import { expect, onTestFinished, test, vi } from 'vitest'
import { movingSince } from '../../testing/fake-host.ts'
import { addTestInput } from '../../testing/input.fixture.ts'
import { BOTH_DATABASES, openSiteOn } from '../../testing/site-on.ts'
import { openAlarms } from '../alarm-keeper.service.ts'

const LIMIT = 60_000

test.each(BOTH_DATABASES)(
  'loss above the threshold of a link is its state and its alarm, below it neither, on %s',
  async (kind) => {
    const site = await openSiteOn(kind)
    const { id } = await addTestInput(site, 6100)
    const programId = `input-${id}`
    let aheadMs = 0
    const keeper = openAlarms({ ...site.ctx, clock: () => Date.now() + aheadMs })
    onTestFinished(async () => keeper[Symbol.asyncDispose]())
    const until = async (warning: string, alarms: readonly string[]) =>
      vi.waitFor(async () => {
        aheadMs += 1000
        await keeper.written()
        expect(site.ctx.board.program(programId)?.observed?.warning).toBe(warning)
        expect([...site.ctx.alarms.all()].map(({ rule }) => rule)).toEqual(alarms)
      }, LIMIT)
    await site.call('northManager', contributionAction, {
      body: { id, type: 1, actionType: 'start' },
    })
    const sinceMs = Date.now()
    const lose = (share: number, warning: '' | 'losing') => {
      const findings = lossStepsOf(share).map((step) => ({
        kind: 'losing' as const,
        sinceMs,
        step,
      }))
      const observed = { ...movingSince(sinceMs), warning, findings }
      site.linkHost.change(programId, { state: 'running', pid: 7, peer: 'connected', observed })
    }
    lose(0.003, 'losing')
    await until('losing', ['losing-packets'])

    const covers = { kind: 'input' as const, id }
    const body = { covers, rule: 'losing-packets' as const, threshold: 0.5 }
    const added = await site.call('northManager', addOverride, { body })
    expect(added.answer.data).toMatchObject({ threshold: 0.5, severity: null })
    await until('', [])
    lose(0.011, 'losing')
    await until('losing', ['losing-packets'])

    const params = { id: added.answer.id }
    await site.call('northManager', updateOverride, { params, body: { threshold: 2 } })
    await until('', [])
    // Not enough for the host to warn of it by the default.
    lose(0.0004, '')
    await until('', [])
    await site.call('northManager', updateOverride, { params, body: { threshold: '0.02' } })
    await until('losing', ['losing-packets'])
    await site.call('northManager', removeOverride, { params })
    await until('', [])

    const refused = await site.call('northManager', addOverride, {
      body: { ...body, threshold: 0.3 },
    })
    expect(refused).toMatchObject({ status: 400, answer: { field: 'threshold' } })
  },
)

test('a change of a threshold is refused at its field where its rule judges no figure', async () => {
  const site = await openSiteOn('SQLite')
  const covers = { kind: 'group' as const, id: site.north }
  const body = { covers, rule: 'no-peer' as const, isOff: true }
  const { answer } = await site.call('northManager', addOverride, { body })
  const params = { id: answer.id }
  const refused = await site.call('northManager', updateOverride, {
    params,
    body: { threshold: 5 },
  })
  expect(refused).toMatchObject({ status: 400, answer: { field: 'threshold' } })
})

test('the free space at which a disk is nearly full is set for a server, on its row and for its alarm', async () => {
  const site = await openSiteOn('SQLite')
  let aheadMs = 0
  const keeper = openAlarms({ ...site.ctx, clock: () => Date.now() + aheadMs })
  onTestFinished(async () => keeper[Symbol.asyncDispose]())
  const disk = { path: '/srv', freeBytes: 12e9, totalBytes: 100e9, state: 'ok' as const }
  const record = () => site.ctx.hosts.record('server', site.acantsId)
  const until = async (alarms: readonly string[]) =>
    vi.waitFor(async () => {
      aheadMs += 1000
      site.linkHost.tell({ type: 'health', health: { disk } })
      await keeper.written()
      const server = record()
      const problem = server && site.ctx.board.host(server).problem
      expect(problem === undefined ? [] : [problem.kind]).toEqual(alarms.map(() => 'disk-low'))
      expect([...site.ctx.alarms.all()].map(({ rule }) => rule)).toEqual(alarms)
    }, LIMIT)
  await until([])
  const covers = { kind: 'server' as const, id: site.acantsId }
  const body = { covers, rule: 'disk-full' as const, threshold: 15 }
  const { answer } = await site.call('admin', addOverride, { body })
  await until(['disk-full'])
  await site.call('admin', updateOverride, {
    params: { id: answer.id },
    body: { threshold: 10 },
  })
  await until([])
})
