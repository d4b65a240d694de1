/** How long programs run, as a browser works it out: by the API's clock. */
import { readLive } from '@trunkline/contract/fleet/fleet.calls'
import { callApi, type Client } from '@trunkline/testbed/api-client'
import { round } from '../../kit/figure.ts'

/** An uptime is shown in seconds. */
export const UPTIME_MS = 2000

/** By id of the input or output; of those that run. */
export type Uptimes = ReadonlyMap<string, number>

export async function readUptimes(client: Client): Promise<Uptimes> {
  const { data } = await callApi(client, readLive, {})
  return new Map(
    data.programs.flatMap(({ id, startedAtMs }) =>
      startedAtMs === null ? [] : [[id, data.atMs - startedAtMs] as const],
    ),
  )
}

/** By how many milliseconds each of them is off, `passedMs` after `before`. */
export function uptimeErrors(before: Uptimes, now: Uptimes, passedMs: number): number[] {
  return [...now].map(([id, uptimeMs]) => {
    const expectedMs = (before.get(id) ?? uptimeMs - passedMs) + passedMs
    return round(Math.abs(uptimeMs - expectedMs))
  })
}
