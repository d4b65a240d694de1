/**
 * Every call of the contract, spoiled and with values by its own schema, as each role in turn: 100,000
 * requests, of which none may be answered by a fault of ours, a secret, a stack or what that person
 * may not see, and no refusal may change what is stored. `BENCH_REQUESTS=5000`: fewer; `BENCH_SEED`: others.
 */
import { ROLES } from '@trunkline/contract/roles'
import { expect, test } from 'vitest'
import { allCalls } from '@trunkline/api/testing/all-calls'
import { fuzzRound, type FuzzRound } from '@trunkline/api/testing/fuzz/fuzz-round'
import { atLeast, atMost, round } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'
import { printProof } from './proof.ts'

const REQUESTS = settingOf('REQUESTS', 100_000)
const SEED = settingOf('SEED', 1)
/** Then a fresh site: what was removed is there again. */
const REQUESTS_OF_A_SITE = 500
/** Of all calls so many must have been accepted at least once: else only doors were tried. */
const LEAST_ACCEPTED_PERCENT = 80

interface Sum {
  requests: number
  accepted: number
  acceptedOf: Map<string, number>
  violations: string[]
}

test('no request makes the API fail, tell what it must not, or change what it refuses', async () => {
  const beginMs = performance.now()
  const sum: Sum = { requests: 0, accepted: 0, acceptedOf: new Map(), violations: [] }
  // Side by side: while a database works on a call of the one site, the other has the processor.
  await Promise.all([fuzzOn('SQLite', 0, sum), fuzzOn('PostgreSQL', 1, sum)])
  const calls = (await allCalls()).map(({ name }) => name)
  const never = calls.filter((name) => !sum.acceptedOf.has(name))
  const goals = [
    atMost('violations', sum.violations.length, 0, 'answers'),
    atLeast('calls accepted', (1 - never.length / calls.length) * 100, LEAST_ACCEPTED_PERCENT, '%'),
  ]
  const missed = printProof('fuzz', {
    ours: {
      requests: sum.requests,
      msEach: round((performance.now() - beginMs) / sum.requests),
      acceptedPercent: round((sum.accepted / sum.requests) * 100),
      calls: calls.length,
      neverAccepted: never,
    },
    faults: sum.violations,
    goals,
  })
  expect(missed).toEqual([])
})

/** Half of the requests, as each role in turn, on one site after the other. */
async function fuzzOn(database: FuzzRound['database'], offset: number, sum: Sum): Promise<void> {
  let left = Math.ceil(REQUESTS / 2)
  for (let at = 0; left > 0; at += 1) {
    const role = ROLES[at % ROLES.length] ?? 'superadmin'
    const seed = SEED * 1_000_003 + at * 2 + offset
    const requests = Math.min(REQUESTS_OF_A_SITE, left)
    const outcome = await fuzzRound({ seed, requests, role, database })
    left -= outcome.requests
    sum.requests += outcome.requests
    sum.accepted += outcome.accepted
    for (const [name, count] of outcome.acceptedOf) {
      sum.acceptedOf.set(name, (sum.acceptedOf.get(name) ?? 0) + count)
    }
    const found = outcome.violations.map((violation) => `${role} on ${database}: ${violation}`)
    sum.violations.push(...found)
    process.stderr.write([`${sum.requests} of ${REQUESTS} requests`, ...found, ''].join('\n'))
  }
}
