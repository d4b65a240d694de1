import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { demoState, forgetHalfLoaded, markDemo } from './demo-state.ts'
import { starterFaults, starterSettings } from './starter.config.ts'

const folder = mkdtempSync(join(tmpdir(), 'trunkline-demo-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('an interrupted load of the demo is discarded, a finished one is kept', async () => {
  markDemo(folder, 'loading')
  writeFileSync(join(folder, 'trunkline.db'), 'half')
  writeFileSync(join(folder, 'notes.txt'), 'mine')
  await forgetHalfLoaded(folder)
  expect(existsSync(join(folder, 'trunkline.db'))).toBe(false)
  expect(existsSync(join(folder, 'notes.txt'))).toBe(true)

  markDemo(folder, 'loaded')
  writeFileSync(join(folder, 'trunkline.db'), 'whole')
  await forgetHalfLoaded(folder)
  expect(demoState(folder)).toBe('loaded')
  expect(existsSync(join(folder, 'trunkline.db'))).toBe(true)
})

test('wrong settings of the starter are all named at once', () => {
  const faults = starterFaults({ TRUNKLINE_DEMO: 'yes', TRUNKLINE_DEMO_PASSWORD: 'short' })
  expect(faults).toHaveLength(2)
  expect(faults[0]).toContain('TRUNKLINE_DEMO')
  expect(faults[1]).toContain('TRUNKLINE_DEMO_PASSWORD')
})

test('the password setting is ignored once the demo site is loaded', () => {
  const env = { TRUNKLINE_DATA_DIR: folder, TRUNKLINE_DEMO_PASSWORD: 'eight ch' }
  expect(starterFaults(env)).toHaveLength(1)
  markDemo(folder, 'loaded')
  expect(starterFaults(env)).toEqual([])
})

test('the API is given its own settings and no others', () => {
  const settings = starterSettings({
    TRUNKLINE_DEMO: '0',
    TRUNKLINE_PORT: '9000',
    TRUNKLINE_LISTEN_IP: '127.0.0.1',
    HOME: '/root',
  })
  expect(settings.demo).toBe('none')
  expect(settings.apiEnv).toEqual({ TRUNKLINE_PORT: '9000', TRUNKLINE_LISTEN_IP: '127.0.0.1' })
})

test('a training site is found by its folder, and no other site is started there or made one', () => {
  mkdirSync(folder, { recursive: true })
  const env = { TRUNKLINE_DATA_DIR: folder, TRUNKLINE_DEMO: 'fleet' }
  expect(starterFaults(env)).toEqual([])
  expect(starterSettings(env).demo).toBe('fleet')
  expect(starterSettings({ TRUNKLINE_DEMO: 'fleet' }).dataDir).toMatch(/\.trunkline\/training$/)
  writeFileSync(join(folder, 'site.json'), '{}')
  expect(starterFaults(env)[0]).toContain('holds another site')
  rmSync(join(folder, 'site.json'))
  const keys = { encoder: 'e', gateway: 'g', stream: 's' }
  const plan = { range: 0, keys, passphrase: 'p', trainerPassword: 't' }
  writeFileSync(join(folder, 'training.json'), JSON.stringify(plan))
  expect(starterFaults(env)).toEqual([])
  const [fault] = starterFaults({ TRUNKLINE_DATA_DIR: folder })
  expect(fault).toContain('holds a training site. Start it with TRUNKLINE_DEMO=fleet')
})

test('a training site is not loaded into a folder whose path ffmpeg would read as its own', () => {
  const env = { TRUNKLINE_DATA_DIR: join(folder, "it's mine"), TRUNKLINE_DEMO: 'fleet' }
  expect(starterFaults(env)[0]).toContain('letters, digits and . _ - / only')
})
