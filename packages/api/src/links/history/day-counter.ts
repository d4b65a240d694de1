/** Adds up what links count by the day, in memory, until it is written. */
import type { Counters, LinkSample } from './history.rules.ts'

/** `day`: 2026-11-27, by UTC. */
export interface LinkDay extends Counters {
  programId: string
  day: string
}

export class DayCounter {
  #rows = new Map<string, LinkDay>()

  add({ programId, atS, packets, lost, resent, dropped }: LinkSample): void {
    // An encoder and a channel count no packets.
    if (packets + lost + resent + dropped === 0) return
    const day = dayOf(atS * 1000)
    this.#addRow({ programId, day, packets, lost, resent, dropped })
  }

  /** Everything since the last time; what cannot be written is handed back. */
  take(): LinkDay[] {
    const rows = [...this.#rows.values()]
    this.#rows = new Map()
    return rows
  }

  handBack(rows: readonly LinkDay[]): void {
    for (const row of rows) this.#addRow(row)
  }

  #addRow(row: LinkDay): void {
    const key = `${row.programId} ${row.day}`
    const known = this.#rows.get(key)
    if (known === undefined) {
      this.#rows.set(key, row)
      return
    }
    this.#rows.set(key, {
      ...row,
      packets: known.packets + row.packets,
      lost: known.lost + row.lost,
      resent: known.resent + row.resent,
      dropped: known.dropped + row.dropped,
    })
  }
}

/** 2026-11-27, by UTC. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}
