import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../agent.fixture.ts'
import { openLayout } from './layout.ts'
import { claimFolder } from './single-agent.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const CLAIM = `
const { openLayout } = await import(process.argv[1] + '/layout.ts')
const { claimFolder } = await import(process.argv[1] + '/single-agent.ts')
await claimFolder(openLayout(process.argv[2]))
// Keeps it running until it is killed, or its parent ends.
process.on('message', () => {})
process.send('claimed')
`

/** Another process that has claimed the folder, as another agent would. */
async function openOther(dataDir: string) {
  const args = ['--input-type=module', '-e', CLAIM, import.meta.dirname, dataDir]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ended = once(child, 'exit')
  const [answer] = (await Promise.race([once(child, 'message'), ended])) as unknown[]
  expect(answer).toBe('claimed')
  return {
    pid: child.pid,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

test('refuses a second agent on a full disk, until the first one is killed', async () => {
  const layout = openLayout(folder)
  const draft = join(layout.base, 'agent.json.new')
  // Every write to /dev/full fails with ENOSPC.
  symlinkSync('/dev/full', draft)
  const other = await openOther(folder)
  try {
    expect(existsSync(join(layout.base, 'agent.json'))).toBe(false)
    await expect(claimFolder(layout)).rejects.toThrow(
      `Another agent already uses ${folder}. End it first, or name another dataDir.`,
    )
  } finally {
    await other.kill()
  }
  await (await claimFolder(layout))[Symbol.asyncDispose]()
})

test('names the process that has the folder', async () => {
  const other = await openOther(folder)
  const named = `Another agent (process ${other.pid}) already uses ${folder}`
  try {
    await expect(claimFolder(openLayout(folder))).rejects.toThrow(named)
  } finally {
    await other.kill()
  }
})

test('can claim the folder again after a refusal and after a release', async () => {
  const layout = openLayout(folder)
  const first = await claimFolder(layout)
  await expect(claimFolder(layout)).rejects.toThrow('Another agent')
  const file = join(layout.base, 'agent.json')
  expect(readFileSync(file, 'utf8')).toContain(String(process.pid))
  await first[Symbol.asyncDispose]()
  expect(existsSync(file)).toBe(false)
  await (await claimFolder(layout))[Symbol.asyncDispose]()
})
