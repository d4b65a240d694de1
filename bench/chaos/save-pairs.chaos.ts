/**
 * F13: two people save the same object at the same moment, each with the version that both have read,
 * and one of them must be refused with what the other has saved. On PostgreSQL at two API processes.
 */
import { loadavg } from 'node:os'
import { type Client } from '@trunkline/testbed/api-client'
import { atMost, percentile, printFigure, round } from '../kit/figure.ts'
import { allAnswers } from './rig/answers.ts'
import { openApiSite } from './rig/api-site.ts'
import { roundsOf } from './rig/rounds.ts'
import { addPlaces, savedKinds, type SavedKind } from './rig/saved-kinds.ts'

const ROUNDS = roundsOf(1000)
/** Of an override's seconds; every other text may be any number. */
const TEXTS = 1800

interface Pairs {
  pairs: number
  /** Both were taken: what one of them saved is gone, and nobody was asked. */
  silentLosses: number
  /** Neither was taken. */
  bothRefused: number
  /** Refused, and not with what the other has saved. */
  wrongCurrent: number
  broken: string[]
  pairMs: number[]
}

const loadBefore = loadavg()[0] ?? 0
await using site = await openApiSite(2)
const clients = site.apis.map(({ client }) => client)
const kinds = await savedKinds(site.first.client, await addPlaces(site.first.client))
const results = new Map<string, Pairs>()
for (const kind of kinds) results.set(kind.name, await savePairs(kind))
const all = [...results.values()]
const sum = (of: (pairs: Pairs) => number) => all.reduce((total, pairs) => total + of(pairs), 0)
printFigure({
  bench: 'save-pairs',
  rounds: ROUNDS,
  ours: {
    database: site.database,
    processes: clients.length,
    kinds: Object.fromEntries(
      [...results].map(([name, { pairMs, broken, ...counts }]) => {
        const p95 = round(percentile(pairMs, 95))
        return [name, { ...counts, pairP95Ms: p95, broken: broken.slice(0, 3) }]
      }),
    ),
    load: { before: round(loadBefore), after: round(loadavg()[0] ?? 0) },
  },
  limit: {},
  goals: [
    atMost(
      'silent losses',
      sum(({ silentLosses }) => silentLosses),
      0,
      'pairs',
    ),
    atMost(
      'both refused',
      sum(({ bothRefused }) => bothRefused),
      0,
      'pairs',
    ),
    atMost(
      'refused without what is there',
      sum(({ wrongCurrent }) => wrongCurrent),
      0,
      'pairs',
    ),
    atMost(
      'answered by a fault',
      sum(({ broken }) => broken.length),
      0,
      'saves',
    ),
  ],
})

async function savePairs(kind: SavedKind): Promise<Pairs> {
  const found: Pairs = {
    pairs: ROUNDS,
    silentLosses: 0,
    bothRefused: 0,
    wrongCurrent: 0,
    broken: [],
    pairMs: [],
  }
  let version = kind.firstVersion
  for (let at = 0; at < ROUNDS; at += 1) {
    const text = (person: number) => String(1 + person + 2 * (at % TEXTS))
    const startedAtMs = performance.now()
    const saves = [0, 1].map(async (person) => kind.save(clientOf(person), version, text(person)))
    const { taken, refused, broken } = await allAnswers(saves)
    found.pairMs.push(performance.now() - startedAtMs)
    found.broken.push(...broken)
    const [winner] = taken
    if (taken.length > 1) found.silentLosses += 1
    if (winner === undefined) found.bothRefused += 1
    else if (refused.some(({ current }) => !isSame(kind, current, winner))) found.wrongCurrent += 1
    version = Math.max(version, ...taken.map((saved) => saved.version))
  }
  return found
}

function isSame(kind: SavedKind, current: unknown, saved: { version: number; text: string }) {
  if (current === undefined) return false
  const shown = kind.read(current)
  return shown.version === saved.version && shown.text === saved.text
}

function clientOf(person: number): Client {
  return clients[person % clients.length] ?? site.first.client
}
