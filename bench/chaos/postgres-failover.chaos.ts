/**
 * F18: PostgreSQL is killed while four people save, its synchronous hot standby takes its place, and the address
 * moves: nothing acknowledged is lost, and saves are taken again within ten seconds. Every second time it goes
 * without a word, as a machine that loses its power: its connections stay open. 20 failovers take four minutes;
 * Debian's package postgresql is needed.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { atLeast, atMost, percentile, printFigure, round, spread } from '../kit/figure.ts'
import { openApiSite } from './rig/api-site.ts'
import { People } from './rig/people.ts'
import { openPostgresPair } from './rig/postgres-pair.ts'
import { roundsOf } from './rig/rounds.ts'

const ROUNDS = roundsOf(20)
const SAVING_MS = 500
/** From the kill until whoever watches the servers promotes the standby. */
const NOTICED_MS = 2000
/** Without a common factor with the time of a save, so that kills fall into saves. */
const STEP_MS = 37
/** An operator waits no longer for an answer. */
const LONGEST_SAVE_MS = 10_000

type End = 'killed' | 'silent'

const pair = await openPostgresPair()
await using site = await openApiSite(1, { databases: pair })
const people = await People.meet(site)
const end = new AbortController()
const saving = people.saveUntil(end.signal)
const againMs: Record<End, number[]> = { killed: [], silent: [] }
const promotedMs: number[] = []
const longestMs: number[] = []
const withStandbyMs: number[] = []
for (let at = 0; at < ROUNDS; at += 1) {
  await pause(SAVING_MS + ((at * STEP_MS) % 200))
  const killed = people.moment()
  const how: End = at % 2 === 0 ? 'killed' : 'silent'
  await (how === 'killed' ? pair.killPrimary() : pair.silencePrimary())
  await pause(NOTICED_MS)
  const promotingMs = performance.now()
  await pair.promote()
  promotedMs.push(performance.now() - promotingMs)
  const movedMs = performance.now()
  const before = people.count('acknowledged')
  while (people.count('acknowledged') === before) await pause(10)
  againMs[how].push(performance.now() - movedMs)
  longestMs.push(people.longestSince(killed))
  const moved = people.moment()
  await pair.addStandby()
  await people.answered()
  withStandbyMs.push(people.longestSince(moved))
}
end.abort()
await saving
const { figures, goals } = await people.finish()
const againOf = (how: End) => ({
  ...spread(againMs[how]),
  p95: round(percentile(againMs[how], 95)),
})
const interrupted = people.count('refused') + people.count('unknown')
printFigure({
  bench: 'postgres-failover',
  rounds: ROUNDS,
  ours: {
    ...figures,
    promotionMs: spread(promotedMs),
    savesAgainMs: againOf('killed'),
    savesAgainAfterSilenceMs: againOf('silent'),
    longestSaveMs: spread(longestMs),
    longestSaveWhileStandbyComesMs: spread(withStandbyMs),
  },
  limit: {},
  goals: [
    ...goals,
    atLeast('saves interrupted', interrupted, ROUNDS, 'saves'),
    atMost(
      'saves again after the promotion, at most',
      Math.max(...againMs.killed, ...againMs.silent),
      10_000,
      'ms',
    ),
    atMost('longest save over a failover', Math.max(...longestMs), LONGEST_SAVE_MS, 'ms'),
  ],
})
