/** Somebody who looks, without a browser. */
import { keysOfAll, openLiveStream } from '../kit/live-stream.ts'
import type { BenchSite } from '../kit/site.ts'

/** As a browser that shows everything: media servers are asked at the pace of somebody who looks. */
export async function showAll({ client }: BenchSite, signal: AbortSignal): Promise<void> {
  const response = await openLiveStream(client, await keysOfAll(client), signal)
  const drain = async () => {
    for await (const _ of response.body ?? []) continue
  }
  await drain().catch(() => undefined)
}
