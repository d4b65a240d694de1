/** `npm start` on an installed machine: time to the sign-in page, and memory with the demo running. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freeTcpPort } from '@trunkline/testbed/free-port'
import { repositoryRoot } from '@trunkline/testbed/repository'
import { closedBySignals } from './kit/ending.ts'
import { supervisorPid } from './kit/site.ts'
import {
  atMost,
  median,
  printFigure,
  processTree,
  residentMegabytesOf,
  spread,
} from './kit/figure.ts'

const ROUNDS = 3
/** Long enough for the chain to run and the heaps to settle. */
const SETTLE_SECONDS = 60

const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-bench-start-'))
const removeData = closedBySignals(async () => rmSync(dataDir, { recursive: true, force: true }))
const port = await freeTcpPort(0)
const env = {
  ...process.env,
  TRUNKLINE_DATA_DIR: join(dataDir, 'data'),
  TRUNKLINE_PORT: String(port),
  TRUNKLINE_DEMO_PASSWORD: 'correct-horse-battery',
}
try {
  // The first start loads the demo; the others are what an operator meets every day.
  const first = await measureStart(SETTLE_SECONDS)
  const later: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) later.push((await measureStart(0)).signInPageMs)
  const bare: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) bare.push(await bareNodeStartMs())
  printFigure({
    bench: 'start',
    rounds: ROUNDS,
    ours: {
      signInPageMs: spread(later),
      firstStartWithDemoMs: Math.round(first.signInPageMs),
      residentMegabytes: first.memory,
    },
    limit: { npmRunsAnEmptyScriptMs: spread(bare) },
    goals: [
      atMost('sign-in page', median(later), 3000, 'ms'),
      atMost('API, agent and event listener resident', first.memory.sum, 250, 'MB'),
    ],
  })
} finally {
  await removeData()
}

async function measureStart(settleSeconds: number) {
  const startedAt = performance.now()
  const npm = spawn('npm', ['start'], {
    cwd: repositoryRoot(),
    env,
    stdio: 'ignore',
    detached: true,
  })
  const ended = new Promise((resolve) => npm.once('exit', resolve))
  const close = closedBySignals(async () => {
    process.kill(-(npm.pid ?? 0), 'SIGINT')
    await ended
    // npm leaves before the starter has put everything away.
    await silent(`http://127.0.0.1:${port}/login`)
  })
  try {
    await answers(`http://127.0.0.1:${port}/login`)
    const signInPageMs = performance.now() - startedAt
    await pause(settleSeconds * 1000)
    return { signInPageMs, memory: settleSeconds > 0 ? memoryOf(npm.pid ?? 0) : noMemory() }
  } finally {
    await close()
  }
}

/** Until nothing answers there and the host's supervisord is gone. */
async function silent(address: string): Promise<void> {
  const isThere = async () =>
    fetch(address).then(
      () => true,
      () => false,
    )
  // The agent's note of which process its supervisord is goes with it.
  const note = join(dataDir, 'data', 'agent', 'supervisor', 'instance.json')
  while ((await isThere()) || existsSync(note)) await pause(20)
}

function noMemory() {
  return { api: 0, agent: 0, eventListener: 0, sum: 0 }
}

function memoryOf(npmPid: number) {
  const own = processTree(npmPid)
  const host = processTree(supervisorPid(join(dataDir, 'data')))
  const sumOf = (lines: { pid: number }[]) =>
    Math.round(lines.reduce((sum, line) => sum + residentMegabytesOf(line.pid), 0))
  const api = sumOf(own.filter((line) => /packages\/api\/(dist|src)\/main/.test(line.command)))
  const agent = sumOf(own.filter((line) => /packages\/agent\/(dist|src)\/main/.test(line.command)))
  const eventListener = sumOf(host.filter((line) => /events\.sh/.test(line.command)))
  return { api, agent, eventListener, sum: api + agent + eventListener }
}

async function answers(address: string): Promise<void> {
  for (;;) {
    const page = await fetch(address).then(
      async (response) => (response.ok ? response.text() : ''),
      () => '',
    )
    if (page.includes('<div id="root"')) return
    await pause(10)
  }
}

/** The floor of any npm script: npm itself and one Node. */
async function bareNodeStartMs(): Promise<number> {
  const startedAt = performance.now()
  const npm = spawn('npm', ['exec', '--offline', '--', 'node', '-e', '0'], {
    cwd: repositoryRoot(),
    stdio: 'ignore',
  })
  await new Promise((resolve) => npm.once('exit', resolve))
  return performance.now() - startedAt
}
