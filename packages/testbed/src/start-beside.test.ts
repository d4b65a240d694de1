/** `npm start` for a second folder on the same machine, with nothing else named. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { repositoryRoot } from './repository.ts'

const folder = mkdtempSync(join(tmpdir(), 'trunkline-beside-'))
const starters: ChildProcess[] = []
afterAll(async () => {
  await Promise.all(
    starters.map(async (starter) => {
      const ended = once(starter, 'exit')
      if (starter.kill('SIGTERM')) await ended
    }),
  )
  rmSync(folder, { recursive: true, force: true })
})

/** Resolves with the address that it prints. */
async function start(name: string): Promise<string> {
  const starter = spawn(
    process.execPath,
    [join(repositoryRoot(), 'packages/testbed/src/start.ts')],
    {
      env: {
        PATH: process.env['PATH'],
        TMPDIR: tmpdir(),
        TRUNKLINE_DATA_DIR: join(folder, name),
        TRUNKLINE_DEMO: '0',
        TRUNKLINE_ADMIN_EMAIL: 'first@trunkline.example',
        TRUNKLINE_ADMIN_PASSWORD: 'correct-horse-battery',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  starters.push(starter)
  // Read to the end: a starter whose words nobody takes ends by that.
  let output = ''
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  starter.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
    const address = /Trunkline is ready: (\S+)/.exec(output)?.[1]
    if (address !== undefined) resolve(address)
  })
  starter.once('exit', () => reject(new Error(`It ended: ${output}`)))
  return promise
}

const Ports = z.object({
  seats: z.record(z.string(), z.object({ port: z.number() })),
  ports: z.record(z.string(), z.number()),
})

function portsOf(name: string): number[] {
  const plan = Ports.parse(JSON.parse(readFileSync(join(folder, name, 'site.json'), 'utf8')))
  return [...Object.values(plan.seats).map(({ port }) => port), ...Object.values(plan.ports)]
}

test('two sites started at once in two folders both run, with no port in common', async () => {
  const addresses = await Promise.all([start('one'), start('other')])
  expect(new Set(addresses).size).toBe(2)
  const answers = await Promise.all(
    addresses.map(async (address) => fetch(`${address}/api/health`)),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const [first, second] = [portsOf('one'), portsOf('other')]
  expect(new Set([...first, ...second]).size).toBe(14)
})
