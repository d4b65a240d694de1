/** Puts a stream on the channel server as an operator of a media server would, and plays it. */
import { playbackToken } from '@trunkline/api/channels/playback-token.rules'
import { tokenQuery } from '@trunkline/contract/channels/playback-token.rules'
import type { SitePlan } from './site-plan.ts'

interface StreamBody {
  title?: string
  inputs: { url: string }[]
  pushes?: { url: string }[]
}

export async function putStream(plan: SitePlan, name: string, body: StreamBody): Promise<void> {
  await putStreamAt({ host: '127.0.0.1', ...plan.seats.channel }, name, body)
}

export async function putStreamAt(
  { host, port, key }: { host: string; port: number; key: string },
  name: string,
  body: StreamBody,
): Promise<void> {
  const response = await fetch(`http://${host}:${port}/streamer/api/v3/streams/${name}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) {
    throw new Error(`The channel server refused stream '${name}': ${await response.text()}`)
  }
}

const LINK_VALID_S = 24 * 3600

/** A playback link of a day to the channel server, for players beside the console. */
export function playlistAddress(plan: SitePlan, name: string): string {
  const { port, key } = plan.seats.channel
  const expiresAtS = Math.floor(Date.now() / 1000) + LINK_VALID_S
  const token = playbackToken(key, name, expiresAtS)
  return `http://127.0.0.1:${port}/${name}/index.m3u8${tokenQuery(token)}`
}
