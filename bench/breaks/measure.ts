/** Causes a break, hears which alarms it raises, repairs it, and waits until all is well again. */
import { setTimeout as pause } from 'node:timers/promises'
import { listAlarmHistory, listAlarms } from '@trunkline/contract/alarms/alarm.calls'
import type { Alarm } from '@trunkline/contract/alarms/alarm.schema'
import { CHATTER_CLEARS, CHATTER_WITHIN_MS } from '@trunkline/contract/alarms/alarm.rules'
import { readLive } from '@trunkline/contract/fleet/fleet.calls'
import { conditionOfProgram } from '@trunkline/api/alarms/finding.rules'
import { callApi } from '@trunkline/testbed/api-client'
import { BREAKS, type Break } from '@trunkline/testbed/breaks/break'
import type { BenchSite } from '../kit/site.ts'

const LOOK_MS = 100
/** Without alarms and trouble for so long, nothing of the last break is left. */
const WELL_MS = 8000
/** Only ends what hangs. */
const WELL_LIMIT_MS = 180_000
const NAMED_LIMIT_MS = 30_000
/** After the true alarm, for further ones. */
const HELD_MS = 10_000
const CLEARED_LIMIT_MS = 60_000

export interface Outcome {
  kind: string
  namedWithinS: number
  /** From the break to the first true alarm; null: it never came. */
  namedS: number | null
  /** First causes that stand at the end of the break, with those that were cleared meanwhile. */
  roots: number
  /** First causes that were listed at any moment. */
  rootsListed: number
  /** Another one was listed before the true one. */
  isFalseFirst: boolean
  /** Its texts, each once. */
  untrueTexts: string[]
  /** From the repair until the true alarm is cleared; null: it was not. */
  clearedS: number | null
  /** From the repair until no alarm is left. */
  allClearedS: number | null
  sentence: string
  /** First causes beside the true one. */
  others: string[]
}

export async function measureBreak(site: BenchSite, caused: Break): Promise<Outcome> {
  await untilWell(site)
  await untilNoChatter(site, caused)
  const roots = new Map<string, Alarm>()
  const look = async () => {
    const open = await openRoots(site)
    for (const alarm of open) roots.set(alarm._id, alarm)
    return open
  }
  const brokenAtMs = await caused.begin()
  const untrueTexts = new Set<string>()
  const truth = await until(NAMED_LIMIT_MS, async () => {
    const open = await look()
    const found = open.find(caused.isTrue)
    if (found === undefined) {
      for (const { kind, title, rule, sentence } of open) {
        untrueTexts.add(`${kind} ${title}: ${rule}: ${sentence}`)
      }
    }
    return found
  })
  const namedS = truth === undefined ? null : secondsSince(brokenAtMs)
  await until(HELD_MS, async () => void (await look()))
  const left = await look()
  const consequences = await consequencesOf(site, left)
  const settled = [...roots.values()].filter(({ _id }) => !consequences.has(_id))
  const repairedAtMs = await caused.repair()
  const isCleared = await until(CLEARED_LIMIT_MS, async () => {
    const open = await look()
    return open.every((alarm) => !caused.isTrue(alarm)) || undefined
  })
  const clearedS = isCleared === true && truth !== undefined ? secondsSince(repairedAtMs) : null
  const isQuiet = await until(
    CLEARED_LIMIT_MS,
    async () => (await look()).length === 0 || undefined,
  )
  return {
    kind: BREAKS[caused.name].title,
    namedWithinS: caused.namedWithinS,
    namedS,
    roots: settled.length,
    rootsListed: roots.size,
    isFalseFirst: untrueTexts.size > 0,
    untrueTexts: [...untrueTexts],
    clearedS,
    allClearedS: isQuiet === true ? secondsSince(repairedAtMs) : null,
    sentence: truth?.sentence ?? '',
    others: [...roots.values()]
      .filter((alarm) => !caused.isTrue(alarm))
      .map(
        ({ kind, title, rule, _id }) =>
          `${kind} ${title}: ${rule}${consequences.has(_id) ? ' (caused)' : ''}`,
      ),
  }
}

async function openRoots({ client }: BenchSite): Promise<Alarm[]> {
  return (await callApi(client, listAlarms, { query: { rowsPerPage: 24 } })).data
}

/** Ids of the alarms that these cause now. */
async function consequencesOf(
  { client }: BenchSite,
  roots: readonly Alarm[],
): Promise<Set<string>> {
  const consequences = new Set<string>()
  for (const { _id } of roots) {
    const { data } = await callApi(client, listAlarms, {
      query: { causedBy: _id, rowsPerPage: 24 },
    })
    for (const alarm of data) consequences.add(alarm._id)
  }
  return consequences
}

/** Answers undefined when it looked for so long in vain. */
async function until<T>(
  limitMs: number,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const endMs = performance.now() + limitMs
  for (;;) {
    const found = await look()
    if (found !== undefined || performance.now() >= endMs) return found
    await pause(LOOK_MS)
  }
}

/** Throws what is not well when that lasts. */
export async function untilWell(site: BenchSite): Promise<void> {
  let wellSinceMs: number | null = null
  let trouble: string[] = []
  const isWell = await until(WELL_LIMIT_MS, async () => {
    trouble = await troubleOf(site)
    wellSinceMs = trouble.length === 0 ? (wellSinceMs ?? performance.now()) : null
    const isLong = wellSinceMs !== null && performance.now() - wellSinceMs >= WELL_MS
    return isLong || undefined
  })
  if (isWell === undefined) throw new Error(`The site does not become well: ${trouble.join(', ')}.`)
}

async function troubleOf(site: BenchSite): Promise<string[]> {
  const [roots, { data }] = await Promise.all([openRoots(site), callApi(site.client, readLive, {})])
  const programs = data.programs.filter(
    (status) => conditionOfProgram(status, data.atMs, () => false).is !== 'well',
  )
  const streams = data.streams.filter(({ stream }) => stream?.stats.alive !== true)
  return [
    ...roots.map(({ title, rule }) => `${title}: ${rule}`),
    ...programs.map(({ kind, id }) => `${kind} ${id}`),
    ...streams.map(({ streamName }) => `channel ${streamName}`),
  ]
}

/** An alarm that was cleared several times within minutes is cleared later: that is not measured here. */
async function untilNoChatter(site: BenchSite, { subject }: Break): Promise<void> {
  const { data } = await callApi(site.client, listAlarmHistory, {
    query: { kind: subject.kind, id: subject.objectId },
  })
  const clearedAtMs = data
    // Consequences are not counted.
    .filter(({ causedBy }) => causedBy === null)
    .flatMap(({ clearedAt }) => (clearedAt === null ? [] : [Date.parse(clearedAt)]))
    .toSorted((a, b) => b - a)
  const counted = clearedAtMs[CHATTER_CLEARS - 1]
  const waitMs = counted === undefined ? 0 : counted + CHATTER_WITHIN_MS - Date.now()
  if (waitMs > 0) await pause(waitMs)
}

function secondsSince(atMs: number): number {
  return (performance.now() - atMs) / 1000
}
