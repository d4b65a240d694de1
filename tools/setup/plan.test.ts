import { expect, test } from 'vitest'
import { planSetup, type Facts } from './plan.mjs'

/** A machine on which everything stands. */
const ready: Facts = {
  nodeVersion: '20.20.2',
  platform: 'linux',
  arch: 'x64',
  npmInstalled: true,
  pinnedNode: '24.21.0',
  missing: [],
  debian: undefined,
  rights: 'none',
}
const bare: Facts = {
  ...ready,
  npmInstalled: false,
  pinnedNode: undefined,
  missing: ['ffmpeg', 'supervisor'],
  debian: '12',
  rights: 'root',
}

function refusalOf(facts: Facts): string {
  const plan = planSetup(facts)
  return 'refusal' in plan ? plan.refusal : ''
}

function kindsOf(facts: Facts): string[] {
  const plan = planSetup(facts)
  return 'refusal' in plan ? ['refusal'] : plan.steps.map((step) => step.kind)
}

test('nothing is done when everything is installed', () => {
  expect(planSetup(ready)).toEqual({ steps: [] })
})

test('a bare Debian 12 gets npm packages and Debian packages', () => {
  expect(planSetup(bare)).toEqual({
    steps: [
      { kind: 'npm', why: 'node_modules does not agree with package-lock.json' },
      { kind: 'debian', packages: ['ffmpeg', 'supervisor'], rights: 'root', note: '' },
    ],
  })
})

test('only what is missing is installed', () => {
  expect(kindsOf({ ...bare, missing: [] })).toEqual(['npm'])
  expect(kindsOf({ ...bare, npmInstalled: true, pinnedNode: '24.0.0' })).toEqual(['debian'])
})

test('npm runs again when the pinned Node is absent or too old for the product', () => {
  expect(kindsOf({ ...ready, pinnedNode: undefined })).toEqual(['npm'])
  expect(kindsOf({ ...ready, pinnedNode: '22.1.0' })).toEqual(['npm'])
  expect(kindsOf({ ...ready, pinnedNode: undefined, nodeVersion: '24.1.0' })).toEqual([])
})

test('sudo without a password serves as well as root', () => {
  expect(planSetup({ ...bare, rights: 'sudo' })).toMatchObject({ steps: [{}, { rights: 'sudo' }] })
})

test('without root rights nothing is installed at all, and the exact line is named', () => {
  const facts: Facts = { ...bare, rights: 'none' }
  expect(kindsOf(facts)).toEqual(['refusal'])
  expect(refusalOf(facts)).toContain(
    'apt-get install -y --no-install-recommends ffmpeg supervisor\n',
  )
})

test('on anything but Debian the missing packages are named', () => {
  expect(refusalOf({ ...bare, debian: undefined })).toMatch(/ffmpeg, supervisor.*Debian 12 only/)
  expect(kindsOf({ ...bare, debian: undefined, missing: [] })).toEqual(['npm'])
})

test('another Debian is tried, with a message', () => {
  const plan = planSetup({ ...bare, debian: '13' })
  expect(plan).toMatchObject({ steps: [{}, { note: ' (tried on Debian 12, this is Debian 13)' }] })
})

test('a Node that is too old is refused with a message', () => {
  expect(refusalOf({ ...bare, nodeVersion: '18.19.0' })).toContain('needs Node 20 or newer')
})

test('without a Node from npm the installed Node must be new enough', () => {
  const arm: Facts = { ...bare, arch: 'arm64' }
  expect(refusalOf(arm)).toContain('Install Node 24')
  expect(kindsOf({ ...arm, nodeVersion: '24.3.0' })).toEqual(['npm', 'debian'])
})
