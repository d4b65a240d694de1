import { execFile, spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { quietLog, temporaryFolder } from '../agent.fixture.ts'
import { toolEnvironment } from '../config.ts'
import { openLayout } from './layout.ts'
import { LISTENER_NAME } from './main-conf.ts'
import { identityOf, isSameProcess, processesOf, whenGone } from './process-identity.ts'
import { claimFolder } from './single-agent.ts'
import { instanceOf, shutdownSupervisor, startSupervisor } from './supervisor.process.ts'
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
