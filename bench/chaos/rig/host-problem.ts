/** The problem of a host, as the console shows it. */
import { readLive } from '@trunkline/contract/fleet/fleet.calls'
import type { HostProblem } from '@trunkline/contract/fleet/fleet.schema'
import { callApi, type Client } from '@trunkline/testbed/api-client'
import { setTimeout as pause } from 'node:timers/promises'
import type { MediaHost } from './media-site.ts'

const LOOK_MS = 100

/** Waits until that problem is shown, or no longer is; answers its sentence, '' once it is gone. */
export async function untilProblem(
  client: Client,
  { serverId }: MediaHost,
  kind: HostProblem['kind'],
  isShown: boolean,
): Promise<string> {
  for (;;) {
    const { data } = await callApi(client, readLive, {})
    const problem = data.hosts.find(({ id }) => id === serverId)?.problem
    const isThere = problem?.kind === kind
    if (isThere === isShown) return isThere ? problem.sentence : ''
    await pause(LOOK_MS)
  }
}
