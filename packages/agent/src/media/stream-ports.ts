/** Ports and addresses of this host and of others, for the programs of streams. */
import { randomInt } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { CommandRefused } from '../commands/refused.ts'
import { isUdpPortFree } from '../host/free-port.ts'
import { StreamRefused } from './stream.refusal.ts'
import { BUS_PORTS, FIRST_BUS_PORT, listenPorts } from './stream.rules.ts'
import type { StoredStream } from './stream.schema.ts'

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

/**
 * Any free one, not the lowest: two agents on one machine, as in tests, must not pick the same port
 * before either has opened it, or their pictures mix.
 */
export function pickBusPort(taken: ReadonlySet<number>): number | null {
  const start = randomInt(BUS_PORTS)
  for (let step = 0; step < BUS_PORTS; step++) {
    const port = FIRST_BUS_PORT + ((start + step) % BUS_PORTS)
    if (!taken.has(port) && isUdpPortFree(port)) return port
  }
  return null
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
