import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { freeTcpPort } from './free-port.ts'
import { repositoryRoot } from './repository.ts'

/** What a start in this folder needs; the port is free now. */
async function startIn(folder: string) {
  const port = await freeTcpPort(0)
  const env = {
    PATH: process.env['PATH'],
    TRUNKLINE_DATA_DIR: join(folder, 'data'),
    TRUNKLINE_PORT: String(port),
    TRUNKLINE_DEMO: '0',
    TRUNKLINE_ADMIN_EMAIL: 'first@trunkline.example',
    TRUNKLINE_ADMIN_PASSWORD: 'correct-horse-battery',
  }
  return { port, env }
}

test('a Ctrl-C during the start ends everything and leaves nothing running', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-start-'))
  const { port, env } = await startIn(folder)
  const starter = spawn(
    process.execPath,
    [join(repositoryRoot(), 'packages/testbed/src/start.ts')],
    { env, stdio: ['ignore', 'pipe', 'ignore'] },
  )
  const ended = new Promise((resolve) => starter.once('exit', resolve))
  // It says so and starts them: the worst moment.
  await new Promise((resolve) => starter.stdout?.once('data', resolve))
  starter.kill('SIGINT')
  expect(await ended).toBe(0)
  expect(await answers(port)).toBe(false)
  expect(processesNaming(folder)).toEqual([])
  rmSync(folder, { recursive: true, force: true })
})

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'npm start ends all its children when npm alone gets a %s',
  async (signal) => {
    const folder = mkdtempSync(join(tmpdir(), 'trunkline-start-'))
    const { port, env } = await startIn(folder)
    const npm = spawn('npm', ['start'], {
      cwd: repositoryRoot(),
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    await untilSays(npm.stdout, 'Trunkline is ready')
    expect(await answers(port)).toBe(true)
    // The last of the starters has closed it when it has ended all that it started.
    const closed = new Promise((resolve) => npm.stdout.once('close', resolve))
    npm.kill(signal)
    await closed
    expect(await answers(port)).toBe(false)
    expect(processesNaming(folder)).toEqual([])
    rmSync(folder, { recursive: true, force: true })
  },
)

async function untilSays(stream: Readable, words: string): Promise<void> {
  let text = ''
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    text += String(chunk)
    if (text.includes(words)) return
  }
  throw new Error(`It ended without a word of ${words}:\n${text}`)
}

async function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/api/health`).then(
    (response) => response.ok,
    () => false,
  )
}

/** Command lines of everything that runs and has this folder in its arguments. */
function processesNaming(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => commandOf(pid))
    .filter((command) => command.includes(folder))
}

/** '' when it has ended meanwhile, as others on this machine do all the time. */
function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return ''
  }
}
