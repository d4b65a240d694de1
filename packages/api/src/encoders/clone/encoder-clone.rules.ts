/** Where the outputs of a cloned encoder send to: one target has one sender on a host (decisions.md 11). */
import {
  formatTarget,
  parseTarget,
  type EncoderOutput,
} from '@trunkline/contract/encoders/encoder-config.schema'
import type { z } from 'zod'

type Output = z.output<typeof EncoderOutput>

/** Even stays even: RTP has its control packets on the port above. */
const STEP = 2
const FIRST_PORT = 1024
const LAST_PORT = 65_535

export interface FreedOutputs {
  outputs: Output[]
  /** What was changed, a sentence each. */
  warnings: string[]
}

/**
 * Targets that somebody feeds already get the next free port; `takenPorts`: of each target address.
 * Null when an address has no free port left.
 */
export function freedOutputs(
  outputs: readonly Output[],
  takenPorts: ReadonlyMap<string, ReadonlySet<number>>,
): FreedOutputs | null {
  const own = Map.groupBy(outputs.flatMap(placeOf), ({ host }) => host)
  const reserved = new Map(
    [...own].map(([host, places]) => {
      const taken = takenPorts.get(host) ?? []
      return [host, new Set([...taken, ...places.map(({ port }) => port)])]
    }),
  )
  const freed: FreedOutputs = { outputs: [], warnings: [] }
  for (const [index, output] of outputs.entries()) {
    const parsed = parseTarget(output.target)
    if (parsed === null || takenPorts.get(parsed.host)?.has(parsed.port) !== true) {
      freed.outputs.push(output)
      continue
    }
    const busy = reserved.get(parsed.host) ?? new Set()
    const port = nextFreePort(parsed.port, busy)
    if (port === null) return null
    busy.add(port)
    const target = formatTarget({ ...parsed, port })
    freed.outputs.push({ ...output, target })
    freed.warnings.push(
      `Output ${index + 1} of the copy sends to ${target}: port ${parsed.port} of ${parsed.host} is taken on this host.`,
    )
  }
  return freed
}

function placeOf({ target }: Output): { host: string; port: number }[] {
  const parsed = parseTarget(target)
  return parsed === null ? [] : [parsed]
}

/** Above the taken one first, then from the lowest. */
export function nextFreePort(taken: number, busy: ReadonlySet<number>): number | null {
  for (let port = taken + STEP; port <= LAST_PORT; port += STEP) if (!busy.has(port)) return port
  for (let port = FIRST_PORT + (taken % STEP); port < taken; port += STEP) {
    if (!busy.has(port)) return port
  }
  return null
}
