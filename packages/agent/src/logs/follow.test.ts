import { appendFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../agent.fixture.ts'
import { LogFollower } from './follow.ts'

test('log lines are processed before statistics that arrive together', async () => {
  const folder = temporaryFolder()
  for (const name of ['p.out', 'p.err']) writeFileSync(join(folder, name), '')
  using follower = new LogFollower(folder)
  const heard: string[] = []
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const hear = (lines: string[]) => {
    heard.push(...lines)
    if (heard.length === 2) resolve(undefined)
  }
  follower.follow('p.out', null, hear)
  follower.follow('p.err', null, hear)
  appendFileSync(join(folder, 'p.out'), 'counted\n')
  appendFileSync(join(folder, 'p.err'), 'begun\n')
  await promise
  expect(heard).toEqual(['begun', 'counted'])
})

test('a rotated or removed log is no failure; the new file is read from its start', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'p.err')
  writeFileSync(file, 'one\n')
  using follower = new LogFollower(folder)
  const heard: string[] = []
  follower.follow('p.err', { inode: 0, offset: 0 }, (lines) => heard.push(...lines))
  follower.catchUp('p.err')
  appendFileSync(file, 'two\n')
  renameSync(file, `${file}.1`)
  follower.catchUp('p.err')
  writeFileSync(file, 'three\n')
  follower.catchUp('p.err')
  expect(heard).toEqual(['one', 'two', 'three'])
  rmSync(file)
  follower.catchUp('p.err')
  expect(heard).toHaveLength(3)
})
