import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProgramReport, ProgramSpec } from '@trunkline/contract/agent/program.messages'
import { expect, test } from 'vitest'
import { ristLeg } from '../commands/leg.fixture.ts'
import {
  eventually,
  freeUdpPort,
  nextEvent,
  openTestAgent,
  shared,
  unitOf,
  untilReport,
} from '../agent.fixture.ts'
import { logFile, scriptFile, sectionFile } from '../supervisor/layout.ts'
import { retryFailed } from './housekeeping.ts'
import * as programService from './program.service.ts'

const DATED = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /
const OWNER = programService.STREAMS_OWNER
const agent = shared(async () => openTestAgent())

function autostart(programId: string): string | undefined {
  const file = sectionFile(agent.ctx.supervisor.layout, programId)
  return /^autostart=(.*)$/m.exec(readFileSync(file, 'utf8'))?.[1]
}

test.concurrent('a program wanted stopped is known and does not run', async () => {
  const report = await agent.apply('quiet', { wanted: 'stopped' })
  expect(report).toMatchObject({
    state: 'stopped',
    wanted: 'stopped',
    pid: null,
    appliedRevision: 'r1',
  })
  expect(report.runningRevision).toBe('')
  // It has never run: there is no age of that.
  expect(report.sinceMs).toBeNull()
  expect(autostart('quiet')).toBe('false')
})

test.concurrent('start, restart and stop answer with the state they reached', async () => {
  await agent.apply('obedient', { wanted: 'stopped' })
  const started = await commanded(
    'obedient',
    'start',
    ({ state, wanted }) => state === 'running' && wanted === 'running',
  )
  expect(started).toMatchObject({ runningRevision: 'r1', restarts: 0 })
  expect(autostart('obedient')).toBe('true')
  await commanded(
    'obedient',
    'restart',
    ({ state, pid }) => state === 'running' && pid !== started.pid,
  )
  const stopped = await commanded('obedient', 'stop', ({ state }) => state === 'stopped')
  expect(stopped).toMatchObject({ wanted: 'stopped', pid: null, restarts: 0 })
  expect(autostart('obedient')).toBe('false')
})

test.concurrent('a program that is restarted or started is not reported as stopped although it should run', async ({
  onTestFinished,
}) => {
  await agent.apply('steady', { wanted: 'running' })
  const first = await agent.untilRunning('steady')
  const { states, stop } = statesOf('steady')
  onTestFinished(stop)
  await commanded('steady', 'restart', ({ state, pid }) => state === 'running' && pid !== first.pid)
  expect(states.splice(0)).toEqual(['stopping', 'starting', 'running'])
  await commanded('steady', 'stop', ({ state }) => state === 'stopped')
  expect(states.splice(0).at(-1)).toBe('stopped, wanted stopped')
  // As the console starts what it has stopped: it applies what is saved, and starts it.
  await agent.apply('steady', { wanted: 'running' })
  await agent.untilRunning('steady')
  expect(states).toEqual(['starting', 'running'])
})

test.concurrent('a program whose restart is refused is reported as stopped, and why', async ({
  onTestFinished,
}) => {
  const port = await freeUdpPort()
  const unit = unitOf(['sleep', '1000'])
  const asked = { programId: 'refused', revision: 'r1', unit, ports: [port] }
  await programService.applyUnit(agent.ctx, { ...asked, wanted: 'running' })
  await agent.untilRunning('refused')
  const taken = createSocket('udp4').bind(port)
  onTestFinished(() => void taken.close())
  await once(taken, 'listening')
  await expect(agent.control('refused', 'restart')).rejects.toThrow(`UDP port ${port}`)
  const { state, wanted, cause } = await untilReport(agent.ctx, 'refused', () => true)
  expect({ state, wanted }).toEqual({ state: 'stopped', wanted: 'running' })
  expect(cause).toContain(`UDP port ${port}`)
})

