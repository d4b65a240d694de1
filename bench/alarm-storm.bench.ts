/**
 * What a flood of alarms costs: 1,000 inputs whose program stops and runs again every 5 s, heard and
 * judged by the product's own keeper, written into the embedded database, and counted for 200 people
 * of 50 groups as their browsers are sent it. In real time, beside a quiet minute that is taken off.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { AlarmBoard } from '@trunkline/api/alarms/alarm-board'
import { AlarmKeeper, type AlarmContext } from '@trunkline/api/alarms/alarm-keeper.service'
import { OverrideBoard } from '@trunkline/api/alarms/overrides/override-board'
import { openDatabase, type Connection } from '@trunkline/api/db/open'
import { visibleTo } from '@trunkline/api/fleet/counts/reader.rules'
import { programStatus } from '@trunkline/api/fleet/program-status.rules'
import { maySeeProgram } from '@trunkline/api/fleet/scope.rules'
import { StreamBoard } from '@trunkline/api/fleet/streams/stream-board'
import type { HostsEvent } from '@trunkline/api/hosts/hosts-event'
import { createNotices } from '@trunkline/api/notices'
import { programIdOf, type KnownProgram } from '@trunkline/api/programs/wanted-program'
import { pino } from 'pino'
import { atMost, printFigure, round } from './kit/figure.ts'

const OBJECTS = 1000
const GROUPS = 50
const VIEWERS = 200
const FLAP_MS = 5000
const STEP_MS = 50
const MEASURE_MS = 60_000
/** As browsers are sent counts. */
const PACE_MS = 250

const address = { host: '192.0.2.1', port: 8080 }
const link = { online: true, sinceMs: 0, fault: null }
const programs = Array.from({ length: OBJECTS }, (_, at): KnownProgram => {
  const id = `input${at}`
  return {
    programId: programIdOf('input', id),
    kind: 'input',
    id,
    ownerKind: 'input',
    ownerId: id,
    serverId: 'server',
    address,
    groupId: `group${at % GROUPS}`,
    editorIds: [],
    createdAtMs: at,
    isEnabled: true,
    wanted: 'running',
    revision: '',
  }
})
const byId = new Map(programs.map((program) => [program.programId, program]))
const isDown = new Set<string>()
let sentCounts = 0
const sinceMs = new Map<string, number>()
const people = Array.from({ length: VIEWERS }, (_, at) => ({
  id: `person${at}`,
  email: '',
  fullName: '',
  role: 'manager' as const,
  groupIds: [`group${at % GROUPS}`],
  sessionId: '',
  ip: '',
}))

const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-alarms-'))
const db = await openDatabase({ kind: 'sqlite', file: join(folder, 'trunkline.db') })
try {
  const { ctx, hear } = contextOn(db)
  await using keeper = new AlarmKeeper(ctx)
  keeper.begin()
  await keeper.written()
  const quiet = await measure(() => undefined)
  const written = await count(db)
  let step = 0
  const storm = await measure(() => {
    step += 1
    flap(step, hear)
  })
  const raised = (await count(db)) - written
  const cpuPercent = (storm.cpuMs / storm.tookMs - quiet.cpuMs / quiet.tookMs) * 100
  printFigure({
    bench: 'alarm-storm',
    rounds: 1,
    ours: {
      objects: OBJECTS,
      viewers: VIEWERS,
      changesPerS: round((OBJECTS * 1000) / FLAP_MS),
      cpuPercentOfOneCore: round(cpuPercent),
      alarmsRaised: raised,
      openAtEnd: ctx.alarms.size,
      countsSent: sentCounts,
    },
    limit: {},
    goals: [
      atMost('CPU for alarms', cpuPercent, 10, '% of a core'),
      atMost('alarms raised of an object', raised / OBJECTS, 1, 'alarms'),
    ],
  })
} finally {
  await db.destroy()
  rmSync(folder, { recursive: true, force: true })
}

async function count(from: Connection): Promise<number> {
  const rows = await from.selectFrom('alarms').select('id').execute()
  return rows.length
}

