/** What follows from the ports that are taken: which one is offered next. */
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
