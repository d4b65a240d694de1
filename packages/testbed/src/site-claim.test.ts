import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { identityOf } from '@trunkline/agent/supervisor/process-identity'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { claimSite } from './site-claim.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trunkline-claim-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function openSleeper() {
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  await once(child, 'spawn')
  return {
    pid: child.pid ?? 0,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

test('a start in a copy of a data folder leaves the processes of the original running', async () => {
  const [dataDir, copyDir] = [join(folder, 'original'), join(folder, 'copy')]
  await using sleeper = await openSleeper()
  await using original = await claimSite(dataDir)
  original.note([sleeper.pid])
  cpSync(dataDir, copyDir, { recursive: true })
  await using _copy = await claimSite(copyDir)
  expect(identityOf(sleeper.pid)).not.toBeNull()
})

test('a start ends what a killed starter has left in the same folder', async () => {
  const dataDir = join(folder, 'data')
  const [file, left] = [join(dataDir, 'processes.json'), join(folder, 'left.json')]
  await using sleeper = await openSleeper()
  const first = await claimSite(dataDir)
  first.note([sleeper.pid])
  // A starter that is killed leaves its file and releases its claim.
  copyFileSync(file, left)
  await first[Symbol.asyncDispose]()
  copyFileSync(left, file)
  await using _next = await claimSite(dataDir)
  expect(await sleeper.ended).toEqual([null, 'SIGTERM'])
})
