import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../agent.fixture.ts'
import { folderId, openLayout } from './layout.ts'
import { identityOf } from './process-identity.ts'
import { claimFolder } from './single-agent.ts'
import { instanceOf, shutdownSupervisor, startSupervisor } from './supervisor.process.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a short folder name is used directly, with no access for others', () => {
  const layout = openLayout(join(folder, 'data'))
  expect(layout.socket).toBe(join(folder, 'data/supervisor/supervisor.sock'))
  expect(statSync(layout.unitsDir).mode & 0o777).toBe(0o700)
  expect(statSync(layout.supervisorDir).mode & 0o777).toBe(0o700)
})

const HARD = [
  ['too long for a socket', 'long/'.repeat(30)],
  ['with text that supervisord reads as its own', `a b;c #d%(e)s'f"[g]*ü`],
]

test.each(HARD)('a folder %s works all the same', async (_name, path) => {
  const dataDir = join(folder, path)
  mkdirSync(dataDir, { recursive: true })
  const { layout, how } = await startSupervisor(dataDir)
  try {
    expect(how).toBe('started')
    expect(Buffer.byteLength(layout.socket)).toBeLessThan(100)
    expect(openLayout(dataDir).socket).toBe(layout.socket)
    expect(await startSupervisor(dataDir)).toMatchObject({ how: 'adopted' })
  } finally {
    await shutdownSupervisor(dataDir)
  }
  expect(instanceOf(layout)).toBeNull()
  expect(existsSync(layout.socket)).toBe(false)
  expect(existsSync(layout.runtimeFolder ?? '')).toBe(false)
  // The link to the data folder went, not what it leads to.
  expect(existsSync(join(dataDir, 'supervisor'))).toBe(true)
})

test.each([['short', 'data'], ...HARD.slice(0, 1)])(
  'a copy of a folder %s has a supervisord of its own, and ending that leaves the original running',
  async (_name, path) => {
    const [dataDir, copyDir] = ['original', 'copy'].map((name) => join(folder, name, path)) as [
      string,
      string,
    ]
    mkdirSync(dataDir, { recursive: true })
    const original = await startSupervisor(dataDir)
    try {
      const agent = { ...identityOf(original.pid), folder: folderId(original.layout) }
      writeFileSync(join(original.layout.base, 'agent.json'), JSON.stringify(agent))
      cpSync(dataDir, copyDir, { recursive: true, filter: (from) => !/\.(sock|fifo)$/.test(from) })
      await shutdownSupervisor(copyDir)
      expect(await startSupervisor(dataDir)).toEqual({ ...original, how: 'adopted' })
      const copy = await startSupervisor(copyDir)
      await (await claimFolder(copy.layout))[Symbol.asyncDispose]()
      await expect(claimFolder(original.layout)).rejects.toThrow('Another agent')
      expect(copy.how).toBe('started')
      expect(copy.layout.socket).not.toBe(original.layout.socket)
      await shutdownSupervisor(copyDir)
      expect(await startSupervisor(dataDir)).toEqual({ ...original, how: 'adopted' })
    } finally {
      await shutdownSupervisor(copyDir)
      await shutdownSupervisor(dataDir)
    }
  },
)

test('ending a supervisord that does not run does nothing', async () => {
  await shutdownSupervisor(join(folder, 'nothing'))
  expect(existsSync(join(folder, 'nothing'))).toBe(false)
})

test('supervisord listens on its socket alone, and that is closed to others', async () => {
  const dataDir = join(folder, 'data')
  const { layout } = await startSupervisor(dataDir)
  try {
    expect(readFileSync(layout.mainConf, 'utf8')).not.toContain('inet_http_server')
    expect(statSync(layout.socket).mode & 0o777).toBe(0o700)
  } finally {
    await shutdownSupervisor(dataDir)
  }
})
