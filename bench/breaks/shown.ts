/** The site of breaks with all well, while somebody looks, without a browser. */
import { keysOfAll, openLiveStream } from '../kit/live-stream.ts'
import type { BenchSite } from '../kit/site.ts'
import { untilWell } from './measure.ts'
import { openBreakSite, type BreakSite } from './site.ts'

interface ShownSite extends AsyncDisposable {
  on: BreakSite
  /** When nobody looks any more. */
  ending: AbortSignal
}

export async function openShownSite(): Promise<ShownSite> {
  await using life = new AsyncDisposableStack()
  const on = life.use(await openBreakSite())
  await on.site.picture()
  await untilWell(on.site)
  const page = new AbortController()
  const shown = showAll(on.site, page.signal)
  life.defer(async () => {
    page.abort()
    await shown
  })
  const end = life.move()
  return { on, ending: page.signal, [Symbol.asyncDispose]: async () => end.disposeAsync() }
}

/** As a browser that shows everything: media servers are asked at the pace of somebody who looks. */
async function showAll({ client }: BenchSite, signal: AbortSignal): Promise<void> {
  const response = await openLiveStream(client, await keysOfAll(client), signal)
  const drain = async () => {
    for await (const _ of response.body ?? []) continue
  }
  await drain().catch(() => undefined)
}
