import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { quietLog, temporaryFolder } from '../agent.fixture.ts'
import { toolEnvironment } from '../config.ts'
import { openLayout } from './layout.ts'
import { LISTENER_NAME } from './main-conf.ts'
import {
  identityOf,
  isSameProcess,
  processesOf,
  whenGone,
  type ProcessIdentity,
} from './process-identity.ts'
import { claimFolder } from './single-agent.ts'
import { instanceOf, PATIENT, shutdownSupervisor, startSupervisor } from './supervisor.process.ts'
import { SupervisorClient } from './supervisor.client.ts'
import { Supervisor } from './supervisor.ts'

const run = promisify(execFile)
/** Only ends what hangs: the kernel takes them at once. */
const GONE_LIMIT_MS = 60_000

/** A process that bears the mark of a supervisord's child. */
function spawnLeftover(socket: string): number {
  const env = { ...toolEnvironment(), SUPERVISOR_SERVER_URL: `unix://${socket}` }
  return spawn('sleep', ['1000'], { env, stdio: 'ignore' }).pid ?? 0
}

/** A record of a process that is no more. */
const DEAD = { pid: 1, startTicks: '1', bootId: '', folder: '' }

async function listenerPid(socket: string): Promise<number> {
  using client = new SupervisorClient(socket)
  return (await client.getProcessInfo(LISTENER_NAME)).pid
}

/** Each question wakes supervisord, which calls a child running that is only forked yet. */
async function untilListenerRuns(socket: string): Promise<ProcessIdentity[]> {
  using client = new SupervisorClient(socket)
  for (;;) {
    const { statename } = await client.getProcessInfo(LISTENER_NAME)
    const found = statename === 'RUNNING' ? processesOf(socket) : []
    if (found.length > 0) return found
  }
}

let dataDir: string
beforeEach(() => {
  dataDir = temporaryFolder()
})
afterEach(async () => {
  await shutdownSupervisor(dataDir)
  rmSync(dataDir, { recursive: true, force: true })
})

test('supervisord runs in a session of its own, so that Ctrl-C does not reach it', async () => {
  const { pid } = await startSupervisor(dataDir)
  const { stdout } = await run('ps', ['-o', 'sid=', '-p', String(pid)])
  expect(Number(stdout)).toBe(pid)
})

test('a shutdown of supervisord ends every program at once and leaves no process', async () => {
  const { layout } = await startSupervisor(dataDir)
  // The listener, and at a moment a tool that it has just called.
  const before = await untilListenerRuns(layout.socket)
  await shutdownSupervisor(dataDir)
  expect(instanceOf(layout)).toBeNull()
  expect(before.filter(isSameProcess)).toEqual([])
})

test('a remembered pid that is somebody else’s by now is left alone', async () => {
  const layout = openLayout(dataDir)
  const own = identityOf(process.pid)
  writeFileSync(layout.instanceFile, JSON.stringify({ ...own, startTicks: '1' }))
  const start = await startSupervisor(dataDir)
  expect(start.how).toBe('started')
  expect(own && isSameProcess(own)).toBe(true)
})

test('programs of a dead supervisord are ended before the next one starts', async () => {
  const { layout, pid } = await startSupervisor(dataDir)
  const listener = processesOf(layout.socket)
  process.kill(pid, 'SIGKILL')
  await whenGone(listener, GONE_LIMIT_MS)
  const left = spawnLeftover(layout.socket)
  const leftover = identityOf(left)
  expect(processesOf(layout.socket).map(({ pid }) => pid)).toContain(left)
  await startSupervisor(dataDir)
  expect(leftover && isSameProcess(leftover)).toBe(false)
})

test('supervisord’s own error message is reported', async () => {
  // A folder where its log belongs.
  mkdirSync(openLayout(dataDir).supervisorLog)
  await expect(startSupervisor(dataDir)).rejects.toThrow(/^supervisord did not start: .*log/)
})

