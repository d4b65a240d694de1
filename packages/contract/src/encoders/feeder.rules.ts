/** Where a feeder reads and sends: its address on the host, and which target port is offered next. */
import type { Feeder } from './encoder-config.schema.ts'
import { FEEDER_TARGET_PORT_STEP, FIRST_FEEDER_TARGET_PORT } from './feeder.calls.ts'

const HIGHEST_PORT = 65_535

/**
 * From the first port of feeders on, in their steps, what is not taken: lowest first (Q97, Q158).
 * Even, as RTP and RIST Simple want it.
 */
export function* offeredPorts(taken: ReadonlySet<number>): Generator<number> {
  for (let port = FIRST_FEEDER_TARGET_PORT; port <= HIGHEST_PORT; port += FEEDER_TARGET_PORT_STEP) {
    if (!taken.has(port)) yield port
  }
}

/** Feeders read what their encoder sends on the host itself. */
export const LOCAL_IP = '127.0.0.1'

/** Where a feeder that is saved reads: as before; `before` null: a new one. */
export function feederInputIp(before: Pick<Feeder, 'input'> | null): string {
  return before?.input.addr.split(':')[0] ?? LOCAL_IP
}