test.concurrent('a program that ends because its port was taken says at once who has it', async ({
  onTestFinished,
}) => {
  const port = await freeUdpPort()
  const mayEnd = join(agent.ctx.config.dataDir, 'its-port-is-taken')
  const untilTaken = `while [ ! -e ${mayEnd} ]; do sleep 0.05; done; echo srt_bind >&2; exit 1`
  const unit = unitOf(['sh', '-c', untilTaken])
  const asked = { programId: 'ousted', revision: 'r1', unit, ports: [port] }
  await programService.applyUnit(agent.ctx, { ...asked, wanted: 'running' })
  await agent.untilRunning('ousted')
  const taken = createSocket('udp4').bind(port)
  onTestFinished(() => void taken.close())
  await once(taken, 'listening')
  writeFileSync(mayEnd, '')
  const { cause } = await untilReport(agent.ctx, 'ousted', ({ restarts }) => restarts > 0)
  expect(cause).toContain(`UDP port ${port} of this host is already used by `)
})

test.concurrent.each(['stopped', 'fatal'] as const)(
  'a program that has been %s for long is starting since it is started',
  async (state) => {
    const programId = `long-${state}`
    await agent.apply(programId, { wanted: 'stopped' })
    const program = agent.ctx.board.find(programId)
    const beganMs = Date.now()
    Object.assign(program ?? {}, { state, sinceMs: beganMs - 60_000 })
    const reports: ProgramReport[] = []
    const stop = agent.ctx.board.listen((event) => {
      if (event.type === 'program' && event.report.programId === programId)
        reports.push(event.report)
    })
    await agent.apply(programId, { wanted: 'running' })
    await agent.untilRunning(programId)
    stop()
    expect(new Set(reports.map((report) => report.state))).toEqual(new Set(['starting', 'running']))
    expect(reports.filter(({ sinceMs }) => (sinceMs ?? 0) < beganMs)).toEqual([])
  },
)

/** Each state that is reported of it from now on, once. */
function statesOf(programId: string) {
  const states: string[] = []
  const stop = agent.ctx.board.listen((event) => {
    if (event.type !== 'program' || event.report.programId !== programId) return
    const { state, wanted } = event.report
    const text = state === 'stopped' ? `${state}, wanted ${wanted}` : state
    if (states.at(-1) !== text) states.push(text)
  })
  return { states, stop }
}

/** decisions 15: a command is answered after two seconds at the latest; a timer may be a moment early. */
const ANSWERED_EARLY_MS = 1990

/**
 * Commands, and answers the report once it is so: the command's own answer, unless a busy machine
 * took longer than a command is waited for.
 */
async function commanded(
  programId: string,
  command: 'start' | 'restart' | 'stop',
  isSo: (report: ProgramReport) => boolean,
): Promise<ProgramReport> {
  const askedAtMs = performance.now()
  const answer = await agent.control(programId, command)
  const isLate = performance.now() - askedAtMs >= ANSWERED_EARLY_MS
  expect(answer).toSatisfy((report: ProgramReport) => isLate || isSo(report))
  return untilReport(agent.ctx, programId, isSo)
}

test.concurrent('a slow command is answered as in progress, and its result reported later', async () => {
  const deaf = "trap '' TERM; echo deaf >&2; while :; do sleep 0.2; done"
  await agent.apply('stubborn', { argv: ['sh', '-c', deaf] })
  await agent.untilRunning('stubborn')
  await eventually(() => {
    expect(undated(programService.tail(agent.ctx, OWNER, 'stubborn', 1))).toEqual(['deaf'])
  })
  const stopping = nextEvent(
    agent.ctx,
    (event) =>
      event.type === 'program' &&
      event.report.programId === 'stubborn' &&
      event.report.state === 'stopping',
  )
  // On a busy machine supervisord may not have begun by then.
  expect(['running', 'stopping']).toContain((await agent.control('stubborn', 'stop')).state)
  await stopping
  const report = await untilReport(agent.ctx, 'stubborn', ({ state }) => state === 'stopped')
  expect(report.pid).toBeNull()
})

test.concurrent('a killed process is reported with its cause, counted, and restarted', async () => {
  await agent.apply('victim')
  const { pid } = await agent.untilRunning('victim')
  const death = nextEvent(
    agent.ctx,
    (event) => event.type === 'restart' && event.programId === 'victim',
  )
  // A supervisord that a busy machine keeps waiting reports the death later than it is noticed.
  const state = nextEvent(
    agent.ctx,
    (event) =>
      event.type === 'program' &&
      event.report.programId === 'victim' &&
      event.report.state === 'exited' &&
      event.report.restarts === 1,
  )
  process.kill(pid ?? 0, 'SIGKILL')
  expect(await death).toMatchObject({ programId: 'victim', restarts: 1, cause: 'Ended by SIGKILL' })
  expect(await state).toMatchObject({ report: { cause: 'Ended by SIGKILL', wanted: 'running' } })
  const back = await agent.untilRunning('victim')
  expect(back).toMatchObject({ restarts: 1, cause: '' })
  expect(back.pid).not.toBe(pid)
  expect(await agent.control('victim', 'restart')).toMatchObject({ restarts: 0 })
})

