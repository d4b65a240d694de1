import { execFile, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { quietLog, temporaryFolder } from '../agent.fixture.ts'
import { toolEnvironment } from '../config.ts'
import { openLayout } from './layout.ts'
import { LISTENER_NAME } from './main-conf.ts'
import { identityOf, isSameProcess, processesOf, whenGone } from './process-identity.ts'
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

/** Each question wakes supervisord, which calls a child running that is only forked yet. */
async function untilListenerRuns(socket: string): Promise<void> {
  using client = new SupervisorClient(socket)
  const isRunning = async () =>
    (await client.getProcessInfo(LISTENER_NAME)).statename === 'RUNNING' &&
    processesOf(socket).length > 0
  while (!(await isRunning())) continue
}

let dataDir: string
beforeEach(() => {
  dataDir = temporaryFolder()
})
afterEach(async () => {
  await shutdownSupervisor(dataDir)
  rmSync(dataDir, { recursive: true, force: true })
})

test('it runs in a session of its own, so that Ctrl-C does not reach it', async () => {
  const { pid } = await startSupervisor(dataDir)
  const { stdout } = await run('ps', ['-o', 'sid=', '-p', String(pid)])
  expect(Number(stdout)).toBe(pid)
})

test('its shutdown ends every program at once and leaves nothing', async () => {
  const { layout } = await startSupervisor(dataDir)
  await untilListenerRuns(layout.socket)
  const before = processesOf(layout.socket)
  // The listener, and at a moment a tool that it has just called.
  expect(before).not.toEqual([])
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

test('what a dead supervisord left behind is ended before the next one starts', async () => {
  const { layout, pid } = await startSupervisor(dataDir)
  const listener = processesOf(layout.socket)
  process.kill(pid, 'SIGKILL')
  await whenGone(listener, GONE_LIMIT_MS)
  const left = spawnLeftover(layout.socket)
  const leftover = identityOf(left)
  expect(processesOf(layout.socket).map((one) => one.pid)).toContain(left)
  await startSupervisor(dataDir)
  expect(leftover && isSameProcess(leftover)).toBe(false)
})

test('its refusal is told in its own words', async () => {
  // A folder where its log belongs.
  mkdirSync(openLayout(dataDir).supervisorLog)
  await expect(startSupervisor(dataDir)).rejects.toThrow(/^supervisord did not start: .*log/)
})

test('a slow start is waited for while the process lives, and each wait is told', async () => {
  const told: number[] = []
  const onSilence = ({ pid }: { pid: number }) => {
    told.push(pid)
    // Held still at first sight, and let go when it has been waited for twice.
    process.kill(pid, told.length === 1 ? 'SIGSTOP' : 'SIGCONT')
  }
  const start = await startSupervisor(dataDir, { ...PATIENT, tellEveryMs: 20, onSilence })
  expect(start.how).toBe('started')
  expect(told.length).toBeGreaterThanOrEqual(2)
  expect(new Set(told)).toEqual(new Set([start.pid]))
})

test('one that is there and answers late is adopted, not ended', async () => {
  const { pid } = await startSupervisor(dataDir)
  process.kill(pid, 'SIGSTOP')
  const onSilence = () => process.kill(pid, 'SIGCONT')
  const start = await startSupervisor(dataDir, { ...PATIENT, tellEveryMs: 20, onSilence })
  expect(start).toMatchObject({ pid, how: 'adopted' })
})

test('one that dies while it is waited for is told at once', async () => {
  const onSilence = ({ pid }: { pid: number }) => process.kill(pid, 'SIGKILL')
  const wait = { ...PATIENT, tellEveryMs: 1, limitMs: Infinity, onSilence }
  await expect(startSupervisor(dataDir, wait)).rejects.toThrow(
    'supervisord did not start: it said nothing',
  )
})

test('one that hangs is ended at the limit', async () => {
  const start = startSupervisor(dataDir, { ...PATIENT, limitMs: 0 })
  await expect(start).rejects.toThrow(/^supervisord did not start: it does not answer on /)
  const layout = openLayout(dataDir)
  const { pid } = JSON.parse(readFileSync(layout.instanceFile, 'utf8')) as { pid: number }
  const left = identityOf(pid)
  expect(await whenGone(left === null ? [] : [left], GONE_LIMIT_MS)).toEqual([])
})

test('who is closed meanwhile waits no more and leaves it as it is', async () => {
  const closing = new AbortController()
  const onSilence = ({ pid }: { pid: number }) => {
    process.kill(pid, 'SIGSTOP')
    closing.abort()
  }
  const wait = { ...PATIENT, tellEveryMs: 1, onSilence, signal: closing.signal }
  await expect(startSupervisor(dataDir, wait)).rejects.toThrow('aborted')
  const left = instanceOf(openLayout(dataDir))
  expect(left).not.toBeNull()
  process.kill(left?.pid ?? 0, 'SIGCONT')
  expect(await startSupervisor(dataDir)).toMatchObject({ pid: left?.pid, how: 'adopted' })
})

test('a second agent is kept out of the folder, a dead one’s claim is not', () => {
  const layout = openLayout(dataDir)
  const child = spawnLeftover('none')
  const file = join(layout.base, 'agent.json')
  writeFileSync(file, JSON.stringify(identityOf(child)))
  expect(() => claimFolder(layout)).toThrow(`Another agent (process ${child})`)
  writeFileSync(file, JSON.stringify({ ...identityOf(child), startTicks: '1' }))
  claimFolder(layout)[Symbol.dispose]()
  process.kill(child)
})

test('closing the watch leaves supervisord running', async () => {
  const supervisor = await Supervisor.open(dataDir, quietLog())
  await supervisor.watch({ onMissed() {}, onEvent() {}, onList() {}, onLost() {} })
  const known = instanceOf(supervisor.layout)
  await supervisor[Symbol.asyncDispose]()
  expect(known && isSameProcess(known)).toBe(true)
})
