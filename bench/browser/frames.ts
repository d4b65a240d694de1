/** How smooth a page is: the time between its frames, while it is left alone or scrolled. */
import type { CDPSession, Page } from '@playwright/test'

/** Milliseconds between frames for so long. `scroller`: what is scrolled meanwhile, 'window' or a selector; '' for nothing. */
export async function framesOf(
  page: Page,
  { durationMs, scroller = '' }: { durationMs: number; scroller?: string },
): Promise<number[]> {
  return page.evaluate(watchFrames, { durationMs, scroller })
}

/** Runs in the page. */
async function watchFrames({
  durationMs,
  scroller,
}: {
  durationMs: number
  scroller: string
}): Promise<number[]> {
  const STEP_PX = 300
  const gaps: number[] = []
  const element = scroller === '' || scroller === 'window' ? null : document.querySelector(scroller)
  const { promise, resolve } = Promise.withResolvers<number[]>()
  const startedAt = performance.now()
  let last = Number.NaN
  const frame = (now: number) => {
    if (!Number.isNaN(last)) gaps.push(now - last)
    last = now
    if (now - startedAt > durationMs) return resolve(gaps)
    if (scroller === 'window') window.scrollBy(0, STEP_PX)
    element?.scrollBy(0, STEP_PX)
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  return promise
}

export async function nodesOf(page: Page): Promise<number> {
  return page.evaluate(() => document.querySelectorAll('*').length)
}

/** Of the page's own scripts, once what is not used any longer is gone. */
export async function heapMegabytesOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 1024 / 1024
}
