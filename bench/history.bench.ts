/**
 * What it costs to keep what links measure: a day of 200 links, each read every 2 s, through the
 * product's own recorder into the embedded database, then read back as the console asks for it. Then ten
 * minutes of 10,000 links: for how long the event loop is blocked. The clock is the bench's own, so that
 * the day takes a few minutes.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HistoryKeeper } from '@trunkline/api/links/history/history-recorder.service'
import * as historyStore from '@trunkline/api/links/history/history.store'
import { openDatabase, type Connection } from '@trunkline/api/db/open'
import { HISTORY_STEPS, type HistorySpan } from '@trunkline/contract/contributions/history.calls'
import type { LinkReading } from '@trunkline/contract/fleet/reading.schema'
import { sql } from 'kysely'
import { pino } from 'pino'
import { atMost, cpuMs, printFigure, round, spread } from './kit/figure.ts'

const LINKS = 200
const MANY_LINKS = 10_000
const MANY_S = 600
const DAY_S = 24 * 3600
const STEP_S = 10
const READ_EVERY_S = 2
const PAGE_LINKS = 75
const LOOKS = 50
const START_MS = Date.parse('2026-11-20T00:00:00.000Z')

const ids = Array.from({ length: LINKS }, (_, index) => `output-link${index}`)
const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-history-'))
const file = join(folder, 'trunkline.db')
const db = await openDatabase({ kind: 'sqlite', file })
try {
  const emptyBytes = await bytesOf(db)
  const { hearMs, writeMs, longestMs } = await run(db, ids, DAY_S)
  const bytesPerLink = ((await bytesOf(db)) - emptyBytes) / LINKS
  const day = await timeToRead(db, ids.slice(0, 1), '24h')
  const page = await timeToRead(db, ids.slice(0, PAGE_LINKS), '5m')
  const blockedMs = await blockedByMany(db)
  const steps = (DAY_S / STEP_S) * LINKS
  const cpuShare = (hearMs + writeMs) / (DAY_S * 1000)
  printFigure({
    bench: 'history',
    rounds: DAY_S / STEP_S,
    ours: {
      links: LINKS,
      hearCpuMsPerLinkAndStep: round4(hearMs / steps),
      writeCpuMsPerLinkAndStep: round4(writeMs / steps),
      longestStepOfAllLinksMs: round(longestMs),
      loopBlockedMostMs10000Links: round(blockedMs),
      cpuPercentOfOneCore: round(cpuShare * 100),
      databaseBytesPerLinkDay: Math.round(bytesPerLink),
      readDayOfOneLinkMs: { ...spread(day.timesMs), cpu: round(day.cpuMs) },
      readFiveMinutesOf75LinksMs: { ...spread(page.timesMs), cpu: round(page.cpuMs) },
    },
    limit: {},
    goals: [
      atMost('CPU of 200 links', cpuShare * 100, 1, '% of a core'),
      atMost('database of a link and day', bytesPerLink / 1024, 1024, 'KiB'),
      atMost('CPU of reading 24 h of one link', day.cpuMs, 50, 'ms'),
      atMost('CPU of reading 5 min of 75 links', page.cpuMs, 50, 'ms'),
      atMost('event loop blocked, 10,000 links', blockedMs, 50, 'ms'),
    ],
  })
} finally {
  await db.destroy()
  rmSync(folder, { recursive: true, force: true })
}

interface DayCost {
  hearMs: number
  writeMs: number
  longestMs: number
}

async function run(
  to: Connection,
  links: readonly string[],
  lengthS: number,
  startMs = START_MS,
  onHeard: () => void = () => {},
): Promise<DayCost> {
  let nowMs = startMs
  const keeper = new HistoryKeeper({
    db: to,
    log: pino({ level: 'error' }),
    clock: () => nowMs,
  })
  const cost: DayCost = { hearMs: 0, writeMs: 0, longestMs: 0 }
  for (let second = READ_EVERY_S; second <= lengthS; second += READ_EVERY_S) {
    nowMs = startMs + second * 1000
    cost.hearMs += await cpuMs(() => hearAll(keeper, links, nowMs))
    onHeard()
    if (second % STEP_S !== READ_EVERY_S) continue
    const startedAt = performance.now()
    cost.writeMs += await cpuMs(async () => keeper.work())
    cost.longestMs = Math.max(cost.longestMs, performance.now() - startedAt)
  }
  return cost
}

/** Of the work of each step and minute: hearing is spread over the step. */
async function blockedByMany(to: Connection): Promise<number> {
  const links = Array.from({ length: MANY_LINKS }, (_, index) => `output-many${index}`)
  let lastMs = performance.now()
  let mostMs = 0
  let isOver = false
  const look = () => {
    const nowMs = performance.now()
    mostMs = Math.max(mostMs, nowMs - lastMs)
    lastMs = nowMs
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  // Long after the day: what is old goes meanwhile.
  await run(to, links, MANY_S, START_MS + 2 * DAY_S * 1000, () => (lastMs = performance.now()))
  isOver = true
  return mostMs
}

function hearAll(keeper: HistoryKeeper, links: readonly string[], atMs: number): void {
  const reading = readingAt(atMs)
  keeper.hear({ type: 'readings', programIds: links }, () => ({ reading, startedAtMs: START_MS }))
}

function readingAt(atMs: number): LinkReading {
  const packets = Math.round((atMs - START_MS) / 2.5)
  return {
    kind: 'link',
    protocol: 'srt',
    direction: 'send',
    atMs,
    bitrateKbps: 4400 + (atMs % 200),
    rttMs: 20 + (atMs % 13) / 10,
    packets,
    lostPackets: Math.round(packets / 100),
    retransmittedPackets: Math.round(packets / 110),
    droppedPackets: Math.round(packets / 1000),
  }
}

async function bytesOf(from: Connection): Promise<number> {
  await sql`pragma wal_checkpoint(truncate)`.execute(from)
  return statSync(file).size
}

interface ReadCost {
  timesMs: readonly number[]
  /** Of one reading, on average. */
  cpuMs: number
}

async function timeToRead(
  from: Connection,
  links: readonly string[],
  span: HistorySpan,
): Promise<ReadCost> {
  const { lengthMs, stepMs } = HISTORY_STEPS[span]
  const fromS = (START_MS - lengthMs) / 1000 + DAY_S
  const timesMs: number[] = []
  const look = async () => {
    const startedAt = performance.now()
    const read = await historyStore.list(from, links, { stepS: stepMs / 1000, fromS })
    timesMs.push(performance.now() - startedAt)
    if (read.size !== links.length) throw new Error('Some links have no history.')
  }
  const allMs = await cpuMs(async () => {
    for (let done = 0; done < LOOKS; done += 1) await look()
  })
  return { timesMs, cpuMs: allMs / LOOKS }
}

function round4(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
