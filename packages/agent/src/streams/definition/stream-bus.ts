/**
 * Where the legs of the channel server come from, a network of groups and the port that is given first,
 * and which ports and addresses streams may use on this host.
 */
import { randomInt } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { CommandRefused } from '../../commands/refused.ts'
import { readJson } from '../../host/files.ts'
import { isUdpPortFree } from '../../host/free-port.ts'
import { writePrivate } from '../../supervisor/private-file.ts'
import { StreamRefused } from './stream.refusal.ts'
import { BUS_PORTS, FIRST_BUS_PORT, listenPorts } from './stream.rules.ts'
import type { StoredStream } from './stream.schema.ts'

const BusFile = z.object({
  /** '239.78': the first two numbers of every group. */
  network: z.string().regex(/^239\.\d{1,3}$/),
  firstPort: z.number().int(),
})
export type StreamBus = z.output<typeof BusFile>

/** Networks are drawn from 239.64 to 239.127; APIs draw theirs from above (api/.../bus.rules.ts). */
const FIRST_NETWORK = 64
const NETWORKS = 64

/**
 * As kept in the channel server's folder; drawn anew when there is none, or when programs that are
 * not ours use its groups. `named`: the network of the agent's configuration, whoever else uses it.
 */
export function openStreamBus(
  folder: string,
  named: string | undefined,
  foreignGroups: ReadonlySet<string>,
): StreamBus {
  const isForeign = (network: string) =>
    [...foreignGroups].some((ip) => ip.startsWith(`${network}.`))
  // Where it cannot be read another is drawn; stored legs stay as they are.
  const known = readJson(busFile(folder), BusFile)
  if (known && (named === undefined ? !isForeign(known.network) : named === known.network)) {
    return known
  }
  const bus = {
    network: named ?? drawNetwork(isForeign),
    firstPort: known?.firstPort ?? FIRST_BUS_PORT + randomInt(BUS_PORTS),
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writePrivate(busFile(folder), JSON.stringify(bus))
  return bus
}

/** Any, and from there the next that nobody uses; the first one when all are used. */
function drawNetwork(isForeign: (network: string) => boolean): string {
  const start = randomInt(NETWORKS)
  const all = Array.from(
    { length: NETWORKS },
    (_, step) => `239.${FIRST_NETWORK + ((start + step) % NETWORKS)}`,
  )
  return all.find((network) => !isForeign(network)) ?? `239.${FIRST_NETWORK + start}`
}

/** The next port from the bus's own first one on that no program of this host has; null when there is none. */
export function pickBusPort({ firstPort }: StreamBus, taken: ReadonlySet<number>): number | null {
  for (let step = 0; step < BUS_PORTS; step++) {
    const port = FIRST_BUS_PORT + ((firstPort - FIRST_BUS_PORT + step) % BUS_PORTS)
    if (!taken.has(port) && isUdpPortFree(port)) return port
  }
  return null
}

function busFile(folder: string): string {
  return join(folder, 'bus.json')
}

/** Ports that the stream did not have before; its own programs hold the others. */
export function refuseTakenPorts(before: StoredStream | null, stream: StoredStream): void {
  if (stream.disabled) return
  const own = new Set(before && !before.disabled ? listenPorts(before) : [])
  const taken = listenPorts(stream).find((port) => !own.has(port) && !isUdpPortFree(port))
  if (taken === undefined) return
  throw new StreamRefused(
    'inputs',
    `need UDP port ${taken}, which another program of this host uses. Choose another port.`,
  )
}

export async function findAddress(host: string): Promise<string> {
  try {
    return (await lookup(host, { family: 4 })).address
  } catch {
    throw new CommandRefused(
      `this host cannot find the address of '${host}'. Check the name, or the host's name service.`,
    )
  }
}
