/**
 * F7: the disk of the database takes nothing more while four people save: reading goes on, saves are refused
 * with 507, nothing acknowledged is lost, and it saves again as soon as there is space. SQLite only.
 */
import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { atLeast, atMost, printFigure, spread } from '../kit/figure.ts'
import { openApiSite } from './rig/api-site.ts'
import { People } from './rig/people.ts'
import { readFor } from './rig/reader.ts'
import { roundsOf } from './rig/rounds.ts'

const ROUNDS = roundsOf(100)
const FREE_MS = 200
const FULL_MS = 400

await using site = await openApiSite(1)
const api = site.first
const people = await People.meet(site)
const end = new AbortController()
const saving = people.saveUntil(end.signal)
const readMs: number[] = []
const againMs: number[] = []
for (let at = 0; at < ROUNDS; at += 1) {
  await pause(FREE_MS)
  limitFiles('0:unlimited')
  readMs.push(...(await readFor(api.client, FULL_MS)))
  limitFiles('unlimited')
  againMs.push(await untilSaved())
}
end.abort()
await saving
const { figures, goals } = await people.finish()
printFigure({
  bench: 'disk-full',
  rounds: ROUNDS,
  ours: { ...figures, readMs: spread(readMs), savesAgainMs: spread(againMs) },
  limit: {},
  goals: [
    ...goals,
    atLeast('saves refused', people.count('refused'), ROUNDS, 'saves'),
    atMost('saves without an answer', people.count('unknown'), 0, 'saves'),
    atMost('saves again after there is space', Math.max(...againMs), 5000, 'ms'),
  ],
})

/** As on a full disk: no file of the API grows. */
function limitFiles(limit: string): void {
  execFileSync('prlimit', ['--pid', String(api.process.pid), `--fsize=${limit}`])
}

/** By any of them. */
async function untilSaved(): Promise<number> {
  const startedMs = performance.now()
  const before = people.count('acknowledged')
  while (people.count('acknowledged') === before) await pause(5)
  return performance.now() - startedMs
}
