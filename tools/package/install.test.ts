/**
 * The packages on a machine of their own, with its own systemd: installed, used, upgraded under a
 * running stream, removed and purged.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Capabilities } from '@trunkline/contract/agent/capability.schema'
import type { BackupRecord } from '@trunkline/contract/backups/backup.schema'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { root } from '../setup.mjs'
import { blocksOfPage, commandsIn } from '../docs/code-blocks.ts'
import { buildPackages } from './build-packages.mjs'
import { Machine, type MachineProcess } from './machine.fixture.ts'

/** Only ends what hangs. */
const LIMIT = { timeout: 120_000, interval: 100 }
const NEXT_VERSION = '99.0.0'
const [API, AGENT, PROGRAMS] = ['trunkline', 'trunkline-agent', 'trunkline-agent-programs'] as const
const UNITS = [API, AGENT, PROGRAMS]

const folder = mkdtempSync(join(tmpdir(), 'trunkline-packages-'))
let machine: Machine
let debs: string[]
let nextDebs: string[]
let password = ''

beforeAll(async () => {
  const compression = ['-Znone']
  debs = await buildPackages({ root, out: join(folder, 'now'), compression })
  nextDebs = await buildPackages({
    root,
    out: join(folder, 'next'),
    compression,
    version: NEXT_VERSION,
  })
  machine = await Machine.open()
})
afterAll(async () => {
  await machine[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** dpkg runs on that machine; its files are put there first. */
async function install(files: readonly string[]): Promise<string> {
  const inside = files.map((file, index) => {
    const name = `/tmp/package-${index}.deb`
    writeFileSync(machine.path(name), readFileSync(file))
    return name
  })
  const text = await machine.succeed('dpkg', '--install', ...inside)
  for (const name of inside) rmSync(machine.path(name))
  return text
}

async function states(): Promise<string[]> {
  return Promise.all(UNITS.map(async (unit) => machine.unitProperty(unit, 'ActiveState')))
}

async function mainPid(unit: string): Promise<string> {
  return machine.unitProperty(unit, 'MainPID')
}

/** `times`: how often it has printed that by now, in all its lives. */
async function untilPrinted(unit: string, words: string, times: number): Promise<void> {
  await vi.waitFor(
    async () => expect((await machine.journal(unit)).split(words)).toHaveLength(times + 1),
    LIMIT,
  )
}

function keyOf(kind: string): string {
  const text = machine.read('/etc/trunkline-agent/agent.json')
  const { seats } = JSON.parse(text) as { seats: { kind: string; key: string }[] }
  return seats.find((seat) => seat.kind === kind)?.key ?? ''
}

async function step<T>(...args: string[]): Promise<T> {
  const script = join(import.meta.dirname, 'console-steps.ts')
  const { code, text } = await machine.runOutside(process.execPath, script, ...args)
  expect(code, text).toBe(0)
  return JSON.parse(text) as T
}

function processesOf(program: string): MachineProcess[] {
  return machine.processes().filter(({ command }) => command.split(' ')[0]?.endsWith(program))
}

/** The input that the test adds, and the supervisord that runs it. */
function stream(): MachineProcess[] {
  return [...processesOf('srt-live-transmit'), ...processesOf('python3')]
}

function modeOf(path: string): string {
  return (statSync(machine.path(path)).mode & 0o777).toString(8)
}

test('both packages install on Debian, start their services, and say what comes next', async () => {
  const text = await install(debs)
  expect(text).toContain('trunkline user add --email you@example.com')
  expect(text).toContain('trunkline-agent doctor')
  expect(await states()).toEqual(['active', 'active', 'active'])
  for (const unit of UNITS) {
    expect(await machine.unitProperty(unit, 'UnitFileState'), unit).toBe('enabled')
  }
  await untilPrinted(AGENT, 'the agent is ready', 1)
  await untilPrinted(API, 'Trunkline listens on', 1)
  const users = await machine.succeed('ps', '-eo', 'user:20,args')
  expect(users).toMatch(/^trunkline +\/usr\/lib\/trunkline\/node /m)
  expect(users).toMatch(/^trunkline-agent +\/usr\/lib\/trunkline-agent\/node /m)
  expect(users).toMatch(/^trunkline-agent +\/usr\/bin\/python3 \/usr\/bin\/supervisord /m)
})

test('settings and data are closed to other users, and each machine has keys of its own', async () => {
  expect(modeOf('/etc/trunkline/trunkline.env')).toBe('640')
  expect(modeOf('/etc/trunkline-agent/agent.json')).toBe('640')
  expect(modeOf('/var/lib/trunkline')).toBe('750')
  expect(modeOf('/var/lib/trunkline-agent')).toBe('700')
  expect(keyOf('encoder')).toMatch(/^[0-9a-f]{48}$/)
  expect(keyOf('acants')).toMatch(/^[0-9a-f]{48}$/)
  expect(keyOf('acants')).not.toBe(keyOf('encoder'))
  const other = ['setpriv', '--reuid', 'nobody', '--regid', 'nogroup', '--clear-groups']
  for (const command of ['trunkline', 'trunkline-agent']) {
    const ran = await machine.run(...other, command, 'doctor')
    expect(ran).toEqual({ code: 1, text: `Run this as root: sudo ${command} doctor\n` })
  }
})

test('the installed command adds the first superadmin, with the settings of the service', async () => {
  const settings = machine.path('/etc/trunkline/trunkline.env')
  // As an administrator does for hosts on this machine.
  const changed = readFileSync(settings, 'utf8').replace(/(LOCAL_HOSTS)=0/, '$1=1')
  writeFileSync(settings, changed)
  await machine.succeed('systemctl', 'restart', API)
  await untilPrinted(API, 'Trunkline listens on', 2)
  const address = ['--email', 'admin@trunkline.example']
  const added = await machine.succeed('trunkline', 'user', 'add', ...address, '--generate')
  password = /shown this once: (\S+)/.exec(added)?.[1] ?? ''
  expect(password).not.toBe('')
  const owners = await machine.succeed('find', '/var/lib/trunkline', '!', '-user', 'trunkline')
  expect(owners).toBe('')
  expect(modeOf('/var/lib/trunkline/data.key')).toBe('600')
  const help = await machine.succeed('trunkline', '--help')
  expect(help).toContain('  trunkline user add --email')
  expect(help).not.toContain('npx')
})

test('the agent reports its host, and runs an input that the console adds', async () => {
  const key = keyOf('acants')
  const reported = await step<Capabilities>('adapters', key)
  expect(reported).toMatchObject({
    adapters: [{ name: 'lo', ip: '127.0.0.1' }],
    localBus: { works: true },
  })
  expect(Object.keys(reported.tools)).toContain('srt-live-transmit')
  const { host } = await step<{ host: string }>('set-up', password, key)
  expect(host).toMatch(/^The host agent \S+ answers\.$/)
  await vi.waitFor(() => expect(stream()).toHaveLength(2), LIMIT)
})

test('both doctors find that all is well, and what an administrator may want to know', async () => {
  const ofConsole = await machine.run('trunkline', 'doctor')
  expect(ofConsole.text).toContain('ok     The API answers at 127.0.0.1:8080.')
  expect(ofConsole.text).toContain('ok     1 of 1 hosts answer.')
  expect(ofConsole).toMatchObject({ code: 0 })
  const named = ['--console', 'http://127.0.0.1:8080']
  const ofHost = await machine.run('trunkline-agent', 'doctor', ...named)
  expect(ofHost.text).toMatch(/^ok {5}supervisord runs/m)
  expect(ofHost.text).toMatch(/^ok {5}The UDP ports of all links are free or theirs\.$/m)
  expect(ofHost.text).toContain(
    'A console is linked to the seat acants (port 8010), from 127.0.0.1',
  )
  expect(ofHost.text).toContain('note   No console is linked to the seat encoder (port 8000).')
  expect(ofHost.text).toContain('The clock of the console and the clock of this machine agree.')
  expect(ofHost).toMatchObject({ code: 0 })
})

test('an upgrade restarts API and agent, keeps the settings, and touches no running stream', async () => {
  const before = stream()
  expect(before).toHaveLength(2)
  const [programs, ...others] = await Promise.all([PROGRAMS, API, AGENT].map(mainPid))
  const config = machine.read('/etc/trunkline-agent/agent.json')
  await install(nextDebs)
  await untilPrinted(AGENT, 'the agent is ready', 2)
  await untilPrinted(API, 'Trunkline listens on', 3)
  expect(await mainPid(PROGRAMS)).toBe(programs)
  const restarted = await Promise.all([API, AGENT].map(mainPid))
  expect(restarted.filter((pid) => others.includes(pid))).toEqual([])
  expect(stream()).toEqual(before)
  expect(machine.read('/etc/trunkline-agent/agent.json')).toBe(config)
  expect(machine.read('/etc/trunkline/trunkline.env')).toContain('LOCAL_HOSTS=1')
  expect(modeOf('/etc/trunkline/trunkline.env')).toBe('640')
})

test('what an administrator has stopped stays stopped over an upgrade', async () => {
  const before = stream()
  await machine.succeed('systemctl', 'stop', AGENT)
  await install(nextDebs)
  expect(await states()).toEqual(['active', 'inactive', 'active'])
  expect(stream()).toEqual(before)
  await machine.succeed('systemctl', 'start', AGENT)
  await untilPrinted(AGENT, 'the agent is ready', 3)
})

test('stopping the unit of the programs ends the streams, and starting it brings them back', async () => {
  await machine.succeed('systemctl', 'stop', PROGRAMS)
  expect(stream()).toEqual([])
  expect(await states()).toEqual(['active', 'active', 'inactive'])
  await machine.succeed('systemctl', 'start', PROGRAMS)
  await vi.waitFor(() => expect(stream()).toHaveLength(2), LIMIT)
})

test('F4 a killed supervisord is started again with its programs, and none runs twice', async () => {
  const before = stream().map(({ pid }) => pid)
  await machine.succeed('systemctl', 'kill', '--kill-who=main', '--signal=KILL', PROGRAMS)
  await vi.waitFor(() => {
    const now = stream()
    expect(now).toHaveLength(2)
    expect(now.filter(({ pid }) => before.includes(pid))).toEqual([])
  }, LIMIT)
})

test('the commands of the pages on hosts and on logs do what the pages say', async () => {
  const typed = (blocks: ReturnType<typeof blocksOfPage>) =>
    blocks.filter(({ language }) => language === 'sh').flatMap(({ text }) => commandsIn(text))
  const onHosts = typed(blocksOfPage('docs/operate/3-hosts.md'))
  expect((await machine.run('trunkline-agent', 'doctor')).text).toContain('hidepid')
  // The sources are not there: without its package the agent is started by a test of its own.
  for (const command of onHosts.filter((each) => !each.includes('packages/agent/dist'))) {
    await machine.succeed('sh', '-c', command)
  }
  expect((await machine.run('trunkline-agent', 'doctor')).text).not.toContain('hidepid')
  const words: Record<string, string> = { trunkline: 'listens on', 'trunkline-agent': 'is ready' }
  for (const command of typed(blocksOfPage('docs/operate/4-troubleshooting.md'))) {
    const found = words[/-u (\S+)/.exec(command)?.[1] ?? ''] ?? ''
    const search = command.replace('5f0c21a9b3de', `'${found}'`)
    expect(await machine.succeed('sh', '-c', search)).toContain(found)
  }
})

test('the service backs up into a folder that its unit names, and says so where it does not', async () => {
  const [safe, settings] = ['/mnt/safe', '/etc/trunkline/trunkline.env']
  const restart = async () => {
    const words = 'Trunkline listens on'
    const times = (await machine.journal(API)).split(words).length
    await machine.succeed('systemctl', 'restart', API)
    await untilPrinted(API, words, times)
  }
  const backUp = async () => {
    await step('back-up', password)
    return vi.waitFor(async () => {
      const last = await step<BackupRecord>('last-backup', password)
      expect(last.endedAt).not.toBeNull()
      return last
    }, LIMIT)
  }
  const before = machine.read(settings)
  await machine.succeed('install', '-d', '-o', 'trunkline', '-g', 'trunkline', '-m', '700', safe)
  writeFileSync(machine.path(settings), `${before}TRUNKLINE_BACKUP_DIR=${safe}\n`)
  await restart()
  expect((await backUp()).fault).toContain(`as ReadWritePaths=${safe} below [Service]`)
  const refused = await machine.run('trunkline', 'doctor')
  expect(refused.text).toMatch(/^WRONG {2}The last backup, .* failed\. .*ReadWritePaths=/m)
  const unit = `/etc/systemd/system/${API}.service.d`
  await machine.succeed('mkdir', unit)
  writeFileSync(machine.path(`${unit}/override.conf`), `[Service]\nReadWritePaths=${safe}\n`)
  await machine.succeed('systemctl', 'daemon-reload')
  await restart()
  const { file, fault } = await backUp()
  expect([fault, modeOf(file)]).toEqual(['', '600'])
  const checked = await machine.succeed('trunkline', 'restore', '--check', file)
  expect(checked).toContain(`${file} is whole`)
  expect((await machine.run('trunkline', 'doctor')).text).not.toContain('The last backup')
  await machine.succeed('cp', file, '/root/copy.db')
  const closed = await machine.run('trunkline', 'restore', '--check', '/root/copy.db')
  expect(closed.text).toContain('Let the user trunkline read it')
  await machine.succeed('systemctl', 'stop', API)
  const restored = await machine.succeed('trunkline', 'restore', file, '--replace')
  expect(restored).toContain(`What was there before is kept in ${safe}/`)
  writeFileSync(machine.path(settings), before)
  await machine.succeed('rm', '-r', unit, safe, '/root/copy.db')
  await machine.succeed('systemctl', 'daemon-reload')
  await restart()
  expect(await states()).toEqual(['active', 'active', 'active'])
})

test('removing keeps settings and data, purging leaves nothing but the users', async () => {
  await machine.succeed('dpkg', '--remove', 'trunkline', 'trunkline-agent')
  expect([...processesOf('/node'), ...stream()]).toEqual([])
  for (const gone of ['/usr/lib/trunkline', '/usr/lib/trunkline-agent', '/usr/bin/trunkline']) {
    expect(existsSync(machine.path(gone)), gone).toBe(false)
  }
  for (const kept of [
    '/etc/trunkline/trunkline.env',
    '/etc/trunkline-agent/agent.json',
    '/var/lib/trunkline/data/trunkline.db',
    '/var/lib/trunkline-agent/programs',
  ]) {
    expect(existsSync(machine.path(kept)), kept).toBe(true)
  }
  await machine.succeed('dpkg', '--purge', 'trunkline', 'trunkline-agent')
  expect(machine.changedFiles().filter((path) => path.includes('trunkline'))).toEqual([])
  const users = machine.read('/etc/passwd')
  expect(users).toMatch(/^trunkline:/m)
  expect(users).toMatch(/^trunkline-agent:/m)
})