test.concurrent('a new revision waits for the next start, and says so', async () => {
  await agent.apply('edited', { argv: ['sleep', '1001'] })
  const before = await agent.untilRunning('edited')
  const edited = await agent.apply('edited', { argv: ['sleep', '1002'], revision: 'r2' })
  expect(edited).toMatchObject({ pid: before.pid, appliedRevision: 'r2', runningRevision: 'r1' })
  await agent.control('edited', 'restart')
  const after = await agent.untilRunning('edited')
  expect(after).toMatchObject({ appliedRevision: 'r2', runningRevision: 'r2' })
  // supervisord calls a child running by the clock, which may be before it has become the tool.
  await eventually(() => {
    const words = readFileSync(`/proc/${after.pid}/cmdline`, 'utf8').split('\0')
    expect(words).toEqual(['sleep', '1002', ''])
  })
})

test.concurrent('applying it as stopped stops it, as running starts it', async () => {
  await agent.apply('switched')
  await agent.untilRunning('switched')
  expect(await agent.apply('switched', { wanted: 'stopped' })).toMatchObject({ state: 'stopped' })
  await agent.apply('switched')
  await agent.untilRunning('switched')
})

test.concurrent('a removed program leaves nothing', async () => {
  await agent.apply('passing')
  const { pid } = await agent.untilRunning('passing')
  const published = nextEvent(
    agent.ctx,
    (event) => event.type === 'removed' && event.programId === 'passing',
  )
  expect(await programService.remove(agent.ctx, OWNER, 'passing')).toEqual({ removed: true })
  expect(await published).toMatchObject({ programId: 'passing' })
  const { layout } = agent.ctx.supervisor
  expect(existsSync(`/proc/${pid}`)).toBe(false)
  const left = [layout.unitsDir, layout.logsDir, layout.programsDir, layout.sectionsDir]
    .flatMap((folder) => readdirSync(folder))
    .filter((name) => name.startsWith('passing'))
  expect(left).toEqual([])
  expect(await programService.remove(agent.ctx, OWNER, 'passing')).toEqual({ removed: false })
  await expect(agent.control('passing', 'start')).rejects.toThrow(
    "This host has no program 'passing'.",
  )
})

test.concurrent('a seat lists and controls its own programs only', async () => {
  await agent.apply('private', { wanted: 'stopped' })
  const { ctx } = agent
  const ofOthers = programService.list(ctx, 'acants-0').map(({ programId }) => programId)
  expect(ofOthers).not.toContain('private')
  const asked = { programId: 'private', command: 'start' as const }
  await expect(programService.control(ctx, 'acants-0', asked)).rejects.toThrow('has no program')
  expect(() => programService.tail(ctx, 'acants-0', 'private', 1)).toThrow('has no program')
  expect(await programService.remove(ctx, 'acants-0', 'private')).toEqual({ removed: false })
  const spec = callerTo('127.0.0.1')
  const taken = { programId: 'private', revision: 'x', spec, wanted: 'stopped' as const }
  await expect(programService.apply(ctx, 'acants-0', taken)).rejects.toThrow('Another seat')
})

function callerTo(host: string): ProgramSpec {
  return {
    kind: 'sender',
    local: { ip: '127.0.0.1', port: 61_000, ttl: 1 },
    outer: ristLeg('call', 61_002, { host, bufferMs: 100 }),
  }
}

test.concurrent('an unknown host name is refused for RIST with a reason: its tool would never exit', async () => {
  const asked = { programId: 'nowhere', revision: 'r1', spec: callerTo('no-such-host.invalid') }
  const { ctx } = agent
  const refused = programService.apply(ctx, 'acants-0', { ...asked, wanted: 'running' })
  await expect(refused).rejects.toThrow("cannot find the address of 'no-such-host.invalid'")
  expect(programService.report(ctx, 'nowhere')).toBeNull()
  await programService.apply(ctx, 'acants-0', { ...asked, wanted: 'stopped' })
  const start = { programId: 'nowhere', command: 'start' as const }
  await expect(programService.control(ctx, 'acants-0', start)).rejects.toThrow('cannot find')
  expect(programService.report(ctx, 'nowhere')).toMatchObject({
    state: 'stopped',
    wanted: 'stopped',
  })
  await programService.remove(ctx, 'acants-0', 'nowhere')
})

