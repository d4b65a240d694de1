/** The states of a few objects as they are now, from the live stream that browsers hold open. */
import {
  type HostStatus,
  LIVE_PATH,
  LiveEvent,
  type ProgramStatus,
  type StreamStatus,
} from '@trunkline/contract/fleet/fleet.schema'
import {
  hostKey,
  programKey,
  streamKey,
  WATCHED_AT_MOST,
} from '@trunkline/contract/fleet/watch-key.rules'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { ClientConfig } from '../../config.ts'
import { openAnswer } from '../api.client.ts'

export interface LiveStates {
  /** All three by their watch keys. */
  programs: ReadonlyMap<string, ProgramStatus>
  hosts: ReadonlyMap<string, HostStatus>
  streams: ReadonlyMap<string, StreamStatus>
}

/** `keys`: watch keys. What this token may not see is missing. Throws CallRefused. */
export async function readStates(
  config: ClientConfig,
  keys: readonly string[],
): Promise<LiveStates> {
  const states = { programs: new Map(), hosts: new Map(), streams: new Map() }
  for (let from = 0; from < keys.length; from += WATCHED_AT_MOST) {
    await readPart(config, keys.slice(from, from + WATCHED_AT_MOST), states)
  }
  return states
}

interface Collected {
  programs: Map<string, ProgramStatus>
  hosts: Map<string, HostStatus>
  streams: Map<string, StreamStatus>
}

async function readPart(
  config: ClientConfig,
  keys: readonly string[],
  states: Collected,
): Promise<void> {
  const over = new AbortController()
  try {
    const body = JSON.stringify({ sequence: 0, keys })
    const init = { method: 'POST', body, signal: over.signal }
    const { body: bytes } = await openAnswer(config, LIVE_PATH, init)
    if (bytes === null) return
    const messages = bytes
      .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
      .pipeThrough(new EventSourceParserStream())
    for await (const { event, data } of messages) {
      const parsed = LiveEvent.safeParse({ event, data: JSON.parse(data) as unknown })
      // A newer API may tell more than this version knows.
      if (!parsed.success) continue
      if (parsed.data.event === 'watching') return
      collect(parsed.data, states)
    }
  } finally {
    over.abort()
  }
}

function collect(live: LiveEvent, { programs, hosts, streams }: Collected): void {
  if (live.event === 'program') programs.set(programKey(live.data.kind, live.data.id), live.data)
  if (live.event === 'host') hosts.set(hostKey(live.data.kind, live.data.id), live.data)
  if (live.event !== 'stream') return
  const { serverId, streamName } = live.data
  streams.set(streamKey(serverId, streamName), live.data)
}
