/**
 * T6: 10,000 guesses at one account from many networks in ten minutes (`BENCH_SECONDS=60`: shorter),
 * while its owner signs in from where they did before, and from new places. And whether the time of
 * a refusal tells that an account exists.
 */
import { login } from '@trunkline/contract/session/session.calls'
import { expect, test } from 'vitest'
import { inject } from '@trunkline/api/testing/inject'
import { TEST_PASSWORD } from '@trunkline/api/testing/people'
import { openTestApp, type TestApp } from '@trunkline/api/testing/test-app'
import { atLeast, atMost, percentile, round } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'
import { printProof } from './proof.ts'

const SECONDS = settingOf('SECONDS', 600)
const PER_SECOND = 10_000 / 600
/** As the product has it. */
const LIMIT = 10
const OWNER_EVERY_MS = 5000
const TRIED_AT_MOST = 100
const TIMED = settingOf('TIMED', 300)

test('guesses stay few, the owner signs in, and no time tells who exists', async () => {
  await using site = await openTestApp({ signInLimit: LIMIT, trustedProxies: ['127.0.0.1'] })
  const telling = await timesTelling(site)
  const outcome = await flood(site)
  const faults = outcome.refusedOwner.map((status) => `The owner got ${status}.`)
  const missed = printProof('guesses', {
    ours: {
      guesses: outcome.guesses,
      lookedAt: outcome.lookedAt,
      ownerSignIns: outcome.ownerMs.length,
      ownerP95Ms: round(percentile(outcome.ownerMs, 95)),
      // How well a time tells a known from an unknown account: 0.5 is a coin.
      areaUnderCurve: round(telling),
    },
    faults,
    goals: [
      atMost('guesses looked at in ten minutes', outcome.lookedAt, TRIED_AT_MOST, 'guesses'),
      atMost('owner refused', faults.length, 0, 'sign-ins'),
      atMost('owner signs in, p95', percentile(outcome.ownerMs, 95), 1000, 'ms'),
      atMost('time tells of an account', telling, 0.55, 'area under the curve'),
      atLeast('owner signed in', outcome.ownerMs.length, 1, 'times'),
    ],
  })
  expect(missed).toEqual([])
})

interface Flood {
  guesses: number
  /** Answered with "wrong password": the password was compared. */
  lookedAt: number
  ownerMs: number[]
  refusedOwner: number[]
}

const OWNER_AT = '198.51.100.7'

async function flood(site: TestApp): Promise<Flood> {
  const { email } = site.people.admin
  const outcome: Flood = { guesses: 0, lookedAt: 0, ownerMs: [], refusedOwner: [] }
  // The owner is known from there.
  await signIn(site, email, TEST_PASSWORD, OWNER_AT)
  const waiting = new Set<Promise<void>>()
  const beganMs = performance.now()
  const passedMs = () => performance.now() - beganMs
  let ownerAtMs = 0
  while (passedMs() < SECONDS * 1000) {
    while (outcome.guesses < (passedMs() / 1000) * PER_SECOND) {
      const guess = guessFrom(site, email, outcome).finally(() => waiting.delete(guess))
      waiting.add(guess)
    }
    if (passedMs() >= ownerAtMs) {
      ownerAtMs += OWNER_EVERY_MS
      const atMs = performance.now()
      const { status } = await signIn(site, email, TEST_PASSWORD, OWNER_AT)
      if (status === 200) outcome.ownerMs.push(performance.now() - atMs)
      else outcome.refusedOwner.push(status)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await Promise.all(waiting)
  return outcome
}

async function guessFrom(site: TestApp, email: string, outcome: Flood): Promise<void> {
  outcome.guesses += 1
  const at = outcome.guesses
  // Ever new networks.
  const from = `203.${at % 100}.${Math.floor(at / 100) % 250}.1`
  const { status } = await signIn(site, email, `wrong password ${at}`, from)
  if (status === 401) outcome.lookedAt += 1
}

async function signIn({ app }: TestApp, email: string, password: string, from: string) {
  const headers = { 'x-forwarded-for': from }
  return inject(app, login, '', { body: { email, password }, headers })
}

/** Whether known accounts take longer: how often one of a pair does, 0.5 to 1. */
async function timesTelling(site: TestApp): Promise<number> {
  const known: number[] = []
  const unknown: number[] = []
  for (let at = 0; at < TIMED; at += 1) {
    // Each account and address of its own, so that no limit is met.
    const person = Object.values(site.people)[at % 9]
    const from = `192.${at % 200}.${Math.floor(at / 200)}.1`
    known.push(await timeOf(site, person?.email ?? '', from))
    unknown.push(await timeOf(site, `nobody${at}@trunkline.example`, from))
  }
  const pairs = known.flatMap((knownMs) => unknown.map((unknownMs) => knownMs > unknownMs))
  const share = pairs.filter(Boolean).length / pairs.length
  return Math.max(share, 1 - share)
}

async function timeOf(site: TestApp, email: string, from: string): Promise<number> {
  const beginMs = performance.now()
  const { status } = await signIn(site, email, 'wrong password', from)
  if (status !== 401) throw new Error(`Not looked at: ${status}.`)
  return performance.now() - beginMs
}
