/** A browser that shows how many things are in which state, and nothing else. */
import type { CountedKind, FleetCounts } from '@trunkline/contract/fleet/fleet.schema'
import { countsKey } from '@trunkline/contract/fleet/watch-key.rules'
import type { Client } from '@trunkline/testbed/api-client'
import { framesOf, openLiveStream } from './live-stream.ts'

interface CountsStream extends AsyncDisposable {
  /** Resolves once the counts are so. */
  until(isSo: (counts: FleetCounts) => boolean): Promise<void>
}

export async function watchCounts(client: Client, kind: CountedKind): Promise<CountsStream> {
  const end = new AbortController()
  const response = await openLiveStream(client, [countsKey(kind, '')], end.signal)
  if (!response.ok) throw new Error(`The live stream is refused: ${response.status}.`)
  let newest: FleetCounts | null = null
  let onNews: () => void = () => undefined
  const read = async () => {
    for await (const frame of framesOf(response.body)) {
      if (!frame.startsWith('event: counts\n')) continue
      newest = JSON.parse(frame.slice(frame.indexOf('data: ') + 'data: '.length)) as FleetCounts
      onNews()
    }
  }
  const ended = read().catch(() => undefined)
  return {
    async until(isSo) {
      while (newest === null || !isSo(newest)) {
        await new Promise<void>((resolve) => {
          onNews = resolve
        })
      }
    },
    async [Symbol.asyncDispose]() {
      end.abort()
      await ended
    },
  }
}
