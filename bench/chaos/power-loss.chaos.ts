/**
 * F2: the power fails while four people save: of what SQLite had not synced, writes are kept, lost or torn at 512 bytes,
 * and every acknowledged change must be there, whole. Each round is a moment of one recorded sequence of writes; a disk
 * that ignores syncs is tried as well, and must lose something. SQLite only.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '@trunkline/api/db/open'
import { signIn } from '@trunkline/testbed/seed'
import { atLeast, atMost, printFigure, spread } from '../kit/figure.ts'
import { EMAIL, PASSWORD, startApi } from '../kit/large-site.ts'
import { numberOf } from '../kit/settings.ts'
import { randomFrom } from '../truth/draw.ts'
import { openApiSite, storedPlace } from './rig/api-site.ts'
import { People } from './rig/people.ts'
import { PowerCutDisk } from './rig/power-cut.ts'
import { roundsOf } from './rig/rounds.ts'
import { readSteps, recordWrites, type FileStep } from './rig/write-trace.ts'

const ROUNDS = roundsOf(200)
/** Enough for SQLite to move its log into the file some times: each 1000 pages. */
const SAVES = numberOf('CHAOS_SAVES', 600)
const SEED = numberOf('CHAOS_SEED', 1)
/** An API is started on every so many of them; all are opened as it opens its database. */
const START_EVERY = 20
/** Date.now() is up to so much early. */
const CLOCK_MS = 1

interface Seen {
  /** In milliseconds since 1970. */
  atMs: number
  /** Saves of each of them that were answered by then. */
  answered: readonly number[]
}

await using site = await openApiSite(1)
if (site.database !== 'sqlite') throw new Error('power-loss is about the files of SQLite.')
const people = await People.meet(site)
const folder = join(site.dataDir, '..')
const files = [join(site.dataDir, 'trunkline.db'), join(site.dataDir, 'trunkline.db-wal')]
const record = join(folder, 'writes.strace')
const recording = await recordWrites(site.first.process.pid, record)
// Nobody saves yet: a step that was taken before the copy is taken twice, with the same bytes.
const before = new Map(files.map((file) => [file, readFileSync(file)]))
const seen: Seen[] = [{ atMs: Date.now(), answered: people.moment() }]
const end = new AbortController()
const saving = people.saveUntil(end.signal)
while (people.count('acknowledged') < SAVES) {
  await pause(2)
  const atMs = Date.now()
  seen.push({ atMs, answered: people.moment() })
}
end.abort()
await saving
await recording[Symbol.asyncDispose]()
const { figures, goals } = await people.finish()
const steps = await readSteps(record, files)
const obeying = await tryMoments(ROUNDS, true)
const ignoring = await tryMoments(Math.ceil(ROUNDS / 10), false)
printFigure({
  bench: 'power-loss',
  rounds: ROUNDS,
  ours: {
    ...figures,
    steps: countOf(steps),
    unsyncedAtTheCut: spread(obeying.unsynced),
    apisStarted: obeying.started,
    faultsAfterCuts: obeying.faults.slice(0, 20),
    faultsWhereSyncsAreIgnored: ignoring.faults.length,
  },
  limit: {},
  goals: [
    ...goals,
    atMost('changes lost, torn or damaged by a loss of power', obeying.faults.length, 0, 'faults'),
    atLeast('log moved into the file', countOf(steps).syncsOfFile, 1, 'times'),
    atLeast(
      'faults that the check finds where syncs are ignored',
      ignoring.faults.length,
      1,
      'faults',
    ),
  ],
})

async function tryMoments(rounds: number, obeysSync: boolean) {
  const random = randomFrom(SEED)
  const faults: string[] = []
  const unsynced: number[] = []
  let started = 0
  const moments = Array.from(
    { length: rounds },
    () => 1 + Math.floor(random() * (steps.length - 1)),
  )
  const disk = new PowerCutDisk(before, obeysSync)
  let taken = 0
  for (const [round, moment] of moments.toSorted((a, b) => a - b).entries()) {
    for (const step of steps.slice(taken, moment)) disk.take(step)
    taken = moment
    unsynced.push(disk.unsynced)
    const place = join(folder, 'after')
    const isStarted = obeysSync && round % START_EVERY === 0
    const found = await lookAt(place, disk.afterCut(random), steps[moment], isStarted)
    faults.push(...found.map((fault) => `before step ${moment}: ${fault}`))
    if (isStarted) started += 1
    rmSync(place, { recursive: true, force: true })
  }
  return { faults, unsynced, started }
}

/** `next`: what would have come. What was answered before that is there. */
async function lookAt(
  place: string,
  left: ReadonlyMap<string, Buffer>,
  next: FileStep | undefined,
  isStarted: boolean,
): Promise<string[]> {
  mkdirSync(place, { recursive: true })
  for (const [at, name] of ['trunkline.db', 'trunkline.db-wal'].entries()) {
    writeFileSync(join(place, name), left.get(files[at] ?? '') ?? '')
  }
  const latest = seen.findLast(({ atMs }) => atMs + CLOCK_MS <= (next?.atMs ?? 0)) ?? seen[0]
  try {
    if (isStarted) await startOn(place)
    const db = await openDatabase(storedPlace(place, null))
    try {
      const { lost, unexpected, torn, damaged } = await people.faultsSince(
        latest?.answered ?? [],
        db,
      )
      return [...lost, ...unexpected, ...torn, ...damaged]
    } finally {
      await db.destroy()
    }
  } catch (error) {
    return [`not opened: ${String(error)}`]
  }
}

/** Until somebody has signed in there. */
async function startOn(place: string): Promise<void> {
  const secret = `${place}.key`
  if (!existsSync(secret)) copyFileSync(`${site.dataDir}.key`, secret)
  await using api = await startApi(place, { TRUNKLINE_SECRET_FILE: secret })
  await signIn(`http://127.0.0.1:${api.port}`, EMAIL, PASSWORD)
}

function countOf(all: readonly FileStep[]) {
  const count = (kind: FileStep['kind'], file: string | undefined) =>
    all.filter((step) => step.kind === kind && step.file === file).length
  const [db, log] = files
  return {
    writesOfLog: count('write', log),
    syncsOfLog: count('sync', log),
    writesOfFile: count('write', db),
    syncsOfFile: count('sync', db),
  }
}
