/** Somebody who reads a list again and again. */
import { setTimeout as pause } from 'node:timers/promises'
import { listGroups } from '@trunkline/contract/groups/group.calls'
import { callApi, type Client } from '@trunkline/testbed/api-client'

const PAUSE_MS = 20

/** Answers how long each answer took, in milliseconds. Throws when reading is refused. */
export async function readFor(client: Client, durationMs: number): Promise<number[]> {
  const endMs = performance.now() + durationMs
  const tookMs: number[] = []
  while (performance.now() < endMs) {
    const startedMs = performance.now()
    await callApi(client, listGroups, {})
    tookMs.push(performance.now() - startedMs)
    await pause(PAUSE_MS)
  }
  return tookMs
}
