/**
 * The break test: breaks of twelve kinds along the demo's chain, each with its repair. From the break to
 * the alarm that names its first hop and cause, how many first causes are listed for it, and from the
 * repair until the alarm is cleared. An operator's page is open meanwhile. `BENCH_ROUNDS=1` causes
 * each kind once, `BENCH_KINDS=2` the first two kinds only.
 */
import { atLeast, atMost, percentile, printFigure, round } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'
import { breaksOf } from '@trunkline/testbed/breaks/kinds'
import { measureBreak, type Outcome } from './measure.ts'
import { openShownSite } from './shown.ts'
import { partsOf } from './site.ts'

const ROUNDS = settingOf('ROUNDS', 5)
const KINDS = settingOf('KINDS', Number.POSITIVE_INFINITY)

await using shown = await openShownSite()
const { site } = shown.on
const breaks = breaksOf(partsOf(shown.on, shown.ending))
const outcomes: Outcome[] = []
for (let at = 0; at < ROUNDS; at += 1) {
  for (const caused of breaks.slice(0, KINDS)) {
    const outcome = await measureBreak(site, caused)
    process.stderr.write(`${JSON.stringify(outcome)}\n`)
    outcomes.push(outcome)
  }
}
print(outcomes)

function figuresOf(some: readonly Outcome[]) {
  const named = some.flatMap(({ namedS }) => namedS ?? [])
  const last = some.at(-1)
  return {
    namedP50S: round(percentile(named, 50)),
    namedMostS: round(Math.max(...named)),
    unnamed: some.length - named.length,
    roots: Math.max(...some.map(({ roots }) => roots)),
    rootsListed: Math.max(...some.map(({ rootsListed }) => rootsListed)),
    falseFirst: some.filter(({ isFalseFirst }) => isFalseFirst).length,
    clearedMostS: round(mostOf(some.map(({ clearedS }) => clearedS))),
    allClearedMostS: round(mostOf(some.map(({ allClearedS }) => allClearedS))),
    sentence: last?.sentence ?? '',
    others: last?.others ?? [],
  }
}

/** What never came counts as longer than anything. */
function mostOf(seconds: readonly (number | null)[]): number {
  return Math.max(...seconds.map((value) => value ?? Number.MAX_SAFE_INTEGER))
}

function p95Of(some: readonly Outcome[]): number {
  return percentile(
    some.map(({ namedS }) => namedS ?? Number.MAX_SAFE_INTEGER),
    95,
  )
}

function print(all: readonly Outcome[]): void {
  const isNamed = ({ namedS, namedWithinS, isFalseFirst }: Outcome) =>
    namedS !== null && namedS <= namedWithinS && !isFalseFirst
  const [soon, rest] = [
    all.filter(({ namedWithinS }) => namedWithinS === 3),
    all.filter(({ namedWithinS }) => namedWithinS !== 3),
  ]
  const kinds = Map.groupBy(all, ({ kind }) => kind)
  printFigure({
    bench: 'breaks',
    rounds: ROUNDS,
    ours: {
      kinds: Object.fromEntries([...kinds].map(([kind, some]) => [kind, figuresOf(some)])),
    },
    limit: {},
    goals: [
      atLeast('named in time, first', (all.filter(isNamed).length / all.length) * 100, 95, '%'),
      ...(soon.length === 0 ? [] : [atMost('named, reported at once, p95', p95Of(soon), 3, 's')]),
      ...(rest.length === 0 ? [] : [atMost('named, the rest, p95', p95Of(rest), 10, 's')]),
      atMost('alarms of a break', Math.max(...all.map(({ roots }) => roots)), 1, 'alarms'),
      atMost('cleared after the repair', mostOf(all.map(({ clearedS }) => clearedS)), 10, 's'),
    ],
  })
}
