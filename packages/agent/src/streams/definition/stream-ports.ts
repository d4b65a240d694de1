/** Ports and addresses of this host and of others, for the programs of streams. */
import { lookup } from 'node:dns/promises'
import { CommandRefused } from '../../commands/refused.ts'
import { isUdpPortFree } from '../../host/free-port.ts'
import { StreamRefused } from './stream.refusal.ts'
import { listenPorts } from './stream.rules.ts'
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

export async function findAddress(host: string): Promise<string> {
  try {
    return (await lookup(host, { family: 4 })).address
  } catch {
    throw new CommandRefused(
      `this host cannot find the address of '${host}'. Check the name, or the host's name service.`,
    )
  }
}
