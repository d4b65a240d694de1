/** A host has so many file watches and no more: what the playlist does without one. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { Timeline } from './timeline.ts'

vi.mock(import('node:fs'), async (original) => ({
  ...(await original()),
  watch: () => {
    throw new Error('ENOSPC: System limit for number of file watchers reached')
  },
}))

const SOURCE = 'aaaaaaaaaa'
const SHAPE = { targetS: 2, rows: 4, renditions: [{ bandwidthBps: 0, size: null }] }

function list(folder: string, numbers: readonly number[]): void {
  mkdirSync(join(folder, SOURCE), { recursive: true })
  const names = numbers.map((number) => `v0-0000${number}.ts`)
  for (const name of names) writeFileSync(join(folder, SOURCE, name), 'x')
  const text = `#EXTM3U\n${names.map((name) => `#EXTINF:2.0,\n${name}\n`).join('')}`
  writeFileSync(join(folder, SOURCE, 'v0.m3u8'), text)
}

test('CHAN-32 a folder that cannot be watched is logged once, and polling shows new segments', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'timeline-blind-'))
  const logged: string[] = []
  const log = pino({ base: null }, { write: (line) => logged.push(line) })
  list(folder, [1])
  const timeline = new Timeline(folder, SHAPE, log, Date.now())
  timeline.follow(SOURCE, SHAPE)
  list(folder, [1, 2])
  timeline.lookAgain()
  timeline.lookAgain()
  expect(await readFile(join(folder, 'v0.m3u8'), 'utf8')).toContain(`${SOURCE}-v0-00002.ts`)
  expect(logged).toHaveLength(1)
  expect(logged[0]).toContain('cannot be watched')
  timeline.close()
  rmSync(folder, { recursive: true })
})
