/**
 * The site with links, two browsers and somebody who saves: what each round of a fault did to them is
 * recorded, and compared with the models at the end.
 */
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '@trunkline/api/db/open'
import { programIdOf } from '@trunkline/api/programs/wanted-program'
import { numberOf } from '../../kit/settings.ts'
import { atMost, percentile, round, spread, type Goal } from '../../kit/figure.ts'
import {
  openMediaSite,
  type MediaHost,
  type MediaLink,
  type MediaSite,
  type MoreOfMediaSite,
} from './media-site.ts'
import { touchedPrograms, untrueStates, wrongStates } from './rig-model.ts'
import { ShownRecord, type ShownProgram } from './shown.ts'
import { checkStored, type StoredFaults } from './stored.ts'
import { processesOn, statesOn, type RunningProcesses } from './truth.ts'
import { Writer, writtenKinds } from './writers.ts'

const BROWSERS = 2
/** Of whoever saves all the time. */
const SAVE_EVERY_MS = 200
/** Only ends what hangs. */
const TRUTH_LIMIT_MS = 60_000
const LOOK_MS = 50

/** What may change in a round; of a fault of the control plane nothing. */
export interface Touched {
  links: readonly MediaLink[]
}

const NOT_SHOWN = { state: 'unknown', pid: null } as const

export const NOTHING: Touched = { links: [] }

export class MediaRig implements AsyncDisposable {
  readonly site: MediaSite
  readonly browsers: readonly ShownRecord[]
  readonly #life: AsyncDisposableStack
  readonly #writer: Writer
  readonly #loadBefore = loadavg()[0] ?? 0
  readonly #found = { touched: [] as string[], wrong: [] as string[], untrue: [] as string[] }
  readonly #truthMs: number[] = []
  #continuityErrors = 0
  #rounds = 0

  private constructor(
    life: AsyncDisposableStack,
    parts: { site: MediaSite; browsers: ShownRecord[]; writer: Writer },
  ) {
    this.#life = life
    this.site = parts.site
    this.browsers = parts.browsers
    this.#writer = parts.writer
  }

  /** `CHAOS_LINKS`: from each of the three hosts to the next. */
  static async open(more: MoreOfMediaSite = {}): Promise<MediaRig> {
    await using life = new AsyncDisposableStack()
    const site = life.use(await openMediaSite(numberOf('CHAOS_LINKS', 4), more))
    const browsers: ShownRecord[] = []
    while (browsers.length < BROWSERS) browsers.push(life.use(await ShownRecord.open(site.client)))
    const [, kind] = writtenKinds(site.home)
    if (kind === undefined) throw new Error('There are kinds.')
    return new MediaRig(life.move(), { site, browsers, writer: new Writer('w0', kind) })
  }

  /** A browser; both show the same. */
  get shown(): ShownRecord {
    const [first] = this.browsers
    if (first === undefined) throw new Error('There are browsers.')
    return first
  }

  hostOf(at: number): MediaHost {
    const host = this.site.hosts[at % this.site.hosts.length]
    if (host === undefined) throw new Error('There are hosts.')
    return host
  }

  linkOf(at: number): MediaLink {
    const link = this.site.links[at % this.site.links.length]
    if (link === undefined) throw new Error('There are links.')
    return link
  }

  /** Links of which an end is on this host. */
  linksOn(host: MediaHost): MediaLink[] {
    return this.site.links.filter(({ sender, receiver }) => sender === host || receiver === host)
  }

  /**
   * Causes a fault and its repair while somebody saves, and waits until what is shown is true again;
   * answers what `cause` does.
   */
  async round<T>(mayTouch: Touched, cause: () => Promise<T>): Promise<T> {
    this.#rounds += 1
    const programs = programsOf(mayTouch.links)
    const ids = new Set(mayTouch.links.flatMap(({ inputId, outputId }) => [inputId, outputId]))
    const before = this.#processes()
    const untouched = this.site.links.filter((link) => !mayTouch.links.includes(link))
    for (const { sink } of this.site.links) sink.empty()
    const seenBefore = this.browsers.map((browser) => browser.programs.length)
    const end = new AbortController()
    const saving = this.#saveUntil(end.signal)
    const result = await cause().finally(() => end.abort())
    await saving
    this.#truthMs.push(await this.#untilTrue())
    const after = this.#processes()
    for (const [host, was] of before) {
      const is = after.get(host) ?? new Map<string, ReadonlySet<string>>()
      const found = touchedPrograms(was, is, programs)
      this.#found.touched.push(...found.map((program) => `${host.title} ${program}`))
    }
    for (const { sink } of untouched) this.#continuityErrors += sink.continuityErrors
    for (const [at, browser] of this.browsers.entries()) {
      this.#found.wrong.push(...wrongStates(browser.programs.slice(seenBefore[at]), ids))
    }
    return result
  }