test('F7 a disk that does not take its log does not end supervisord', async () => {
  const layout = openLayout(dataDir)
  symlinkSync('/dev/full', layout.supervisorLog)
  const { pid } = await startSupervisor(dataDir)
  // It says what its log does not take, and ends where that cannot be written either.
  expect(readlinkSync(`/proc/${pid}/fd/2`)).toMatch(/^(socket|pipe):/)
  // Each program that it starts or ends is a line in its log.
  for (const listener of processesOf(layout.socket)) {
    process.kill(listener.pid, 'SIGKILL')
    expect(await whenGone([listener], GONE_LIMIT_MS)).toEqual([])
  }
  expect(await startSupervisor(dataDir)).toMatchObject({ pid, how: 'adopted' })
})

test('a slow start is waited for while the process lives, and each wait is logged', async () => {
  const reported: number[] = []
  const onSilence = ({ pid }: { pid: number }) => {
    reported.push(pid)
    // Held still at first sight, and let go when it has been waited for twice.
    process.kill(pid, reported.length === 1 ? 'SIGSTOP' : 'SIGCONT')
  }
  const start = await startSupervisor(dataDir, { ...PATIENT, reportEveryMs: 20, onSilence })
  expect(start.how).toBe('started')
  expect(reported.length).toBeGreaterThanOrEqual(2)
  expect(new Set(reported)).toEqual(new Set([start.pid]))
})

test('a supervisord that answers late is adopted, not ended', async () => {
  const { pid } = await startSupervisor(dataDir)
  process.kill(pid, 'SIGSTOP')
  const onSilence = () => process.kill(pid, 'SIGCONT')
  const start = await startSupervisor(dataDir, { ...PATIENT, reportEveryMs: 20, onSilence })
  expect(start).toMatchObject({ pid, how: 'adopted' })
})

test.each([
  ['lost', (file: string) => rmSync(file)],
  ['cut short', (file: string) => writeFileSync(file, '{"pid":')],
  ['of another one', (file: string) => writeFileSync(file, JSON.stringify(DEAD))],
])(
  'a supervisord whose record is %s is found by its socket, and none of its programs ends',
  async (_, spoil) => {
    const { layout, pid } = await startSupervisor(dataDir)
    await untilListenerRuns(layout.socket)
    const running = await listenerPid(layout.socket)
    spoil(layout.instanceFile)
    expect(instanceOf(layout)?.pid).toBe(pid)
    expect(await startSupervisor(dataDir)).toMatchObject({ pid, how: 'adopted' })
    expect(JSON.parse(readFileSync(layout.instanceFile, 'utf8'))).toMatchObject({ pid })
    expect(await listenerPid(layout.socket)).toBe(running)
  },
)

test.each([
  ['with', () => undefined],
  ['without', (file: string) => rmSync(file)],
])(
  'a supervisord that is stopped longer than the wait, %s a record, keeps its programs',
  async (_, spoil) => {
    const { layout, pid } = await startSupervisor(dataDir)
    await untilListenerRuns(layout.socket)
    const running = await listenerPid(layout.socket)
    spoil(layout.instanceFile)
    process.kill(pid, 'SIGSTOP')
    const start = startSupervisor(dataDir, { ...PATIENT, limitMs: 1 })
    await expect(start).rejects.toThrow(`supervisord (process ${pid}) has not answered`)
    process.kill(pid, 'SIGCONT')
    expect(await listenerPid(layout.socket)).toBe(running)
    expect(await startSupervisor(dataDir)).toMatchObject({ pid, how: 'adopted' })
  },
)

test('a supervisord that cannot be reached any more is ended once, and logged', async () => {
  const { layout, pid } = await startSupervisor(dataDir)
  rmSync(layout.socket)
  const ended: number[] = []
  const wait = { ...PATIENT, limitMs: 1, onEnded: (endedPid: number) => void ended.push(endedPid) }
  // The next one is given as little time, and may be too slow for it.
  await startSupervisor(dataDir, wait).catch(() => undefined)
  expect(ended).toEqual([pid])
  expect((await startSupervisor(dataDir)).pid).not.toBe(pid)
})

