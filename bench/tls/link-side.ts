/**
 * The links of one API process to a fleet, in a process of their own: what their set-up, their memory
 * and their beats cost. Its parent says to which port and with which certificate.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { createSecureContext } from 'node:tls'
import { DialPace } from '@trunkline/api/hosts/pace/dial-pace'
import type { HostAccess } from '@trunkline/api/hosts/certificates/host-access'
import { HostLink } from '@trunkline/api/hosts/host-link'
import { LINK_TIMING } from '@trunkline/api/hosts/link-timing'
import { mapInSlices, TasksInSlices } from '@trunkline/api/in-slices'
import { dialGuard } from '@trunkline/api/security/host-guard'
import pino from 'pino'
import { addressOf } from '../kit/fleet/fake-fleet.ts'

export interface LinkOrder {
  port: number
  hosts: number
  beatForMs: number
  /** PEM; null: by a key. */
  certificate: { key: string; cert: string; ca: string; keyHash: string } | null
}

export interface LinkCost {
  setUpMs: number
  setUpCpuMs: number
  /** Beyond the memory of the process before. */
  residentBytes: number
  beatCpuMs: number
  beatMs: number
  /** Dials over TLS that did not lead to a link. */
  failedDials: number
}

const SETTLE_MS = 5000
const LOOK_MS = 100

process.once('message', (order: LinkOrder) => {
  void measure(order).then((cost) => process.send?.(cost))
})
process.on('disconnect', () => process.exit(0))

async function measure({ port, hosts, beatForMs, certificate }: LinkOrder): Promise<LinkCost> {
  let dials = 0
  const access = accessOf(certificate, () => (dials += 1))
  const [pace, turns] = [new DialPace(), new TasksInSlices()]
  const log = pino({ level: 'silent' })
  const guard = dialGuard({ allowLocalHosts: true, hostPorts: null })
  collect()
  const before = { resident: process.memoryUsage().rss, cpu: process.cpuUsage() }
  const startMs = performance.now()
  const links: HostLink[] = []
  const clock = Date.now
  const timing = LINK_TIMING
  const numbers = Array.from({ length: hosts }, (_, host) => host)
  await mapInSlices(numbers, (host) => {
    const address = { host: addressOf(host), port }
    const onEvent = () => undefined
    links[host] = new HostLink({ address, access, timing, clock, log, guard, pace, turns, onEvent })
  })
  while (links.some(({ status }) => !status.online)) await pause(LOOK_MS)
  const setUpMs = performance.now() - startMs
  const setUpCpuMs = cpuMsSince(before.cpu)
  await pause(SETTLE_MS)
  collect()
  const residentBytes = process.memoryUsage().rss - before.resident
  const [beatStartMs, beatCpu] = [performance.now(), process.cpuUsage()]
  await pause(beatForMs)
  const [beatCpuMs, beatMs] = [cpuMsSince(beatCpu), performance.now() - beatStartMs]
  for (const link of links) link.close()
  const failedDials = Math.max(0, dials - hosts)
  return { setUpMs, setUpCpuMs, residentBytes, beatCpuMs, beatMs, failedDials }
}

function accessOf(certificate: LinkOrder['certificate'], onDial: () => void): HostAccess {
  if (certificate === null) return { by: 'key', key: 'key-of-the-fleet' }
  const { key, cert, ca, keyHash } = certificate
  const context = createSecureContext({ key, cert, ca, minVersion: 'TLSv1.3' })
  const [issuedAt, endsAt] = [new Date(0).toISOString(), new Date().toISOString()]
  const pins = [{ keyHash, issuedAt, endsAt }]
  const secureContext = () => {
    onDial()
    return context
  }
  return { by: 'certificate', pins, keyMeanwhile: null, secureContext }
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** With --expose-gc. */
function collect(): void {
  globalThis.gc?.()
}
