/**
 * Some hosts of the proof dial-in-fleet: connecting as agents do, or only setting up TLS, which is the floor below which
 * no link comes. Their parent says what they do, one order after another.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { RightHost, type EnrolledHost } from '../dial-in-hosts.ts'

export type HostsOrder =
  | { do: 'open'; port: number; hosts: readonly (EnrolledHost & { number: number })[] }
  | { do: 'connect' }
  /** All lose their links and connect again, from where they were or from elsewhere. */
  | { do: 'cut'; moves: boolean }
  /** The API goes away and comes back by itself. */
  | { do: 'await' }
  | { do: 'shake hands'; port: number }

/** Of one order, once it is carried out. */
export interface HostsAnswer {
  /** Hosts that had no link in time. */
  missing: number
  /** Connections that were begun. */
  dials: number
  cpuMs: number
}

const BARE_AT_ONCE = 4
/** Nobody waits longer. */
const GIVEN_UP_AFTER_MS = 240_000

let hosts: RightHost[] = []

process.on('message', (order: HostsOrder) => {
  const [dialsBefore, cpuBefore] = [RightHost.dials, process.cpuUsage()]
  void carryOut(order).then((missing) => {
    const { user, system } = process.cpuUsage(cpuBefore)
    const answer: HostsAnswer = {
      missing,
      dials: RightHost.dials - dialsBefore,
      cpuMs: (user + system) / 1000,
    }
    process.send?.(answer)
  })
})
process.on('disconnect', () => process.exit(0))

/** Answers how many hosts have no link. */
async function carryOut(order: HostsOrder): Promise<number> {
  if (order.do === 'open') {
    hosts = order.hosts.map((each) => new RightHost(order.port, 'known', each.number, each))
    return 0
  }
  if (order.do === 'shake hands') {
    await shakeHands(order.port)
    return 0
  }
  const sinceMs = performance.now()
  const linked = Promise.all(hosts.map(async (host) => host.linkedSince(sinceMs)))
  if (order.do === 'connect') for (const host of hosts) host.connect()
  if (order.do === 'cut') {
    for (const host of hosts) {
      if (order.moves) host.move()
      host.cut()
    }
  }
  await Promise.race([linked, pause(GIVEN_UP_AFTER_MS, undefined, { ref: false })])
  return hosts.filter((host) => host.backAfterMs(sinceMs) === Infinity).length
}

/** Each host once, a few at a time. */
async function shakeHands(port: number): Promise<void> {
  const waiting = hosts.values()
  const some = async () => {
    for (const host of waiting) await host.shakeHands(port)
  }
  await Promise.all(Array.from({ length: BARE_AT_ONCE }, some))
}
