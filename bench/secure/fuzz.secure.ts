/**
 * Every call of the contract, spoiled and with values by its own schema, as each role in turn: 100,000
 * requests, of which none may be answered by a fault of ours, a secret, a stack or what that person
 * may not see, and no refusal may change what is stored. `BENCH_REQUESTS=5000`: fewer; `BENCH_SEED`: others.
 */
import { ROLES } from '@trunkline/contract/roles'
import { expect, test } from 'vitest'
import { allCalls } from '@trunkline/api/testing/all-calls'
import { fuzzRound } from '@trunkline/api/testing/fuzz/fuzz-round'
import { atLeast, atMost, round } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'
import { printProof } from './proof.ts'

const REQUESTS = settingOf('REQUESTS', 100_000)
const SEED = settingOf('SEED', 1)
/** Then a fresh site: what was removed is there again. */
const REQUESTS_OF_A_SITE = 250
/** Of all calls so many must have been accepted at least once: else only doors were tried. */
const LEAST_ACCEPTED_PERCENT = 80

test('no request makes the API fail, tell what it must not, or change what it refuses', async () => {
  const acceptedOf = new Map<string, number>()
  const violations: string[] = []
  let [requests, accepted] = [0, 0]
  for (let at = 0; requests < REQUESTS; at += 1) {
    const role = ROLES[at % ROLES.length] ?? 'superadmin'
    const asked = Math.min(REQUESTS_OF_A_SITE, REQUESTS - requests)
    // Each role on each: their numbers have no factor in common.
    const database = at % 2 === 0 ? 'SQLite' : 'PostgreSQL'
    const seed = SEED * 1_000_003 + at
    const outcome = await fuzzRound({ seed, requests: asked, role, database })
    requests += outcome.requests
    accepted += outcome.accepted
    for (const [name, count] of outcome.acceptedOf) {
      acceptedOf.set(name, (acceptedOf.get(name) ?? 0) + count)
    }
    violations.push(
      ...outcome.violations.map((violation) => `${role} on ${database}: ${violation}`),
    )
  }
  const calls = (await allCalls()).map(({ name }) => name)
  const never = calls.filter((name) => !acceptedOf.has(name))
  const goals = [
    atMost('violations', violations.length, 0, 'answers'),
    atLeast('calls accepted', (1 - never.length / calls.length) * 100, LEAST_ACCEPTED_PERCENT, '%'),
  ]
  const missed = printProof('fuzz', {
    ours: {
      requests,
      acceptedPercent: round((accepted / requests) * 100),
      calls: calls.length,
      neverAccepted: never,
    },
    faults: violations,
    goals,
  })
  expect(missed).toEqual([])
})
