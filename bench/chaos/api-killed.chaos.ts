/**
 * F1: the API is killed with kill -9 while four people save, and every acknowledged change must be
 * there, whole, with its line of the record of activity. 1,000 kills take about twenty minutes.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { atMost, percentile, printFigure, round, spread } from '../kit/figure.ts'
import { openApiSite } from './rig/api-site.ts'
import { People } from './rig/people.ts'
import { roundsOf } from './rig/rounds.ts'

const ROUNDS = roundsOf(1000)
/** From when it takes calls to the kill: spread over the length of several saves. */
const SHORTEST_MS = 10
const LONGER_MS = 150
/** Without a common factor with LONGER_MS: every length comes in its turn. */
const STEP_MS = 37

await using site = await openApiSite(1)
const api = site.first
const people = await People.meet(site)
const readyMs: number[] = []
for (let at = 0; at < ROUNDS; at += 1) {
  const end = new AbortController()
  const before = people.count('acknowledged')
  const saving = people.saveUntil(end.signal)
  // A process that has just started takes its time for the first.
  while (people.count('acknowledged') === before) await pause(1)
  await pause(SHORTEST_MS + ((at * STEP_MS) % LONGER_MS))
  await api.kill()
  end.abort()
  await saving
  readyMs.push(await api.start())
}
const { figures, goals } = await people.finish()
printFigure({
  bench: 'api-killed',
  rounds: ROUNDS,
  ours: { ...figures, readyMs: { ...spread(readyMs), p99: round(percentile(readyMs, 99)) } },
  limit: {},
  goals: [
    ...goals,
    atMost('refused while it ran', people.count('refused'), 0, 'changes'),
    atMost('answers calls again, p99', percentile(readyMs, 99), 1000, 'ms'),
  ],
})
