/** Real processes that outlive who started them stand for a supervisord that a test left behind. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { closeRunFolder, GRACE_MS, openRunFolder, removeStaleRuns } from './run-folder.mjs'

/** Runs of these tests, not those beside which they run. */
function temporaryPlace(): void {
  const place = mkdtempSync(join(tmpdir(), 'trunkline-place-'))
  vi.stubEnv('TMPDIR', place)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(place, { recursive: true, force: true })
  })
}

/** In a session of its own and without a parent, as supervisord runs. */
async function startDaemon(folder: string, script: string): Promise<number> {
  const ready = join(folder, 'ready')
  const report = `echo $$ > '${ready}.new'; mv '${ready}.new' '${ready}'`
  const text = `${script}\n${report}; while :; do sleep 0.1; done`
  const child = spawn('setsid', ['--fork', 'sh', '-c', text], {
    env: { PATH: process.env['PATH'], TMPDIR: folder },
    stdio: 'ignore',
  })
  await new Promise((resolve) => child.once('exit', resolve))
  await vi.waitFor(() => expect(existsSync(ready)).toBe(true), { timeout: 60_000 })
  const pid = Number(readFileSync(ready, 'utf8'))
  rmSync(ready)
  return pid
}

/** One that has ended and is not yet collected by its parent has no command line. */
function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
  } catch {
    return false
  }
}

test('the end of a run ends what its tests left running, and removes its files', async () => {
  temporaryPlace()
  const folder = openRunFolder()
  const pid = await startDaemon(folder, '')
  expect(isAlive(pid)).toBe(true)
  const left = await closeRunFolder(folder, GRACE_MS)
  expect(left.join()).toContain('while :')
  expect(isAlive(pid)).toBe(false)
  expect(existsSync(folder)).toBe(false)
})

test('a process that ignores TERM is killed', async () => {
  temporaryPlace()
  const folder = openRunFolder()
  const pid = await startDaemon(folder, "trap '' TERM")
  await closeRunFolder(folder, 200)
  expect(isAlive(pid)).toBe(false)
})

test('the next run removes what a killed run left, and nothing of a running one', async () => {
  temporaryPlace()
  const [killed, living] = [openRunFolder(), openRunFolder()]
  const gone = spawnSync('true')
  writeFileSync(join(killed, 'owner'), `${gone.pid} 1`)
  const pid = await startDaemon(killed, '')
  await removeStaleRuns()
  expect(isAlive(pid)).toBe(false)
  expect([killed, living].map((folder) => existsSync(folder))).toEqual([false, true])
})
