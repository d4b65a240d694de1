import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'
import pino from 'pino'
import { expect, test } from 'vitest'
import type { Connection } from '../../db/open.ts'
import { describeOnBothDatabases } from '../../testing/databases.ts'
import { HistoryKeeper } from './history-recorder.service.ts'
import type { LinkSample } from './history.rules.ts'
import * as linkDayStore from './link-day.store.ts'
import * as historyStore from './history.store.ts'

/** The full hour, so that it is where minutes begin too. */
const START_MS = 1_800_000_000_000
const START_S = START_MS / 1000

/** A recorder whose clock is advanced by the test, and that hears one reading a second. */
function keep(db: Connection, startMs = START_MS) {
  let nowMs = startMs
  let packets = 1000
  const keeper = new HistoryKeeper({ db, log: pino({ level: 'silent' }), clock: () => nowMs })
  const say = (
    parts: Partial<LinkReading> = {},
    startedAtMs: number | null = null,
    programIds: readonly string[] = ['output-a'],
  ) => {
    const reading: LinkReading = {
      kind: 'link',
      protocol: 'srt',
      direction: 'send',
      atMs: nowMs,
      bitrateKbps: 4000,
      rttMs: 20,
      packets,
      lostPackets: 0,
      retransmittedPackets: 0,
      droppedPackets: 0,
      ...parts,
    }
    keeper.hear({ type: 'readings', programIds }, () => ({ reading, startedAtMs }))
  }
  return {
    keeper,
    say,
    /** A second and a reading at a time; a link that says nothing when `isSilent`. */
    pass: async (seconds: number, isSilent = false) => {
      for (let second = 0; second < seconds; second++) {
        nowMs += 1000
        packets += 400
        if (!isSilent) say()
        if ((nowMs / 1000) % 10 === 2) await keeper.work()
      }
    },
    jump: (durationMs: number) => {
      nowMs += durationMs
    },
  }
}

async function stepsOf(db: Connection, stepS = 10): Promise<readonly LinkSample[]> {
  const read = await historyStore.list(db, ['output-a'], { stepS, fromS: 0 })
  return read.get('output-a') ?? []
}

describeOnBothDatabases('counts of links by the day', (open) => {
  test('what was counted is added to its day now and then, and at an orderly end', async () => {
    const db = await open()
    const day = new Date(START_MS).toISOString().slice(0, 10)
    const { pass, keeper } = keep(db)
    await pass(290)
    expect(await linkDayStore.list(db, 'output-a', day)).toEqual([])
    await pass(20)
    const [written] = await linkDayStore.list(db, 'output-a', day)
    expect(written).toEqual({ day, packets: 298 * 400, lost: 0, resent: 0, dropped: 0 })
    await keeper.writeAll()
    const { keeper: second, pass: more } = keep(db, START_MS + 400_000)
    await more(5)
    await second.writeAll()
    const [sum] = await linkDayStore.list(db, 'output-a', day)
    expect(sum?.packets).toBe((309 + 4) * 400)
    expect(await linkDayStore.list(db, 'output-a', '2100-01-01')).toEqual([])
  })
})