async function measure(act: () => void): Promise<{ cpuMs: number; tookMs: number }> {
  const [cpu, startedMs] = [process.cpuUsage(), performance.now()]
  while (performance.now() - startedMs < MEASURE_MS) {
    act()
    await pause(STEP_MS)
  }
  const { user, system } = process.cpuUsage(cpu)
  return { cpuMs: (user + system) / 1000, tookMs: performance.now() - startedMs }
}

/** In each step the share of the objects whose turn it is: every object every 5 s. */
function flap(step: number, hear: (event: HostsEvent) => void): void {
  const steps = FLAP_MS / STEP_MS
  for (let at = step % steps; at < OBJECTS; at += steps) {
    const programId = programs[at]?.programId ?? ''
    if (!isDown.delete(programId)) isDown.add(programId)
    sinceMs.set(programId, Date.now())
    hear({ type: 'programs', programIds: [programId] })
  }
}

function statusOf(wanted: KnownProgram) {
  const { programId, revision } = wanted
  const isStopped = isDown.has(programId)
  const since = sinceMs.get(programId) ?? 0
  const observed = {
    peerSinceMs: since,
    peerFacts: null,
    media: 'moving' as const,
    mediaSinceMs: since,
    warning: '' as const,
    warningSinceMs: since,
  }
  return programStatus({
    wanted,
    link,
    refusal: '',
    thresholdOf: () => null,
    report: {
      programId,
      state: isStopped ? 'backoff' : 'running',
      wanted: 'running',
      sinceMs: since,
      startedAtMs: isStopped ? null : since,
      pid: isStopped ? null : 1,
      cause: isStopped ? 'Connection setup failure.' : '',
      restarts: 0,
      hasFarEnd: true,
      peer: isStopped ? '' : 'connected',
      observed: isStopped ? null : observed,
      reading: null,
      appliedRevision: revision,
      runningRevision: revision,
      changedByHand: '',
      readAtMs: since,
    },
  })
}

function contextOn(to: Connection) {
  const listeners = new Set<(event: HostsEvent) => void>()
  const alarms = new AlarmBoard({
    clock: Date.now,
    visibleTo,
    maintenanceUntilMs: () => null,
    maySee: (actor, { kind, id }) => {
      const wanted = kind === 'input' ? byId.get(programIdOf(kind, id)) : undefined
      return wanted !== undefined && maySeeProgram(actor, wanted)
    },
  })
  let isWaiting = false
  alarms.listen(() => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      for (const person of people) sentCounts += JSON.stringify(alarms.of(person)) === '' ? 0 : 1
    }, PACE_MS).unref()
  })
  const streams = new StreamBoard({
    clock: Date.now,
    onStream: () => undefined,
    onServer: () => undefined,
    onScope: () => undefined,
  })
  const ctx: AlarmContext = {
    db: to,
    log: pino({ level: 'error' }),
    clock: Date.now,
    // Elsewhere: the disk of this machine is not the subject.
    config: { dataDir: '', databaseUrl: '' },
    notices: createNotices(() => undefined),
    alarms,
    overrides: new OverrideBoard({ placeOf: () => null }),
    hosts: {
      listen: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      record: () => undefined,
      recordsAt: () => [],
      recordsOnMachine: () => [],
      serverRecords: () => [],
      report: () => undefined,
      reports: () => [],
      isAssigned: () => true,
      status: () => link,
      heardAtMs: () => Date.now(),
      health: () => null,
    },
    programs: {
      opened: async () => Promise.resolve(),
      wanted: (programId) => byId.get(programId),
      allWanted: () => byId.values(),
    },
    board: {
      followStreams: () => () => true,
      followServers: () => () => true,
      look: statusOf,
      hostProblems: () => [],
      host: ({ id, kind }) => ({ id, kind, ...link, heardAtMs: 0, fault: null, cause: '' }),
      streams,
    },
  }
  const hear = (event: HostsEvent) => {
    for (const listener of listeners) listener(event)
  }
  return { ctx, hear }
}
