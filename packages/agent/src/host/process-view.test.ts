import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HostHealth } from '@trunkline/contract/agent/host-health.schema'
import { expect, test } from 'vitest'
import { quietLog } from '../agent.fixture.ts'
import { HealthWatch } from './health-watch.ts'
import { commandLinesReadable, readProcessView } from './process-view.ts'

const ROOT = '/dev/vda1 / ext4 rw,relatime 0 0\n'
const procWith = (options: string) => `${ROOT}proc /proc proc ${options} 0 0\n`

test.each([
  ['no hidepid', 'rw,relatime', true],
  ['hidepid=0', 'rw,hidepid=0', true],
  ['hidepid=off', 'rw,hidepid=off', true],
  ['hidepid=1', 'rw,nosuid,hidepid=1', false],
  ['hidepid=2 and a group', 'rw,gid=4,hidepid=2', false],
  ['hidepid=noaccess', 'rw,hidepid=noaccess', false],
  ['hidepid=invisible', 'rw,relatime,hidepid=invisible', false],
  ['hidepid=ptraceable', 'rw,hidepid=ptraceable', false],
])('command lines of other users with /proc mounted with %s', (_, options, isReadable) => {
  expect(commandLinesReadable(procWith(options))).toBe(isReadable)
})

test('only the last /proc mount counts', () => {
  const hidden = procWith('rw,hidepid=invisible')
  expect(commandLinesReadable(hidden + procWith('rw'))).toBe(true)
  expect(commandLinesReadable(`${hidden}proc /srv/jail/proc proc rw 0 0\n`)).toBe(false)
})

test('nothing is reported where the mounts cannot be read', () => {
  expect(readProcessView('/nonexistent/mounts')).toBe(false)
  expect(commandLinesReadable(ROOT)).toBe(false)
})

test('a /proc that is mounted with other options is reported without a restart of the agent', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-mounts-'))
  const mounts = join(folder, 'mounts')
  writeFileSync(mounts, procWith('rw,relatime'))
  try {
    using watch = new HealthWatch(folder, quietLog(), mounts)
    expect(watch.now.commandLinesReadable).toBe(true)
    const changed = new Promise<HostHealth>((resolve) => {
      watch.listen((health) => {
        if (health.commandLinesReadable === false) resolve(health)
      })
    })
    writeFileSync(mounts, procWith('rw,relatime,hidepid=invisible'))
    expect((await changed).commandLinesReadable).toBe(false)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
