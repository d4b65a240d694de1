/**
 * F12: two people ask at the same moment for what only one object may have, such as a port, a title or an
 * address, and exactly one of them gets it. On PostgreSQL at two API processes.
 */
import { loadavg } from 'node:os'
import { atMost, printFigure, round } from '../kit/figure.ts'
import { allAnswers } from './rig/answers.ts'
import { openApiSite } from './rig/api-site.ts'
import { racedClaims, type RacedClaim } from './rig/race-claims.ts'
import { roundsOf } from './rig/rounds.ts'
import { addPlaces } from './rig/saved-kinds.ts'

const ROUNDS = roundsOf(500)

interface Races {
  races: number
  /** More got it than may, or two got the same. */
  duplicates: number
  /** Fewer got it than may. */
  leftOver: number
  broken: string[]
  sentence: string
}

const loadBefore = loadavg()[0] ?? 0
await using site = await openApiSite(2)
const { client } = site.first
const claims = await racedClaims(client, await addPlaces(client))
const results = new Map<string, Races>()
for (const claim of claims) results.set(claim.name, await race(claim))
const all = [...results.values()]
const sum = (of: (races: Races) => number) => all.reduce((total, races) => total + of(races), 0)
printFigure({
  bench: 'races',
  rounds: ROUNDS,
  ours: {
    database: site.database,
    processes: site.apis.length,
    claims: Object.fromEntries(
      [...results].map(([name, races]) => [name, { ...races, broken: races.broken.slice(0, 3) }]),
    ),
    load: { before: round(loadBefore), after: round(loadavg()[0] ?? 0) },
  },
  limit: {},
  goals: [
    atMost(
      'given twice',
      sum(({ duplicates }) => duplicates),
      0,
      'races',
    ),
    atMost(
      'given to nobody',
      sum(({ leftOver }) => leftOver),
      0,
      'races',
    ),
    atMost(
      'answered by a fault',
      sum(({ broken }) => broken.length),
      0,
      'calls',
    ),
  ],
})

async function race(claim: RacedClaim): Promise<Races> {
  const found: Races = { races: ROUNDS, duplicates: 0, leftOver: 0, broken: [], sentence: '' }
  for (let at = 0; at < ROUNDS; at += 1) {
    const asking = [0, 1].map(async (person) => {
      const api = site.apis[person % site.apis.length] ?? site.first
      return claim.ask(api.client, at, person)
    })
    const { taken, refused, broken } = await allAnswers(asking)
    const places = taken.flatMap((claimed) => claimed.places)
    const isTwice = taken.length > claim.winners || new Set(places).size < places.length
    if (isTwice) found.duplicates += 1
    if (taken.length < claim.winners) found.leftOver += 1
    found.broken.push(...broken)
    found.sentence = refused[0]?.error ?? found.sentence
    for (const { id } of taken) await claim.remove(client, id)
  }
  return found
}
