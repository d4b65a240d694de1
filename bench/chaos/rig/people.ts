/** Four people who save groups and destinations of a site without a pause, and what became of it. */
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Connection } from '@trunkline/api/db/open'
import type { Client } from '@trunkline/testbed/api-client'
import { atMost, round, type Goal } from '../../kit/figure.ts'
import type { ApiSite } from './api-site.ts'
import { checkStored, type StoredFaults } from './stored.ts'
import type { Outcome, Write } from './write-model.ts'
import { addHome, Writer, writtenKinds, type Home, type WrittenKind } from './writers.ts'

const PEOPLE = 4
/** After an answer that did not come. */
const NEXT_TRY_MS = 100
/** Of what is wrong so much is printed. */
const SHOWN = 20

export class People {
  readonly #site: ApiSite
  readonly #client: Client
  readonly #writers: readonly Writer[]
  readonly #loadBefore = loadavg()[0] ?? 0

  private constructor(site: ApiSite, client: Client, writers: readonly Writer[]) {
    this.#site = site
    this.#client = client
    this.#writers = writers
  }

  /** `client`: of each of them, where they do not save at the first process itself. `also` saves beside them. */
  static async meet(
    site: ApiSite,
    client: Client = site.first.client,
    also: (home: Home) => readonly WrittenKind[] = () => [],
  ): Promise<People> {
    const home = await addHome(site.first.client)
    const kinds = writtenKinds(home)
    const ofPeople = Array.from({ length: PEOPLE }, (_, at) => {
      const kind = kinds[at % kinds.length]
      if (kind === undefined) throw new Error('There are kinds.')
      return kind
    })
    const writers = [...ofPeople, ...also(home)].map((kind, at) => new Writer(`w${at}`, kind))
    return new People(site, client, writers)
  }

  /** Resolves once `signal` has ended it, or the process that they save at has gone. */
  async saveUntil(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#writers.map(async (writer) => writer.writeOn(this.#client, signal)))
  }

  /** Whoever gets no answer goes on with another object, until `signal` ends it. */
  async saveThrough(signal: AbortSignal): Promise<void> {
    const saving = this.#writers.map(async (writer) => {
      while (!signal.aborted) {
        await writer.writeOn(this.#client, signal)
        await pause(NEXT_TRY_MS)
      }
    })
    await Promise.all(saving)
  }

  count(outcome: Outcome): number {
    return this.#writers
      .flatMap(({ writes }) => writes)
      .filter((write) => write.outcome === outcome).length
  }

  /** Of each save, in milliseconds. */
  get tookMs(): number[] {
    return this.#writers.flatMap(({ tookMs }) => tookMs)
  }

  /** The longest of those that were answered since that moment, in milliseconds; 0: none was. */
  longestSince(moment: readonly number[]): number {
    return Math.max(0, ...this.#writers.flatMap(({ tookMs }, at) => tookMs.slice(moment[at])))
  }

  /** How many saves of each of them were answered by now. */
  moment(): number[] {
    return this.#writers.map(({ writes }) => writes.length)
  }

  /** Resolves once each of them was answered again: what was on its way has been answered by then. */
  async answered(): Promise<void> {
    const before = this.moment()
    while (this.moment().some((count, at) => count === before[at])) await pause(5)
  }

  /** Of a copy that was begun at that moment: what was answered later may be in it or not. */
  async faultsSince(moment: readonly number[], copy: Connection): Promise<StoredFaults> {
    const written = this.#writers.map(({ kind, writes }, at) => ({
      kind,
      writes: writes.map((write, number): Write => {
        const isLater = number >= (moment[at] ?? 0) && write.outcome === 'acknowledged'
        return isLater ? { ...write, outcome: 'unknown' } : write
      }),
    }))
    return checkStored(copy, this.#site.database, written)
  }

  /** Ends the API, and compares what is stored with what they were answered. */
  async finish(): Promise<{ figures: object; goals: Goal[] }> {
    await this.#site.first.process.stop()
    const { lost, unexpected, torn, damaged } = await this.#storedFaults()
    return {
      figures: {
        database: this.#site.database,
        acknowledged: this.count('acknowledged'),
        refused: this.count('refused'),
        unanswered: this.count('unknown'),
        faults: [...lost, ...unexpected, ...torn, ...damaged].slice(0, SHOWN),
        load: { before: round(this.#loadBefore), after: round(loadavg()[0] ?? 0) },
      },
      goals: [
        atMost('acknowledged changes lost', lost.length, 0, 'changes'),
        atMost('changes that nobody was promised', unexpected.length, 0, 'changes'),
        atMost('rows without their line, or lines without their row', torn.length, 0, 'rows'),
        atMost('damage that the database finds', damaged.length, 0, 'places'),
      ],
    }
  }

  async #storedFaults(): Promise<StoredFaults> {
    const db = await this.#site.openStored()
    try {
      return await checkStored(db, this.#site.database, this.#writers)
    } finally {
      await db.destroy()
    }
  }
}