test('a plain file in place of the events is replaced', async () => {
  const { eventsFifo } = openLayout(dataDir)
  writeFileSync(eventsFifo, '')
  await startSupervisor(dataDir)
  expect(statSync(eventsFifo).isFIFO()).toBe(true)
})

test('the supervisord of a folder that was moved away is left alone', async () => {
  const { pid } = await startSupervisor(dataDir)
  const moved = `${dataDir}-moved`
  renameSync(dataDir, moved)
  try {
    const next = await startSupervisor(dataDir)
    expect(next).toMatchObject({ how: 'started' })
    expect(instanceOf(openLayout(moved))?.pid).toBe(pid)
  } finally {
    await shutdownSupervisor(moved)
    rmSync(moved, { recursive: true, force: true })
  }
})

test('a taken socket is reported with the log line', async () => {
  const server = createServer((socket) => socket.end()).listen(openLayout(dataDir).socket)
  await once(server, 'listening')
  await expect(startSupervisor(dataDir)).rejects.toThrow('Another program is already listening')
  server.close()
})

test('a supervisord that dies during the wait is reported at once', async () => {
  const onSilence = ({ pid }: { pid: number }) => process.kill(pid, 'SIGKILL')
  const wait = { ...PATIENT, reportEveryMs: 1, limitMs: Infinity, onSilence }
  await expect(startSupervisor(dataDir, wait)).rejects.toThrow(
    'supervisord did not start: it said nothing',
  )
})

test('a supervisord that hangs before it runs anything is ended at the limit', async () => {
  const start = startSupervisor(dataDir, { ...PATIENT, limitMs: 0 })
  await expect(start).rejects.toThrow(/^supervisord did not start: it does not answer on /)
  const layout = openLayout(dataDir)
  const { pid } = JSON.parse(readFileSync(layout.instanceFile, 'utf8')) as { pid: number }
  const left = identityOf(pid)
  expect(await whenGone(left === null ? [] : [left], GONE_LIMIT_MS)).toEqual([])
})

test('a closed caller stops waiting and changes nothing', async () => {
  const closing = new AbortController()
  const onSilence = ({ pid }: { pid: number }) => {
    process.kill(pid, 'SIGSTOP')
    closing.abort()
  }
  const wait = { ...PATIENT, reportEveryMs: 1, onSilence, signal: closing.signal }
  await expect(startSupervisor(dataDir, wait)).rejects.toThrow('aborted')
  const left = instanceOf(openLayout(dataDir))
  expect(left).not.toBeNull()
  process.kill(left?.pid ?? 0, 'SIGCONT')
  expect(await startSupervisor(dataDir)).toMatchObject({ pid: left?.pid, how: 'adopted' })
})

test('refuses the folder of an agent that a file names, unless that one is dead', async () => {
  const layout = openLayout(dataDir)
  const child = spawnLeftover('none')
  const file = join(layout.base, 'agent.json')
  writeFileSync(file, JSON.stringify(identityOf(child)))
  await expect(claimFolder(layout)).rejects.toThrow(`Another agent (process ${child})`)
  writeFileSync(file, JSON.stringify({ ...identityOf(child), startTicks: '1' }))
  await (await claimFolder(layout))[Symbol.asyncDispose]()
  process.kill(child)
})

test('closing the watch leaves supervisord running', async () => {
  const supervisor = await Supervisor.open(dataDir, quietLog())
  await supervisor.watch({
    onMissed() {},
    onEvent() {},
    onList() {},
    onStopping() {},
    onReloaded() {},
    onLost() {},
  })
  const known = instanceOf(supervisor.layout)
  await supervisor[Symbol.asyncDispose]()
  expect(known && isSameProcess(known)).toBe(true)
})
