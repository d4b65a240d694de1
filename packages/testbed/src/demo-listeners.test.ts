/** Where the media tools of a started demo site listen, as the kernel has it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { boundSockets, socketsOf, type BoundSocket } from '@trunkline/agent/host/free-port'
import { livingSupervisor } from '@trunkline/agent/supervisor/supervisor.process'
import { expect, test, vi } from 'vitest'
import { openDemoSite } from './demo.ts'

/** A port that the kernel chose is a caller's: nobody can know it beforehand. */
const [firstCallerPort = 0, lastCallerPort = 0] = readFileSync(
  '/proc/sys/net/ipv4/ip_local_port_range',
  'utf8',
)
  .trim()
  .split(/\s+/)
  .map(Number)

test('the media of a demo site listens on loopback and multicast groups alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-demo-ports-'))
  try {
    await using site = await openDemoSite({
      dataDir: join(folder, 'data'),
      password: 'correct-horse-battery',
    })
    const ports = Object.values(site.plan.ports)
    const listeners = await vi.waitFor(
      () => {
        const found = boundBelow(supervisorOf(site.dataDir)).filter(isListener)
        expect(found.map(({ port }) => port)).toEqual(expect.arrayContaining(ports))
        return found
      },
      { timeout: 60_000, interval: 200 },
    )
    expect(listeners.filter(({ ip }) => !isLoopbackOrGroup(ip))).toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

function supervisorOf(dataDir: string): number {
  const pid = livingSupervisor(join(dataDir, 'agent'))?.pid
  if (pid === undefined) throw new Error('The supervisord of the demo site does not run.')
  return pid
}

/** UDP sockets of every process below `pid`. */
function boundBelow(pid: number): BoundSocket[] {
  const own = new Set(familyOf(pid).flatMap(socketsOf))
  return boundSockets().filter(({ inode }) => own.has(inode))
}

function familyOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(familyOf)]
}

function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return text.trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function isListener({ port }: BoundSocket): boolean {
  return port < firstCallerPort || port > lastCallerPort
}

function isLoopbackOrGroup(ip: string): boolean {
  const first = Number(ip.split('.')[0])
  return first === 127 || (first >= 224 && first <= 239)
}