test.concurrent('a name is looked up before the start, and its address stands in the command', async () => {
  const asked = { programId: 'somewhere', revision: 'r1', spec: callerTo('localhost') }
  await programService.apply(agent.ctx, 'acants-0', { ...asked, wanted: 'stopped' })
  const script = readFileSync(scriptFile(agent.ctx.supervisor.layout, 'somewhere'), 'utf8')
  expect(script).toContain('rist://127.0.0.1:61002')
  await programService.remove(agent.ctx, 'acants-0', 'somewhere')
})

/**
 * A program that supervisord gives up. On a busy machine a try may last longer than the second after
 * which it counts as running, and then it is never given up: here it would have to last an hour.
 */
async function applyFailing(programId: string, argv: readonly string[]): Promise<ProgramReport> {
  await agent.apply(programId, { argv, wanted: 'stopped' })
  const { supervisor, board } = agent.ctx
  const file = sectionFile(supervisor.layout, programId)
  writeFileSync(file, readFileSync(file, 'utf8').replace('startsecs=1\n', 'startsecs=3600\n'))
  await supervisor.client.removeProcessGroup(programId)
  await supervisor.readFiles()
  await supervisor.client.addProcessGroup(programId)
  // As a command of ours, save that our start would write the section anew.
  await board.enqueue(programId, async () => {
    Object.assign(board.find(programId) ?? {}, { wanted: 'running', sinceMs: Date.now() })
    await supervisor.client.startProcess(programId)
  })
  return untilReport(agent.ctx, programId, ({ state }) => state === 'fatal')
}

test.concurrent('a program that was given up is tried again', async () => {
  const door = join(agent.config.dataDir, 'door')
  const argv = ['sh', '-c', `[ -e '${door}' ] || exit 5; exec sleep 1000`]
  const failed = await applyFailing('patient', argv)
  expect(failed.cause).toBe('Ended with code 5')
  writeFileSync(door, '')
  const tried = new Map<string, number>()
  const failedAtMs = failed.sinceMs ?? 0
  retryFailed({ ...agent.ctx, clock: () => failedAtMs + 29_000 }, tried)
  expect([...tried.keys()]).not.toContain('patient')
  retryFailed({ ...agent.ctx, clock: () => failedAtMs + 30_000 }, tried)
  expect(await agent.untilRunning('patient')).toMatchObject({ restarts: 4, cause: '' })
})

test.concurrent('stopping a program that was given up makes it stopped', async () => {
  await applyFailing('hopeless', ['sh', '-c', 'exit 5'])
  expect(await agent.control('hopeless', 'stop')).toMatchObject({
    state: 'stopped',
    cause: '',
    restarts: 0,
  })
})

test.concurrent('commands to one program go one after the other', async () => {
  await agent.apply('busy', { wanted: 'stopped' })
  const commands = ['start', 'restart', 'stop', 'start', 'stop'] as const
  await Promise.all(commands.map(async (command) => agent.control('busy', command)))
  const report = await untilReport(agent.ctx, 'busy', ({ state }) => state === 'stopped')
  expect(report).toMatchObject({ wanted: 'stopped', pid: null })
})

test.concurrent('a tail is the end of the tool’s log', async () => {
  await agent.apply('speaker', {
    argv: ['sh', '-c', 'echo one >&2; echo two >&2; echo not this; exec sleep 1000'],
  })
  await agent.untilRunning('speaker')
  await eventually(() => {
    expect(undated(programService.tail(agent.ctx, OWNER, 'speaker', 2))).toEqual(['one', 'two'])
  })
  expect(existsSync(logFile(agent.ctx.supervisor.layout, 'speaker', 'out'))).toBe(true)
})

/** Throws for a line without its time. */
function undated(lines: readonly string[]): string[] {
  return lines.map((line) => {
    expect(line).toMatch(DATED)
    return line.replace(DATED, '')
  })
}
