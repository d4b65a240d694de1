/**
 * Queries that are asked again and again with other values, built and compiled once: Kysely puts a
 * query together anew each time, which takes longer than SQLite takes to answer it.
 */
import { SqliteAdapter, type CompiledQuery, type QueryResult } from 'kysely'
import type { Db } from '../open.ts'

export type Value = string | number | null
/** A list makes a query of its own for each length, and so do the names that are given. */
type Values = Readonly<Record<string, Value | readonly Value[]>>

interface Compilable<Row> {
  compile: () => CompiledQuery<Row>
}

/** Of one query; then it starts anew. */
const VARIANTS_LIMIT = 200

/** Where a value stands in a compiled query. */
class Place {
  readonly name: string
  /** In a list. */
  readonly at: number | null

  constructor(name: string, at: number | null) {
    this.name = name
    this.at = at
  }

  of(values: Values): unknown {
    const value = values[this.name]
    return this.at === null ? value : (value as readonly Value[])[this.at]
  }
}

/**
 * `build` may hand the values on to Kysely, and must not look at them: it gets stand-ins, and what it
 * answers is kept for all that have the same names.
 */
export function prepared<V extends Values, Row>(
  build: (db: Db, values: V) => Compilable<Row>,
): (db: Db, values: V) => Promise<QueryResult<Row>> {
  const compiled = new Map<string, CompiledQuery<Row>>()
  return async (db, values) => {
    const executor = db.getExecutor()
    // A plugin changes or counts each query as it is built.
    if (executor.plugins.length > 0) return db.executeQuery(build(db, values).compile())
    const variant = variantOf(values, executor.adapter instanceof SqliteAdapter)
    const query = compiled.get(variant) ?? build(db, standIns(values)).compile()
    if (compiled.size >= VARIANTS_LIMIT && !compiled.has(variant)) compiled.clear()
    compiled.set(variant, query)
    return db.executeQuery({ ...query, parameters: query.parameters.map(valueIn(values)) })
  }
}

function variantOf(values: Values, isSqlite: boolean): string {
  let variant = isSqlite ? 'sqlite' : 'postgres'
  for (const name in values) {
    const value = values[name]
    variant += Array.isArray(value) ? ` ${name}:${value.length}` : ` ${name}`
  }
  return variant
}

function standIns<V extends Values>(values: V): V {
  const names = Object.entries(values).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((_, at) => new Place(name, at)) : new Place(name, null),
  ])
  return Object.fromEntries(names) as V
}

function valueIn(values: Values): (parameter: unknown) => unknown {
  return (parameter) => (parameter instanceof Place ? parameter.of(values) : parameter)
}
