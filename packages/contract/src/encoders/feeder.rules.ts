/** What follows from the ports that are taken: which one is offered next. */
import { FEEDER_TARGET_PORT_STEP, FIRST_FEEDER_TARGET_PORT } from './feeder.calls.ts'

const HIGHEST_PORT = 65_535

/**
 * The target port of the next feeder to a server, from those that it is sent to already: the highest
 * and 2 (FEED-20, Q97), even as RTP wants it; above the last port the first gap. Null: none is free.
 */
export function nextTargetPort(taken: readonly number[]): number | null {
  const used = new Set(taken)
  const highest = Math.max(FIRST_FEEDER_TARGET_PORT - FEEDER_TARGET_PORT_STEP, ...used)
  const next = highest + FEEDER_TARGET_PORT_STEP
  if (next <= HIGHEST_PORT) return next
  const [gap] = listenPorts(used)
  return gap ?? null
}

/** From the first port of feeders on, in their steps, what is not taken: lowest first (Q158). */
export function* listenPorts(taken: ReadonlySet<number>): Generator<number> {
  for (let port = FIRST_FEEDER_TARGET_PORT; port <= HIGHEST_PORT; port += FEEDER_TARGET_PORT_STEP) {
    if (!taken.has(port)) yield port
  }
}
