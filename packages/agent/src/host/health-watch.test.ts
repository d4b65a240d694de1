import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { HostHealth } from '@trunkline/contract/agent/host-health.schema'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../agent.fixture.ts'
import { HealthWatch, keyOf } from './health-watch.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function openLog() {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  return { lines, log }
}

async function nextHealth(watch: HealthWatch): Promise<HostHealth> {
  return new Promise((resolve) => {
    const stop = watch.listen((health) => {
      stop()
      resolve(health)
    })
  })
}

test('reports a removed data folder as an unreadable disk, and recovers when it is back', async () => {
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  const { lines, log } = openLog()
  using watch = new HealthWatch(dataDir, log)
  const before = watch.now.disk
  const lost = nextHealth(watch)
  rmSync(dataDir, { recursive: true })
  expect((await lost).disk).toMatchObject({
    path: dataDir,
    totalBytes: before.totalBytes,
    state: 'full',
    unreadable: true,
  })
  watch.noteSupervisor(false)
  watch.noteWrites(true)
  expect(lines.filter((line) => line.includes('cannot be read'))).toHaveLength(1)
  watch.noteWrites(false)
  const back = nextHealth(watch)
  mkdirSync(dataDir)
  const { disk } = await back
  expect(disk.state).toBe(before.state)
  expect(disk.unreadable).toBeUndefined()
  expect(lines.filter((line) => line.includes('can be read again'))).toHaveLength(1)
})

test('starts where the disk cannot be read', () => {
  using watch = new HealthWatch(join(folder, 'missing'), openLog().log)
  expect(watch.now.disk).toMatchObject({ freeBytes: 0, totalBytes: 0, unreadable: true })
})

test('free space is reported when it crosses a threshold step, and below the default every 10 MB', () => {
  const totalBytes = 1_000_000_000_000
  const seen = (freeBytes: number, state: 'ok' | 'low') =>
    keyOf({ disk: { path: '/data', totalBytes, freeBytes, state } })
  expect(seen(299_000_000_000, 'ok')).toBe(seen(250_000_000_000, 'ok'))
  expect(seen(301_000_000_000, 'ok')).not.toBe(seen(299_000_000_000, 'ok'))
  expect(seen(40_010_000_000, 'low')).not.toBe(seen(40_000_000_000, 'low'))
})
