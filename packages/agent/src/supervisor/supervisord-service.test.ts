/** Where a service of its own starts supervisord: the agent waits for it, and never starts another. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../agent.fixture.ts'
import { toolEnvironment } from '../config.ts'
import { openLayout } from './layout.ts'
import {
  instanceOf,
  PATIENT,
  prepareSupervisor,
  shutdownSupervisor,
  startSupervisor,
} from './supervisor.process.ts'

const LIMIT = { timeout: 120_000, interval: 50 }

let dataDir: string
beforeEach(() => {
  dataDir = temporaryFolder()
  vi.stubEnv('TRUNKLINE_SUPERVISORD', 'service')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await shutdownSupervisor(dataDir)
  rmSync(dataDir, { recursive: true, force: true })
})

/** As the unit does. */
async function startService(): Promise<ChildProcess> {
  const cwd = await prepareSupervisor(dataDir)
  const conf = join(cwd, 'supervisor', 'supervisord.conf')
  return spawn('supervisord', ['-c', conf], { cwd, stdio: 'ignore', env: toolEnvironment() })
}

test('the agent waits until the service has started supervisord, and takes that', async () => {
  const starting = startSupervisor(dataDir)
  const service = await startService()
  expect(await starting).toMatchObject({ pid: service.pid, how: 'adopted' })
  const ended = once(service, 'exit')
  await shutdownSupervisor(dataDir)
  await ended
})

test('waiting for it can be given up, and starts nothing', async () => {
  const giveUp = new AbortController()
  const starting = startSupervisor(dataDir, { ...PATIENT, signal: giveUp.signal })
  giveUp.abort(new Error('The agent is being stopped.'))
  await expect(starting).rejects.toThrow('The agent is being stopped.')
  expect(instanceOf(openLayout(dataDir))).toBeNull()
})

test('what supervisord reads is not prepared while one runs', async () => {
  const service = await startService()
  await vi.waitFor(() => expect(instanceOf(openLayout(dataDir))?.pid).toBe(service.pid), LIMIT)
  await expect(prepareSupervisor(dataDir)).rejects.toThrow(`(process ${service.pid}) runs in`)
})
