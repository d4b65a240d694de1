import { readLatencyAdvice, type LatencyLinkKind } from '@trunkline/contract/paths/latency.calls'
import { expect, test } from 'vitest'
import * as historyStore from '../links/history/history.store.ts'
import { addTestInput } from '../testing/input.fixture.ts'
import type { PersonName } from '../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import type { TestSite } from '../testing/test-site.ts'
import { addPath } from './path-site.fixture.ts'

async function ask(site: TestSite, who: PersonName, kind: LatencyLinkKind, id: string) {
  return site.call(who, readLatencyAdvice, { params: { kind, id } })
}

interface Counts {
  rttMs: number
  lost: number
  resent: number
}

/** Of each thousand packets so many were lost or resent, in the newest steps of ten seconds. */
async function putSteps(site: TestSite, programId: string, count: number, counts: Counts) {
  const lastS = Math.floor(Date.now() / 10_000) * 10 - 10
  const samples = Array.from({ length: count }, (_, at) => ({
    programId,
    stepS: 10,
    atS: lastS - at * 10,
    readings: 5,
    bitrateSumKbps: 22_500,
    bitrateMinKbps: 4500,
    bitrateMaxKbps: 4500,
    rttMaxMs: counts.rttMs,
    packets: 1000 - counts.lost,
    lost: counts.lost,
    resent: counts.resent,
    dropped: 0,
  }))
  await historyStore.put(site.ctx.db, samples)
}

test.each(BOTH_DATABASES)(
  'the advice on latency is made of what both ends measured, on %s',
  async (database) => {
    const site = await openSiteOn(database)
    const { feederId, inputId, toChannel } = await addPath(site)
    await putSteps(site, `input-${inputId}`, 40, { rttMs: 60, lost: 21, resent: 0 })
    await putSteps(site, `feeder-${feederId}`, 40, { rttMs: 50, lost: 0, resent: 90 })
    const other = { kind: 'feeder', id: feederId, title: 'to Gateway', latencyMs: 3000 }
    expect((await ask(site, 'northManager', 'input', inputId)).answer.data).toMatchObject({
      protocol: 'srt',
      isReceiver: true,
      ownMs: 3000,
      other,
      negotiatedMs: null,
      measured: {
        steps: 40,
        rttMs: { median: 60, p95: 60, highest: 60 },
        loss: { percent: 2.1, worstPercent: 2.1, countedBy: 'receiver' },
      },
      needed: { latencyMs: 240, multiplier: 4, verdict: 'high' },
    })
    // A sender goes by the loss that its receiver counted.
    const feeder = await ask(site, 'northManager', 'feeder', feederId)
    expect(feeder.answer.data).toMatchObject({
      isReceiver: false,
      other: { kind: 'input', id: inputId, latencyMs: 3000 },
      measured: { loss: { worstPercent: 2.1, countedBy: 'receiver' } },
      needed: { latencyMs: 200, multiplier: 4 },
    })
    // An editor sees no inputs: what the feeder resent has to do.
    const edited = await ask(site, 'northEditor', 'feeder', feederId)
    expect(edited.answer.data).toMatchObject({
      other: null,
      measured: { loss: { worstPercent: 9, countedBy: 'sender' } },
      needed: { latencyMs: 300, multiplier: 6 },
    })
    expect(edited.text).not.toContain(inputId)
    const silent = await ask(site, 'northManager', 'output', toChannel)
    expect(silent.answer.data).toMatchObject({ measured: null, needed: null })
    expect((await ask(site, 'southManager', 'input', inputId)).status).toBe(404)
    expect((await ask(site, 'northEditor', 'input', inputId)).status).toBe(403)
  },
)

test('less than five minutes of readings give no advice', async () => {
  const site = await openSiteOn('SQLite')
  const { inputId } = await addPath(site)
  await putSteps(site, `input-${inputId}`, 29, { rttMs: 60, lost: 0, resent: 0 })
  const { answer } = await ask(site, 'northManager', 'input', inputId)
  expect(answer.data).toMatchObject({ measured: { steps: 29 }, needed: null })
})

test('a Local input has no latency', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestInput(site, 6002, {
    inputType: 'Local',
    config: { port: 6002, multicast: '239.1.2.3' },
  })
  const { status, failure } = await ask(site, 'northManager', 'input', id)
  expect([status, failure.error]).toEqual([422, expect.stringContaining('has no latency')])
})
