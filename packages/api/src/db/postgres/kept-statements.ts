/**
 * Statements that each connection of PostgreSQL keeps ready under a name, so that the server reads
 * and plans them once: those that this process asks again and again.
 *
 * Only what names its columns: a kept `select *` fails once a newer process has added one. And no
 * searches and pages, whose best plan follows what is looked for.
 */

/** Of one text, before it is kept: what a start asks a few times is not. */
const USES_BEFORE = 20
/** Each connection holds all of them, at some 20 kB each. */
const MOST_KEPT = 100
/** Of statements that are counted; lists of ids make one for each length. */
const MOST_COUNTED = 1000
/** PostgreSQL's: a kept statement would answer other columns, or columns of another type, than before. */
const OUTDATED = '0A000'

export class KeptStatements {
  readonly #uses = new Map<string, number>()
  readonly #names = new Map<string, string>()
  #named = 0

  /** Counts a use of it; undefined while the server need not keep it. */
  nameOf(sql: string): string | undefined {
    const name = this.#names.get(sql)
    if (name !== undefined || this.#names.size >= MOST_KEPT) return name
    const uses = (this.#uses.get(sql) ?? 0) + 1
    if (uses < USES_BEFORE) this.#count(sql, uses)
    else if (mayBeKept(sql)) this.#keep(sql)
    return this.#names.get(sql)
  }

  /** After a statement has failed: those of before a change of their tables are never asked for again. */
  note(error: unknown): void {
    if (error instanceof Error && 'code' in error && error.code === OUTDATED) this.#names.clear()
  }

  #count(sql: string, uses: number): void {
    if (this.#uses.size >= MOST_COUNTED) this.#uses.clear()
    this.#uses.set(sql, uses)
  }

  #keep(sql: string): void {
    this.#named += 1
    this.#names.set(sql, `kept_${this.#named}`)
    this.#uses.delete(sql)
  }
}

export function mayBeKept(sql: string): boolean {
  return (
    /^(?:select|insert|update|delete) /.test(sql) &&
    !/(?:\.|select |returning )\*| (?:i?like|limit) /.test(sql)
  )
}
