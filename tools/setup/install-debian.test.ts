/**
 * The script that installs Debian packages, run with a stand-in for apt-get that notes what it was
 * asked and the policy for starting its service.
 */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

const script = fileURLToPath(new URL('install-debian.sh', import.meta.url))
let folder = ''
let policy = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trunkline-debian-'))
  policy = join(folder, 'policy-rc.d')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function program(name: string, text: string) {
  writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`)
  chmodSync(join(folder, name), 0o755)
}

/** `apt` is shell text that runs at each install; "$fails" as many times it ends badly. */
function runScript(options: { knows: boolean; install: string }) {
  program('systemctl', `echo "systemctl $*" >>"${folder}/calls"`)
  program(
    'apt-get',
    `case "$*" in
      *--simulate*) [ -e "${folder}/updated" ] || ${String(options.knows)}; exit ;;
      *update*) echo update >>"${folder}/calls"; touch "${folder}/updated"; exit ;;
    esac
    echo "install $DEBIAN_FRONTEND $*" >>"${folder}/calls"
    "${policy}" supervisor start; echo "policy $?" >>"${folder}/calls"
    ${options.install}`,
  )
  return spawnSync('sh', [script, 'ffmpeg', 'supervisor'], {
    env: { PATH: `${folder}:/usr/bin:/bin`, TRUNKLINE_POLICY_FILE: policy },
    encoding: 'utf8',
  })
}

function calls(): string[] {
  return readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n')
}

test('packages are installed silently and may not start a service', () => {
  const { status } = runScript({ knows: true, install: 'exit 0' })
  expect(status).toBe(0)
  expect(calls()).toEqual([
    expect.stringMatching(
      /^install noninteractive .*-y --no-install-recommends ffmpeg supervisor$/,
    ),
    'policy 101',
    'systemctl --quiet disable supervisor.service',
  ])
  expect(readdirSync(folder)).not.toContain('policy-rc.d')
})

test('package lists are read only when they do not know a package', () => {
  runScript({ knows: false, install: 'exit 0' })
  expect(calls()[0]).toBe('update')
})

test('package lists that are too old are read and the install is retried', () => {
  const { status } = runScript({ knows: true, install: `[ -e "${folder}/updated" ]` })
  expect(status).toBe(0)
  expect(calls().map((call) => call.split(' ')[0])).toEqual([
    'install',
    'policy',
    'update',
    'install',
    'policy',
    'systemctl',
  ])
})

test("an administrator's own policy is put back, after a failure too", () => {
  writeFileSync(policy, '#!/bin/sh\nexit 104\n', { mode: 0o755 })
  const { status } = runScript({ knows: true, install: 'exit 100' })
  expect(status).not.toBe(0)
  expect(calls()).toContain('policy 101')
  expect(readFileSync(policy, 'utf8')).toContain('exit 104')
  expect(readdirSync(folder).filter((name) => name.includes('saved'))).toEqual([])
})

test('a policy that is a link stays a link', () => {
  symlinkSync('/nowhere/policy', policy)
  runScript({ knows: true, install: 'exit 0' })
  expect(lstatSync(policy).isSymbolicLink()).toBe(true)
  expect(readlinkSync(policy)).toBe('/nowhere/policy')
})

test('an install that is interrupted puts the policy back', () => {
  writeFileSync(policy, '#!/bin/sh\nexit 104\n', { mode: 0o755 })
  runScript({ knows: true, install: 'kill -TERM $PPID' })
  expect(readFileSync(policy, 'utf8')).toContain('exit 104')
})

test('files of a killed run are removed by the next run', () => {
  runScript({ knows: true, install: 'kill -KILL $PPID' })
  expect(existsSync(policy)).toBe(true)
  runScript({ knows: true, install: 'exit 0' })
  expect(existsSync(policy)).toBe(false)
})
