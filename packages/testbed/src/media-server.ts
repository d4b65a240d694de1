/** Puts a stream on the channel server as an operator of a media server would. */
import type { SitePlan } from './site-plan.ts'

export async function putStream(
  plan: SitePlan,
  name: string,
  body: { title?: string; inputs: { url: string }[]; pushes?: { url: string }[] },
): Promise<void> {
  const { port, key } = plan.seats.channel
  const response = await fetch(`http://127.0.0.1:${port}/streamer/api/v3/streams/${name}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) {
    throw new Error(`The channel server refused stream '${name}': ${await response.text()}`)
  }
}
