import { expect, test } from 'vitest'
import { newestS, removeOldest } from './steps.store.ts'
import { describeOnBothDatabases } from '../../testing/databases.ts'
import type { LinkSample } from './history.rules.ts'
import * as historyStore from './history.store.ts'

function sampleOf(atS: number, parts: Partial<LinkSample> = {}): LinkSample {
  return {
    programId: 'input-a',
    stepS: 10,
    atS,
    readings: 10,
    bitrateSumKbps: 45_000,
    bitrateMinKbps: 4400,
    bitrateMaxKbps: 4600,
    rttMaxMs: 30.5,
    packets: 4000,
    lost: 20,
    resent: 18,
    dropped: 2,
    ...parts,
  }
}

const ALL = { stepS: 10, fromS: 0 }

describeOnBothDatabases('history of links', (open) => {
  test('steps come back as they were put, in order of time, by program', async () => {
    const db = await open()
    const other = sampleOf(20, { programId: 'output-b', rttMaxMs: null })
    await historyStore.put(db, [sampleOf(20), other, sampleOf(10), sampleOf(0)])
    const read = await historyStore.list(db, ['input-a', 'output-b', 'nobody'], ALL)
    expect(read.get('input-a')).toEqual([sampleOf(0), sampleOf(10), sampleOf(20)])
    expect(read.get('output-b')).toEqual([other])
    expect(read.has('nobody')).toBe(false)
    const late = await historyStore.list(db, ['input-a'], { stepS: 10, fromS: 11 })
    expect(late.get('input-a')).toEqual([sampleOf(20)])
    expect(await historyStore.list(db, [], ALL)).toEqual(new Map())
  })

  test('two processes with the same readings store them once', async () => {
    const db = await open()
    const full = sampleOf(10, { bitrateMinKbps: 4450, rttMaxMs: null })
    const part = sampleOf(10, {
      readings: 4,
      packets: 1600,
      bitrateMinKbps: 100,
      bitrateMaxKbps: 9000,
      bitrateSumKbps: 18_000,
      rttMaxMs: 7,
    })
    const merged = { ...full, bitrateMinKbps: 100, bitrateMaxKbps: 9000, rttMaxMs: 7 }
    await historyStore.put(db, [full])
    await historyStore.put(db, [part])
    expect((await historyStore.list(db, ['input-a'], ALL)).get('input-a')).toEqual([merged])
    const second = (sample: LinkSample) => ({ ...sample, atS: 20 })
    await historyStore.put(db, [second(part)])
    await historyStore.put(db, [second(full)])
    const read = (await historyStore.list(db, ['input-a'], ALL)).get('input-a')
    expect(read).toEqual([merged, second(merged)])
  })

  test('a minute sums its intervals, keeps their extremes, and is recomputed for a late interval', async () => {
    const db = await open()
    const burst = sampleOf(70, { bitrateMaxKbps: 9999, rttMaxMs: 250, readings: 1, packets: 1 })
    await historyStore.put(db, [sampleOf(50), sampleOf(60), burst, sampleOf(120)])
    await historyStore.rollUp(db, ['input-a', 'none'], 60, 120)
    const minute = sampleOf(60, {
      stepS: 60,
      readings: 11,
      bitrateSumKbps: 90_000,
      bitrateMaxKbps: 9999,
      rttMaxMs: 250,
      packets: 4001,
      lost: 40,
      resent: 36,
      dropped: 4,
    })
    const read = async () =>
      (await historyStore.list(db, ['input-a'], { stepS: 60, fromS: 0 })).get('input-a')
    expect(await read()).toEqual([minute])
    await historyStore.put(db, [sampleOf(80, { bitrateMinKbps: 0 })])
    await historyStore.rollUp(db, ['input-a', 'none'], 60, 120)
    expect(await read()).toMatchObject([{ readings: 21, packets: 8001, bitrateMinKbps: 0 }])
    expect(await newestS(db, 'link_samples', 60)).toBe(60)
    expect(await newestS(db, 'link_samples', 900)).toBeNull()
  })

  test('two processes that write the same step at once do not lock each other out', async () => {
    const db = await open()
    const samples = Array.from({ length: 200 }, (_, index) =>
      sampleOf(10, { programId: `input-${index + 100}` }),
    )
    const writeAtOnce = async (heard: readonly LinkSample[]) =>
      db.transaction().execute(async (trx) => historyStore.put(trx, heard))
    for (let round = 0; round < 3; round++) {
      await Promise.all([writeAtOnce(samples), writeAtOnce(samples.toReversed())])
    }
    const read = await historyStore.list(db, ['input-100', 'input-299'], ALL)
    expect([...read.keys()]).toEqual(['input-100', 'input-299'])
  })

  test('the oldest step goes at a time, of that length alone', async () => {
    const db = await open()
    await historyStore.put(db, [
      sampleOf(10),
      sampleOf(10, { programId: 'output-b' }),
      sampleOf(20),
      sampleOf(0, { stepS: 60 }),
    ])
    expect(await removeOldest(db, 'link_samples', 10, 20)).toBe(true)
    expect(await removeOldest(db, 'link_samples', 10, 20)).toBe(false)
    const left = await db.selectFrom('link_samples').select(['step_s', 'at_s']).execute()
    expect(left).toHaveLength(2)
    expect(left).toEqual(
      expect.arrayContaining([
        { step_s: 10, at_s: 20 },
        { step_s: 60, at_s: 0 },
      ]),
    )
  })
})
