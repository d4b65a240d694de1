/** How long changes on hosts take to reach the viewers that show these hosts, and which never do. */
import { addressOf, type FakeFleet } from './fleet/fake-fleet.ts'
import { median, percentile, round } from './figure.ts'
import type { Watched } from './fleet-site.ts'

/** API or relay. */
export interface Served {
  watch: (page: readonly number[]) => Promise<Watched>
}

/** No two changes of a bench have the same cause. */
let changes = 0

export class ViewerLatencies implements AsyncDisposable {
  readonly latenciesMs: number[] = []
  readonly #viewers = new AsyncDisposableStack()
  readonly #pages: (readonly number[])[] = []
  readonly #sentAtMs = new Map<string, number>()
  #expected = 0

  /** One more viewer, who shows these hosts. */
  async watch({ watch }: Served, page: readonly number[]): Promise<void> {
    const viewer = this.#viewers.use(await watch(page))
    this.#pages.push(page)
    const heard = new Set<string>()
    viewer.onCause((cause) => {
      const sentMs = this.#sentAtMs.get(cause)
      // A later report of the same program may still carry it.
      if (sentMs === undefined || heard.has(cause)) return
      heard.add(cause)
      this.latenciesMs.push(performance.now() - sentMs)
    })
  }

  /** Changes the program of that host. */
  change(fleet: FakeFleet, host: number): void {
    const cause = `change ${changes++}`
    this.#expected += this.#pages.filter((page) => page.includes(host)).length
    this.#sentAtMs.set(cause, performance.now())
    fleet.change(addressOf(host), cause)
  }

  /** Changes that a viewer who shows the host was not told of. */
  get missed(): number {
    return this.#expected - this.latenciesMs.length
  }

  /** The viewers leave; what was measured stays. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#viewers.disposeAsync()
  }
}

export function latencyFigures(rounds: readonly ViewerLatencies[]) {
  const latenciesMs = rounds.flatMap((each) => each.latenciesMs)
  return {
    p50Ms: round(median(latenciesMs)),
    p95Ms: round(percentile(latenciesMs, 95)),
    heard: latenciesMs.length,
    missed: rounds.reduce((sum, { missed }) => sum + missed, 0),
  }
}
