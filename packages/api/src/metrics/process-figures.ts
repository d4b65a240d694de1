/** What this process takes, for its metrics. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { ProcessFigures } from '@trunkline/contract/metrics/metric.rules'

const RESOLUTION_MS = 20
const US_PER_S = 1e6
const NS_PER_S = 1e9

/** Measures the event loop from the first question on, so that who is not scraped pays nothing. */
export class ProcessWatch implements Disposable {
  #delay: ReturnType<typeof monitorEventLoopDelay> | null = null

  read(): ProcessFigures {
    const delay = this.#delay ?? this.#begin()
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed } = process.memoryUsage()
    const figures = {
      cpuSeconds: (user + system) / US_PER_S,
      residentBytes: rss,
      heapUsedBytes: heapUsed,
      startedAtS: (performance.timeOrigin / 1000) | 0,
      loopDelayP50S: delay.percentile(50) / NS_PER_S,
      loopDelayP99S: delay.percentile(99) / NS_PER_S,
      loopDelayMaxS: delay.count === 0 ? 0 : delay.max / NS_PER_S,
    }
    delay.reset()
    return figures
  }

  #begin(): ReturnType<typeof monitorEventLoopDelay> {
    const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
    delay.enable()
    this.#delay = delay
    return delay
  }

  [Symbol.dispose](): void {
    this.#delay?.disable()
  }
}