  /** The API may be what is broken: then it goes on once that is back. */
  async #saveUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#writer.writeObject(this.site.client)
      await pause(SAVE_EVERY_MS)
    }
  }

  #processes(): Map<MediaHost, RunningProcesses> {
    const ofLinks = programsOf(this.site.links)
    return new Map(
      this.site.hosts.map((host) => {
        // supervisord's event listener is one of the agent's own.
        return [host, new Map([...processesOn(host)].filter(([name]) => ofLinks.has(name)))]
      }),
    )
  }

  /** Answers how long that took. What is still untrue after a minute is kept as a fault. */
  async #untilTrue(): Promise<number> {
    const startedMs = performance.now()
    for (;;) {
      const untrue = await this.#untrue()
      const tookMs = performance.now() - startedMs
      if (untrue.length === 0) return tookMs
      if (tookMs > TRUTH_LIMIT_MS) {
        this.#found.untrue.push(...untrue)
        return tookMs
      }
      await pause(LOOK_MS)
    }
  }

  async #untrue(): Promise<string[]> {
    const perHost = this.site.hosts.map(async (host) => {
      const real = await statesOn(host)
      if (real === null) return [`${host.title}: supervisord does not answer`]
      return this.browsers.flatMap((browser) => untrueStates(real, this.shownOn(host, browser)))
    })
    return (await Promise.all(perHost)).flat()
  }

  /** By program id, as this browser shows the ends of links on that host. */
  shownOn(host: MediaHost, browser: ShownRecord): Map<string, Pick<ShownProgram, 'state' | 'pid'>> {
    const programs = this.site.links.flatMap(({ sender, receiver, inputId, outputId }) => [
      ...(receiver === host ? [{ kind: 'input' as const, id: inputId }] : []),
      ...(sender === host ? [{ kind: 'output' as const, id: outputId }] : []),
    ])
    return new Map(
      programs.map(({ kind, id }) => {
        const { state, pid } = browser.program(kind, id) ?? NOT_SHOWN
        return [programIdOf(kind, id), { state, pid }]
      }),
    )
  }

  /** Ends the API, and answers what each fault has in common: call it once, after the last round. */
  async finish(): Promise<{ figures: object; goals: Goal[] }> {
    await this.site.api.process.stop()
    const stored = await this.#storedFaults()
    const { touched, wrong, untrue } = this.#found
    const some = (list: readonly string[]) => list.slice(0, 10)
    return {
      figures: {
        rounds: this.#rounds,
        database: this.site.database,
        links: this.site.links.length,
        saves: this.#writer.writes.length,
        truthAfterRepairMs: { ...spread(this.#truthMs), p95: round(percentile(this.#truthMs, 95)) },
        faults: { touched: some(touched), wrong: some(wrong), untrue: some(untrue) },
        load: { before: round(this.#loadBefore), after: round(loadavg()[0] ?? 0) },
      },
      goals: [
        atMost('links touched that the fault does not concern', touched.length, 0, 'programs'),
        atMost('continuity errors of those', this.#continuityErrors, 0, 'errors'),
        atMost('running links shown as stopped or failed', wrong.length, 0, 'states'),
        atMost('programs shown untruly a minute after the repair', untrue.length, 0, 'programs'),
        atMost('acknowledged changes lost', stored.lost.length, 0, 'changes'),
        atMost(
          'changes that nobody was promised, torn or damaged',
          stored.unexpected.length + stored.torn.length + stored.damaged.length,
          0,
          'rows',
        ),
      ],
    }
  }

  async #storedFaults(): Promise<StoredFaults> {
    const db = await openDatabase(this.site.stored)
    try {
      return await checkStored(db, this.site.database, [this.#writer])
    } finally {
      await db.destroy()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#life.disposeAsync()
  }
}

function programsOf(links: readonly MediaLink[]): Set<string> {
  return new Set(
    links.flatMap(({ inputId, outputId }) => [
      programIdOf('input', inputId),
      programIdOf('output', outputId),
    ]),
  )
}
