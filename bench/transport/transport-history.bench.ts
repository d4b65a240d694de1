/**
 * What it costs to keep the history of transport streams: two days of 200 links on ten hosts, each minute
 * as their agents count it, through the product's own store into the embedded database; one link in
 * twenty has errors in each sample. Then it is read back as the console asks for it.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, type Connection } from '@trunkline/api/db/open'
import { removeOldest } from '@trunkline/api/links/history/steps.store'
import {
  HOUR_S,
  MINUTE_S,
  samplesOf,
  summedSamples,
} from '@trunkline/api/links/transport/transport-history.rules'
import * as transportStore from '@trunkline/api/links/transport/transport-history.store'
import { TRANSPORT_STEPS } from '@trunkline/contract/contributions/transport-history.calls'
import type { ErrorSpan, TransportMinute } from '@trunkline/contract/fleet/transport-history.schema'
import { sql } from 'kysely'
import { atMost, cpuMs, printFigure, round } from '../kit/figure.ts'

const HOSTS = 10
const LINKS_A_HOST = 20
const LINKS = HOSTS * LINKS_A_HOST
/** One in so many has errors. */
const BAD_EVERY = 20
const MINUTES = 2 * 24 * 60
const MINUTES_KEPT_S = 26 * HOUR_S
const LOOKS = 50
const START_MS = Date.parse('2026-11-20T00:00:00.000Z')

const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-transport-history-'))
const file = join(folder, 'trunkline.db')
const db = await openDatabase({ kind: 'sqlite', file })
try {
  const emptyBytes = await bytesOf(db)
  let [storeMs, longestMs] = [0, 0]
  for (let minute = 0; minute < MINUTES; minute++) {
    storeMs += await cpuMs(async () => {
      for (let host = 0; host < HOSTS; host++) {
        longestMs = Math.max(longestMs, await timeOf(async () => storeMinute(db, host, minute)))
      }
      const beforeS = START_MS / 1000 + minute * MINUTE_S - MINUTES_KEPT_S
      await removeOldest(db, 'transport_samples', MINUTE_S, beforeS)
    })
  }
  const bytesPerLink = ((await bytesOf(db)) - emptyBytes) / LINKS
  const endS = START_MS / 1000 + MINUTES * MINUTE_S
  const read = async (link: number, span: keyof typeof TRANSPORT_STEPS) => {
    const { lengthMs, stepMs } = TRANSPORT_STEPS[span]
    const asked = { stepS: stepMs / 1000, fromS: endS - lengthMs / 1000 }
    const all = await cpuMs(async () => {
      for (let look = 0; look < LOOKS; look++) {
        const steps = await transportStore.list(db, idOf(link), asked)
        if (steps.length === 0) throw new Error('A link has no history.')
      }
    })
    return round(all / LOOKS)
  }
  const msPerMinute = storeMs / (MINUTES * LINKS)
  const dayMs = await read(1, '24h')
  const badDayMs = await read(0, '24h')
  printFigure({
    bench: 'transport-history',
    rounds: MINUTES,
    ours: {
      links: LINKS,
      storeCpuMsPerLinkAndMinute: Math.round(msPerMinute * 10_000) / 10_000,
      longestHostMs: round(longestMs),
      cpuPercentOfOneCore: round(((msPerMinute * LINKS) / 60_000) * 100),
      databaseBytesPerLink: Math.round(bytesPerLink),
      readDayCpuMs: dayMs,
      readDayWithErrorsCpuMs: badDayMs,
      readWeekCpuMs: await read(1, '7d'),
      readWeekWithErrorsCpuMs: await read(0, '7d'),
    },
    limit: {},
    goals: [
      atMost('CPU of 200 links', ((msPerMinute * LINKS) / 60_000) * 100, 0.5, '% of a core'),
      atMost('database of a link', bytesPerLink / 1024, 512, 'KiB'),
      atMost('CPU of reading 24 h of one link', Math.max(dayMs, badDayMs), 50, 'ms'),
    ],
  })
} finally {
  await db.destroy()
  rmSync(folder, { recursive: true, force: true })
}

function idOf(link: number): string {
  return `output-link${link}`
}

async function storeMinute(to: Connection, host: number, minute: number): Promise<void> {
  const atMs = START_MS + minute * MINUTE_S * 1000
  const minutes = Array.from({ length: LINKS_A_HOST }, (_, at) =>
    minuteOf(host * LINKS_A_HOST + at, atMs),
  )
  const samples = summedSamples(minutes.flatMap((each) => samplesOf(each, 0, atMs + 70_000)))
  const cursor = { run: `host-${host}`, from: minute, to: minute + 1, nowS: atMs / 1000 }
  await to.transaction().execute(async (trx) => {
    if (!(await transportStore.advance(trx, cursor))) throw new Error('It is stored already.')
    await transportStore.add(trx, samples)
  })
}

function minuteOf(link: number, atMs: number): TransportMinute {
  const isBad = link % BAD_EVERY === 0
  return {
    programId: idOf(link),
    atMs,
    lookedMs: 4000,
    followedMs: 0,
    continuityErrors: isBad ? 34 : 0,
    syncLosses: 0,
    transportErrors: 0,
    crcErrors: 0,
    scrambledPackets: 0,
    patGapMs: 101.3,
    pmtGapMs: 102.5,
    pcrIntervalMs: 38.2,
    pcrJitterMs: 1.5,
    errors: isBad ? [spanOf(atMs + 8000), spanOf(atMs + 38_000)] : [],
  }
}

function spanOf(fromMs: number): ErrorSpan {
  const faults = [256, 257].map((pid) => ({
    kind: 'continuity' as const,
    pid,
    count: 17,
    longestMs: null,
  }))
  return { fromMs, toMs: fromMs + 2000, lookedMs: 2000, everyMs: 30_000, faults }
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

async function bytesOf(from: Connection): Promise<number> {
  await sql`pragma wal_checkpoint(truncate)`.execute(from)
  return statSync(file).size
}