describeOnBothDatabases('recorder of link history', (open) => {
  test('an interval is written once it is over, with only its own counts', async () => {
    const db = await open()
    const { pass, keeper } = keep(db)
    await pass(25)
    expect(await stepsOf(db)).toMatchObject([
      // The first reading is what all others are counted from.
      { atS: START_S, readings: 9, packets: 8 * 400, bitrateSumKbps: 9 * 4000 },
      { atS: START_S + 10, readings: 10, packets: 10 * 400 },
    ])
    await keeper.writeAll()
    expect(await stepsOf(db)).toMatchObject([{}, {}, { atS: START_S + 20, readings: 6 }])
  })

  test('a host whose clock was far ahead for a moment is heard again at once', async () => {
    const db = await open()
    const { pass, say } = keep(db)
    await pass(5)
    // The end of the year 9999, and reported twice.
    say({ atMs: 253_402_300_799_999 })
    say({ atMs: 253_402_300_799_999 })
    await pass(20)
    expect(await stepsOf(db)).toMatchObject([
      { atS: START_S, readings: 10 },
      { atS: START_S + 10, readings: 10, packets: 10 * 400 },
    ])
  })

  test('a repeated reading counts once, and an interval without readings has no row', async () => {
    const db = await open()
    const { pass, say } = keep(db)
    await pass(5)
    say()
    await pass(5, true)
    await pass(20, true)
    await pass(5)
    await pass(10, true)
    const steps = await stepsOf(db)
    expect(steps.map(({ atS, readings }) => [atS - START_S, readings])).toEqual([
      [0, 5],
      [30, 5],
    ])
  })

  test('a burst, a drop and a restart of the program stay as they were', async () => {
    const db = await open()
    const { pass, say, jump } = keep(db)
    await pass(3)
    jump(100)
    say({ bitrateKbps: 0, rttMs: 400 })
    jump(100)
    say({ bitrateKbps: 9000, packets: 5, droppedPackets: 2 }, START_MS + 3150)
    jump(800)
    await pass(10, true)
    expect(await stepsOf(db)).toMatchObject([
      {
        readings: 5,
        bitrateMinKbps: 0,
        bitrateMaxKbps: 9000,
        rttMaxMs: 400,
        packets: 2 * 400 + 5,
        dropped: 2,
      },
    ])
  })

  test('minutes are kept a day and steps two hours; older ones go', async () => {
    const db = await open()
    const { pass, jump } = keep(db)
    await pass(132)
    expect(await stepsOf(db, 60)).toMatchObject([
      { atS: START_S, readings: 59, bitrateMaxKbps: 4000 },
      { atS: START_S + 60, readings: 60, packets: 60 * 400 },
    ])
    jump(3 * 3_600_000)
    await pass(60)
    expect((await stepsOf(db)).every(({ atS }) => atS > START_S + 3 * 3600)).toBe(true)
    expect(await stepsOf(db, 60)).toHaveLength(4)
    jump(27 * 3_600_000)
    await pass(60)
    expect((await stepsOf(db, 60)).every(({ atS }) => atS > START_S + 27 * 3600)).toBe(true)
  })

  test('after a restart of the API missed minutes are summed up later', async () => {
    const db = await open()
    const first = keep(db)
    await first.pass(65)
    await first.keeper.writeAll()
    const second = keep(db, START_MS + 65_000)
    await second.pass(60)
    expect(await stepsOf(db, 60)).toMatchObject([
      { atS: START_S },
      // The step of the restart has what the one that heard more of it wrote.
      { atS: START_S + 60, readings: 56 },
    ])
  })

  test('a failed write is repeated with the next interval, and dropped after some minutes', async () => {
    const db = await open()
    const { pass, keeper } = keep(db)
    await db.schema.alterTable('link_samples').renameTo('link_samples_away').execute()
    await pass(22)
    await db.schema.alterTable('link_samples_away').renameTo('link_samples').execute()
    expect(await stepsOf(db)).toEqual([])
    await pass(10)
    expect(await stepsOf(db)).toHaveLength(3)
    await db.schema.alterTable('link_samples').renameTo('link_samples_away').execute()
    await pass(12)
    await pass(400, true)
    await db.schema.alterTable('link_samples_away').renameTo('link_samples').execute()
    await keeper.writeAll()
    expect(await stepsOf(db)).toHaveLength(3)
  })
})

describeOnBothDatabases('recorder of a large site', (open) => {
  test('a step of thousands is written in parts, with turns for others between them', async () => {
    const db = await open()
    const { keeper, say, jump } = keep(db)
    const ids = Array.from({ length: 2000 }, (_, index) => `output-${index}`)
    jump(1000)
    say({}, null, ids)
    jump(11_000)
    let turns = 0
    const count = () => {
      turns += 1
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    await keeper.work()
    clearImmediate(timer)
    expect(turns).toBeGreaterThanOrEqual(2)
    const read = await historyStore.list(db, ids, { stepS: 10, fromS: 0 })
    expect(read.size).toBe(2000)
  })
})
