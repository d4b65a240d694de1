/** A browser's end of the live stream, that shows everything. */
import { readLive } from '@trunkline/contract/fleet/fleet.calls'
import { LIVE_PATH } from '@trunkline/contract/fleet/fleet.schema'
import { hostKey, programKey, streamKey } from '@trunkline/contract/fleet/watch-key.rules'
import { callApi, type Client } from '@trunkline/testbed/api-client'

/** Of all that this person sees now. */
export async function keysOfAll(client: Client): Promise<string[]> {
  const { data } = await callApi(client, readLive, {})
  return [
    ...data.programs.map(({ kind, id }) => programKey(kind, id)),
    ...data.hosts.map(({ kind, id }) => hostKey(kind, id)),
    ...data.streams.map(({ serverId, streamName }) => streamKey(serverId, streamName)),
  ]
}

export async function openLiveStream(
  { baseUrl, token }: Client,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<Response> {
  return fetch(`${baseUrl}${LIVE_PATH}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sequence: 0, keys }),
    signal,
  })
}

/** Each message of the stream, as its lines stand there. */
export async function* framesOf(body: Response['body']): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body ?? []) {
    const frames = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split('\n\n')
    rest = frames.pop() ?? ''
    yield* frames
  }
}
