/** Three fresh machines with Debian on a network of their own, and commands typed at each. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Machine } from '../package/machine.fixture.ts'

const BRIDGE = 'lan'
/** Of whoever walks: their browser, and the way to Debian's archive. */
const OWN_IP = '10.0.0.1'
export const PROXY_PORT = 3142

export interface WalkMachine {
  readonly name: string
  readonly ip: string
  readonly machine: Machine
}

export function makeNetwork(): void {
  for (const args of [
    ['link', 'set', 'lo', 'up'],
    ['link', 'add', BRIDGE, 'type', 'bridge'],
    ['addr', 'add', `${OWN_IP}/24`, 'dev', BRIDGE],
    ['link', 'set', BRIDGE, 'up'],
  ]) {
    execFileSync('ip', args)
  }
}

/**
 * `base`: a folder with a Debian as debootstrap makes it. `names`: addresses by name, in place of a name
 * server. `files`: copied to /root.
 */
export async function openMachine(
  { name, ip }: Pick<WalkMachine, 'name' | 'ip'>,
  {
    base,
    names,
    files,
  }: { base: string; names: Readonly<Record<string, string>>; files: readonly string[] },
): Promise<WalkMachine> {
  const machine = await Machine.open(base)
  await machine.plugIn(BRIDGE, ip)
  await machine.succeed('hostname', name)
  const hosts = Object.entries({ localhost: '127.0.0.1', [name]: '127.0.1.1', ...names })
  writeFileSync(machine.path('/etc/hostname'), `${name}\n`)
  writeFileSync(
    machine.path('/etc/hosts'),
    hosts.map(([host, address]) => `${address} ${host}\n`).join(''),
  )
  writeFileSync(
    machine.path('/etc/apt/apt.conf.d/99proxy'),
    `Acquire::http::Proxy "http://${OWN_IP}:${PROXY_PORT}";\n`,
  )
  for (const file of files) {
    writeFileSync(join(machine.path('/root'), basename(file)), readFileSync(file))
  }
  return { name, ip, machine }
}
