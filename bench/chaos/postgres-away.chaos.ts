/**
 * F18: PostgreSQL cuts every connection and takes none for two seconds, as at a failover, while four people save:
 * nothing acknowledged is lost, and saves are taken again within ten seconds. CHAOS_DATABASE=postgres only.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { atLeast, atMost, printFigure, spread } from '../kit/figure.ts'
import { openApiSite } from './rig/api-site.ts'
import { People } from './rig/people.ts'
import { roundsOf } from './rig/rounds.ts'

const ROUNDS = roundsOf(40)
const SAVING_MS = 500
const AWAY_MS = 2000

await using site = await openApiSite(1)
const door = site.postgresDoor
if (door === null) throw new Error('Set CHAOS_DATABASE=postgres: SQLite is never away.')
const people = await People.meet(site)
const end = new AbortController()
const saving = people.saveUntil(end.signal)
const againMs: number[] = []
for (let at = 0; at < ROUNDS; at += 1) {
  await pause(SAVING_MS)
  await door.shut()
  await pause(AWAY_MS)
  await door.open()
  const openedMs = performance.now()
  const before = people.count('acknowledged')
  while (people.count('acknowledged') === before) await pause(10)
  againMs.push(performance.now() - openedMs)
}
end.abort()
await saving
const { figures, goals } = await people.finish()
printFigure({
  bench: 'postgres-away',
  rounds: ROUNDS,
  ours: { ...figures, savesAgainMs: spread(againMs) },
  limit: {},
  goals: [
    ...goals,
    atLeast(
      'saves interrupted',
      people.count('refused') + people.count('unknown'),
      ROUNDS,
      'saves',
    ),
    atMost('saves again, at most', Math.max(...againMs), 10_000, 'ms'),
  ],
})
