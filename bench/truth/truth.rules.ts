/**
 * Where a screen did not say what was so: what was shown, sampled in the page, against what was done.
 * Pure. What each event makes true is in events.rules.ts.
 */

/** A screen may lag this long behind what its host knows. */
export const LIMIT_MS = 2000
const AGE_LIMIT_MS = 1000
/** A sample may fall between two drawings of the page. */
const DRAWING_MS = 250
export const SAMPLE_MS = 100

/** Of the console's screens: 'output to far end', 'channel Bench'. */
export type Row = string

export interface Figures {
  /** kbit/s; null while none is shown. */
  rate: number | null
  rtt: number | null
  /** 'CONNECTED', 'DISCONNECTED' or ''; null where the row does not show it. */
  target: string | null
  /** The log's line beside it. */
  quoted: string
  /** The sentence below the signal path; '' where there is none. */
  verdict: string
}

/** A row as it stood from `fromMs` until `untilMs`, this machine's clock. */
export interface Shown {
  row: Row
  fromMs: number
  untilMs: number
  /** 'Running, no peer': word and cause; '' while the row is not drawn. */
  state: string
  /** Whole seconds; null while none is shown. */
  ageS: number | null
  figures: Figures
}

export interface Accepted {
  text: string
  /** Between which two times the state began; null where its age is not judged. */
  since: readonly [number, number] | null
}

/** What is so on a row from `fromMs` on, until the row's next fact. */
export interface Fact {
  row: Row
  event: string
  fromMs: number
  /** Any of these is true. */
  accepted: readonly Accepted[]
  /** Beyond LIMIT_MS, for what the host cannot know sooner. */
  allowedMs: number
}

export interface Violation {
  event: string
  row: Row
  shown: string
  truth: string
  atMs: number
  /** How long a state or a figure was wrong, the allowance included; of an age by how much. */
  ms: number
}

export interface Verdict {
  states: Violation[]
  ages: Violation[]
  figures: Violation[]
}

/** `facts` of each row in the order of time, the first before anything was shown. */
export function compare(facts: readonly Fact[], shown: readonly Shown[]): Verdict {
  const verdict: Verdict = { states: [], ages: [], figures: [] }
  for (const name of new Set(shown.map(({ row }) => row))) {
    const factsOfRow = facts.filter(({ row }) => row === name)
    const samples = samplesOf(shown.filter(({ row }) => row === name))
    verdict.states.push(...wrongStates(factsOfRow, samples))
    verdict.ages.push(...wrongAges(factsOfRow, samples))
    verdict.figures.push(...contradictions(factsOfRow, samples))
  }
  return verdict
}

interface Sample {
  atMs: number
  untilMs: number
  shown: Shown
}

function samplesOf(shown: readonly Shown[]): Sample[] {
  return shown.flatMap((reading) => {
    const count = Math.max(1, Math.ceil((reading.untilMs - reading.fromMs) / SAMPLE_MS))
    return Array.from({ length: count }, (_, at) => ({
      atMs: reading.fromMs + at * SAMPLE_MS,
      untilMs: Math.min(reading.fromMs + (at + 1) * SAMPLE_MS, reading.untilMs),
      shown: reading,
    }))
  })
}

/** A state that is wrong, and by when the row had to be right again. */
interface WrongRun {
  first: Sample
  untilMs: number
  fact: Fact
  deadlineMs: number
  isLate: boolean
}

function wrongStates(facts: readonly Fact[], samples: readonly Sample[]): Violation[] {
  const late: WrongRun[] = []
  let run: WrongRun | null = null
  for (const sample of samples) {
    const fact = factAt(facts, sample.atMs)
    if (fact === null || acceptedBy(fact, sample.shown.state) !== null) {
      run = null
      continue
    }
    run = run === null ? newRun(sample, fact) : continuedRun(run, sample, fact)
    if (!run.isLate && sample.untilMs > run.deadlineMs) {
      run.isLate = true
      late.push(run)
    }
  }
  return late.map(({ first, untilMs, fact }) =>
    violation(first, fact, {
      shown: first.shown.state,
      truth: fact.accepted.map(({ text }) => text).join(' or '),
      ms: untilMs - first.atMs,
    }),
  )
}

function newRun(first: Sample, fact: Fact): WrongRun {
  return {
    first,
    untilMs: first.untilMs,
    fact,
    // An allowance is for the time after something happened, not for what is wrong later on.
    deadlineMs: Math.max(first.atMs + LIMIT_MS, deadlineOf(fact)),
    isLate: false,
  }
}

/** Something else that becomes true gives the row new time; the end of an exception does not. */
function continuedRun(run: WrongRun, { untilMs }: Sample, fact: Fact): WrongRun {
  run.untilMs = untilMs
  if (fact === run.fact || run.isLate) return run
  const known = new Set(run.fact.accepted.map(({ text }) => text))
  const isNews = fact.accepted.some(({ text }) => !known.has(text))
  if (isNews) run.deadlineMs = Math.max(run.deadlineMs, deadlineOf(fact))
  run.fact = fact
  return run
}

function deadlineOf({ fromMs, allowedMs }: Fact): number {
  return fromMs + allowedMs + LIMIT_MS
}

interface WrongAge {
  first: Sample
  since: readonly [number, number]
  fact: Fact
  wrongMs: number
  errorMs: number
}

