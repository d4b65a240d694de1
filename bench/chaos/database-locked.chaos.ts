/**
 * F6: another program holds the write lock of the SQLite file while four people save: reading goes on at once,
 * saves wait two seconds at most and then are refused, and the event loop is never blocked. SQLite only.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { atLeast, atMost, percentile, printFigure, round, spread } from '../kit/figure.ts'
import { openApiSite } from './rig/api-site.ts'
import { People } from './rig/people.ts'
import { readFor } from './rig/reader.ts'
import { roundsOf } from './rig/rounds.ts'

const ROUNDS = roundsOf(40)
/** A short backup, and what lasts longer than a save waits. */
const HELD_MS = [500, 1500, 4000]
const FREE_MS = 200

await using site = await openApiSite(1)
const api = site.first
const people = await People.meet(site)
const end = new AbortController()
const saving = people.saveUntil(end.signal)
const readMs: number[] = []
const other = new Sqlite(join(site.dataDir, 'trunkline.db'), { timeout: 5000 })
await api.process.readGauge()
for (let at = 0; at < ROUNDS; at += 1) {
  await pause(FREE_MS)
  other.exec('begin immediate')
  readMs.push(...(await readFor(api.client, HELD_MS[at % HELD_MS.length] ?? 0)))
  other.exec('rollback')
}
const { blockedMs } = await api.process.readGauge()
other.close()
end.abort()
await saving
const saveMs = people.tookMs
const { figures, goals } = await people.finish()
printFigure({
  bench: 'database-locked',
  rounds: ROUNDS,
  ours: {
    ...figures,
    readMs: { ...spread(readMs), p99: round(percentile(readMs, 99)) },
    saveMs: { ...spread(saveMs), p99: round(percentile(saveMs, 99)) },
    blockedMs,
  },
  limit: {},
  goals: [
    ...goals,
    atLeast('saves refused', people.count('refused'), Math.floor(ROUNDS / HELD_MS.length), 'saves'),
    atMost('saves without an answer', people.count('unknown'), 0, 'saves'),
    atMost('longest save', Math.max(...saveMs), 2500, 'ms'),
    atMost('event loop blocked', blockedMs, 50, 'ms'),
  ],
})
