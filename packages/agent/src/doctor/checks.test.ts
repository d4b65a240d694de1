import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../agent.fixture.ts'
import { askConsole, consoleFindings } from './console.check.ts'
import {
  busFinding,
  diskFinding,
  folderFinding,
  processViewFindings,
  sourceFindings,
  supervisorFinding,
} from './host.check.ts'
import { portFindings } from './link-port.check.ts'

const DISK = { path: '/var/lib/trunkline-agent', freeBytes: 2e9, totalBytes: 1e11 }

test('a console that answers is reached, and its clock is compared', async () => {
  const server = createServer((_request, response) => response.end())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const answer = await askConsole(origin)
  server.close()
  const found = consoleFindings({ origin, isNamed: true, answer }, Date.now())
  expect(found.map(({ level }) => level)).toEqual(['ok', 'ok'])
})

test('a clock that differs from the console’s is wrong, with the command that sets it', () => {
  const answer = { reached: true, atMs: 100_000 } as const
  const asked = { origin: 'https://console.example', isNamed: false, answer }
  const [, clock] = consoleFindings(asked, 40_000)
  expect(clock).toMatchObject({ level: 'wrong' })
  expect(clock?.sentence).toContain('60 s ahead of')
  expect(clock?.fix).toContain('timedatectl set-ntp true')
})

test('a console that is not reached is a fault when it was named, and else a note', async () => {
  const origin = 'http://127.0.0.1:1'
  const answer = await askConsole(origin)
  const levels = [true, false].map(
    (isNamed) => consoleFindings({ origin, isNamed, answer }, 0)[0]?.level,
  )
  expect(levels).toEqual(['wrong', 'note'])
  expect(consoleFindings(null, 0)[0]?.fix).toContain('--console')
})

test.each([
  ['ok', 'ok'],
  ['low', 'wrong'],
  ['full', 'wrong'],
] as const)('a disk that is %s: %s', (state, level) => {
  const found = diskFinding({ ...DISK, state })
  expect(found.level).toBe(level)
  expect(found.sentence).toContain('2.0 of 100.0 GB free')
})

test('a data folder that is not there yet is a note', () => {
  const folder = temporaryFolder()
  expect(folderFinding(folder).level).toBe('ok')
  expect(folderFinding(join(folder, 'none')).level).toBe('note')
})

test('without supervisord no program can run', () => {
  expect(supervisorFinding(17).level).toBe('ok')
  expect(supervisorFinding(null).fix).toContain('systemctl start trunkline-agent-programs')
})

test('a port that a foreign process has is named with that process', () => {
  const own = { programId: 'input-a', port: 5040, holder: 'own' as const }
  const free = { programId: 'input-b', port: 5041, holder: null }
  expect(portFindings([own, free]).map(({ level }) => level)).toEqual(['ok'])
  const taken = { programId: 'input-c', port: 5042, holder: { foreign: 'vlc (process 99)' } }
  expect(portFindings([own, taken])).toEqual([
    {
      level: 'wrong',
      sentence: 'UDP port 5042 of the link input-c is used by vlc (process 99).',
      fix: 'End it (ss -ulnp sport = :5042), or give the link another port in the console',
    },
  ])
  expect(portFindings([])).toEqual([])
})

test('multicast, sources and the list of processes', () => {
  expect(busFinding({ works: true, reason: '' }).level).toBe('ok')
  expect(busFinding({ works: false, reason: 'It does not.' })).toMatchObject({
    level: 'wrong',
    sentence: 'It does not.',
  })
  const source = { cardIdx: 1, kind: 'v4l2', label: 'v4l2 /dev/video0' } as const
  const found = sourceFindings([
    { ...source, unusable: '' },
    { ...source, unusable: 'It is not there.' },
  ])
  expect(found.map(({ level }) => level)).toEqual(['ok', 'wrong'])
  expect(processViewFindings(false)).toEqual([])
  expect(processViewFindings(true)[0]?.level).toBe('note')
})