/** One violation for each state whose age was wrong, with its largest error. */
function wrongAges(facts: readonly Fact[], samples: readonly Sample[]): Violation[] {
  const found = new Map<string, WrongAge>()
  for (const sample of samples) {
    const fact = factAt(facts, sample.atMs)
    const { state, ageS } = sample.shown
    const since = fact === null ? null : (acceptedBy(fact, state)?.since ?? null)
    if (fact === null || since === null || ageS === null) continue
    const errorMs = ageErrorMs(ageS, sample.atMs, since)
    if (errorMs <= AGE_LIMIT_MS) continue
    const key = `${fact.event} ${state}`
    const wrong = found.get(key) ?? { first: sample, since, fact, wrongMs: 0, errorMs: 0 }
    wrong.wrongMs += SAMPLE_MS
    wrong.errorMs = Math.max(wrong.errorMs, errorMs)
    found.set(key, wrong)
  }
  return [...found.values()]
    .filter(({ wrongMs }) => wrongMs > DRAWING_MS)
    .map(({ first, since, fact, errorMs }) =>
      violation(first, fact, {
        shown: `${first.shown.state} for ${first.shown.ageS} s`,
        truth: `for ${secondsBetween(first.atMs, since)}`,
        ms: errorMs,
      }),
    )
}

function secondsBetween(atMs: number, [from, to]: readonly [number, number]): string {
  const [most, least] = [from, to].map((since) => ((atMs - since) / 1000).toFixed(1))
  return from === to ? `${most} s` : `${least} to ${most} s`
}

/** `42` stands for 42 to 43 s. How far that is outside of what is true. */
export function ageErrorMs(ageS: number, atMs: number, [from, to]: readonly [number, number]) {
  const [earliest, latest] = [atMs - (ageS + 1) * 1000, atMs - ageS * 1000]
  return Math.max(0, earliest - to, from - latest)
}

function contradictions(facts: readonly Fact[], samples: readonly Sample[]): Violation[] {
  const found: { first: Sample; fact: Fact; finding: string; untilMs: number }[] = []
  let isGoingOn = false
  for (const sample of samples) {
    const fact = factAt(facts, sample.atMs)
    const finding = fact === null ? null : contradictionIn(sample.shown)
    const last = found.at(-1)
    if (isGoingOn && last !== undefined && finding !== null) last.untilMs = sample.untilMs
    else if (fact !== null && finding !== null) {
      found.push({ first: sample, fact, finding, untilMs: sample.untilMs })
    }
    isGoingOn = finding !== null
  }
  return found
    .map((run) => ({ ...run, ms: run.untilMs - run.first.atMs }))
    .filter(({ ms }) => ms > DRAWING_MS)
    .map(({ first, fact, finding, ms }) =>
      violation(first, fact, { shown: finding, truth: `state: ${first.shown.state}`, ms }),
    )
}

/** Nothing that is carried can be measured there. */
const CARRIES_NOTHING =
  /no media|no peer|source lost|wrong |waiting for media|connecting|not encrypted|^(Starting|Stopping|Stopped|Error|Offline|Disabled)/
const HAS_NO_PEER = /no peer|wrong |connecting|^(Starting|Stopping|Stopped|Error|Disabled)/
const ALL_WELL = 'Every hop carries the picture.'

/** What of a row's figures its own state denies; null for nothing. */
function contradictionIn({ state, figures }: Pick<Shown, 'state' | 'figures'>): string | null {
  const { rate, rtt, target, quoted, verdict } = figures
  if (CARRIES_NOTHING.test(state) && (rate ?? 0) > 0) return `${rate} kbit/s`
  if (HAS_NO_PEER.test(state)) {
    if (rtt !== null) return `RTT ${rtt} ms`
    if (target === 'CONNECTED') return 'TARGET STATUS: CONNECTED'
    if (isOfConnection(quoted)) return `"${quoted}"`
  }
  if (state === 'Running') {
    if ((rate ?? 0) === 0) return rate === null ? 'no rate' : '0 kbit/s'
    if (target === 'DISCONNECTED') return 'TARGET STATUS: DISCONNECTED'
    if (/disconnected/i.test(quoted)) return `"${quoted}"`
  }
  if (verdict === ALL_WELL && state !== 'Online') return ALL_WELL
  if (verdict.startsWith('First bad hop: Source.') && state === 'Online') return verdict
  return null
}

function isOfConnection(line: string): boolean {
  return /connected|accepted/i.test(line) && !/disconnected/i.test(line)
}

function factAt(facts: readonly Fact[], atMs: number): Fact | null {
  return facts.findLast((fact) => fact.fromMs <= atMs) ?? null
}

/** 'Running, no media: last line' is 'Running, no media'; 'Error…' is any error. */
function acceptedBy(fact: Fact, state: string): Accepted | null {
  return (
    fact.accepted.find(({ text }) =>
      text.endsWith('…')
        ? state.startsWith(text.slice(0, -1))
        : state === text || state.startsWith(`${text}: `),
    ) ?? null
  )
}

function violation(
  { atMs }: Sample,
  { event, row }: Fact,
  { shown, truth, ms }: Pick<Violation, 'shown' | 'truth' | 'ms'>,
): Violation {
  return { event, row, shown, truth, atMs: Math.round(atMs), ms: Math.round(ms) }
}
