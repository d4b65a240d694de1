/** `npm start` on a folder where one runs, or where one was killed: what streams is not touched. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, freeUdpPort, openLink } from '@trunkline/agent/agent.fixture'
import { shutdownSupervisor } from '@trunkline/agent/supervisor/supervisor.process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freeTcpPort } from './free-port.ts'
import { repositoryRoot } from './repository.ts'
import { storedPlan } from './site-plan.ts'

let folder: string
let dataDir: string
let port: number
const running: Starter[] = []
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trunkline-again-'))
  dataDir = join(folder, 'data')
  port = await freeTcpPort(0)
})
afterEach(async () => {
  for (const item of running.splice(0)) {
    item.child.kill('SIGTERM')
    await item.ended
  }
  await shutdownSupervisor(join(dataDir, 'agent'))
  rmSync(folder, { recursive: true, force: true })
})

interface Starter {
  child: ChildProcess
  /** Resolves once it has said so. */
  says: (text: string) => Promise<void>
  /** Its code and signal. */
  ended: Promise<unknown[]>
  words: () => string
}

function start(): Starter {
  const env = {
    PATH: process.env['PATH'],
    TRUNKLINE_DATA_DIR: dataDir,
    TRUNKLINE_PORT: String(port),
    TRUNKLINE_DEMO: '0',
    TRUNKLINE_ADMIN_EMAIL: 'first@trunkline.example',
    TRUNKLINE_ADMIN_PASSWORD: 'correct-horse-battery',
  }
  const main = join(repositoryRoot(), 'packages/testbed/src/start.ts')
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let words = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (words += chunk.toString()))
  }
  const says = async (text: string) => eventually(() => expect(words).toContain(text))
  const starter = { child, says, ended: once(child, 'exit'), words: () => words }
  running.push(starter)
  return starter
}

function seat() {
  const acants = storedPlan(dataDir)?.seats.acants
  if (!acants) throw new Error('no plan')
  return { ...acants, kind: 'acants' as const, listenIp: '127.0.0.1' }
}

/** Answers the pid of a link that streams would come in by. */
async function startStream(): Promise<number | null> {
  await using link = await openLink(seat())
  const outer = { protocol: 'srt', mode: 'listen', host: '', adapterIp: '', key: null }
  const tuning = { latencyMs: 120, maxBandwidthBytes: 0, advanced: [] }
  const spec = {
    kind: 'receiver',
    local: { ip: '127.0.0.1', port: await freeUdpPort(), ttl: 1 },
    outer: { ...outer, ...tuning, port: await freeUdpPort() },
  }
  await link.ask('applyProgram', { programId: 'input-on', revision: 'r1', wanted: 'running', spec })
  const up = await link.until(
    (message) => message.type === 'program' && message.report.state === 'running',
  )
  return up.type === 'program' ? up.report.pid : null
}

/** Of that link, as the agent has it now. */
async function streamPid(): Promise<number | null> {
  await using link = await openLink(seat())
  const [hello] = link.messages
  if (hello?.type !== 'hello') throw new Error('no hello')
  const [program] = hello.programs
  return program?.state === 'running' ? program.pid : null
}

async function isHealthy(): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  )
}

function agentPid(): number {
  const file = join(dataDir, 'agent', 'agent.json')
  return (JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid
}

test('a second start refuses before it touches anything', async () => {
  const first = start()
  await first.says('Trunkline is ready')
  const pid = await startStream()
  const agent = agentPid()
  const second = start()
  expect(await second.ended).toEqual([1, null])
  expect(second.words()).toContain(`already runs on ${dataDir} (process ${first.child.pid})`)
  expect(await streamPid()).toBe(pid)
  expect(agentPid()).toBe(agent)
  expect(await isHealthy()).toBe(true)
})

test('after a starter was killed the next starter takes over the running streams, on the same port', async () => {
  const first = start()
  await first.says('Trunkline is ready')
  const pid = await startStream()
  // One that is halted is in the way of the next, and hears no TERM.
  process.kill(agentPid(), 'SIGSTOP')
  first.child.kill('SIGKILL')
  await first.ended
  const second = start()
  await second.says('Trunkline is ready')
  expect(await streamPid()).toBe(pid)
  expect(await isHealthy()).toBe(true)
})

test('a killed agent is started again, and so is a killed API; no stream ends', async () => {
  const starter = start()
  await starter.says('Trunkline is ready')
  const pid = await startStream()
  process.kill(agentPid(), 'SIGKILL')
  await starter.says('The host agent runs again.')
  expect(await streamPid()).toBe(pid)
  const { started } = JSON.parse(readFileSync(join(dataDir, 'processes.json'), 'utf8')) as {
    started: { pid: number }[]
  }
  const api = started.find((item) => item.pid !== agentPid())
  process.kill(api?.pid ?? 0, 'SIGKILL')
  await starter.says('The API runs again.')
  expect(await isHealthy()).toBe(true)
  expect(await streamPid()).toBe(pid)
})
