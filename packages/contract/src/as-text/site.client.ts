/** Reads all objects of a site, as far as the caller sees them, by the calls that every client makes. */
import { listDestinations } from '../contributions/destination.calls.ts'
import { listInputs } from '../contributions/input.calls.ts'
import { listOutputs } from '../contributions/output.calls.ts'
import { listEncoders } from '../encoders/encoder.calls.ts'
import { listGroups } from '../groups/group.calls.ts'
import type { AnswerOf, Route } from '../route.ts'
import { listServers } from '../servers/server.calls.ts'
import { listUsers } from '../users/user.calls.ts'
import { SiteNames } from './site-names.ts'
import { KIND_TEXTS } from './text-kinds.rules.ts'
import { type StoredObject, TEXT_KINDS, type TextKind, type Tree } from './text-object.schema.ts'
import { isTree } from './tree.rules.ts'

interface CallParts {
  params?: unknown
  query?: unknown
  body?: unknown
}

/** Makes a call and answers its parsed reply; throws what its client throws. */
export type MakeCall = <T extends Route>(route: T, parts: CallParts) => Promise<AnswerOf<T>>

export interface Site {
  objects: Readonly<Record<TextKind, readonly StoredObject[]>>
  names: SiteNames
}

interface Page {
  rows: readonly unknown[]
  total: number
}
type ReadPage = (call: MakeCall, page: number, rowsPerPage: number) => Promise<Page>

const READERS: Readonly<Record<Exclude<TextKind, 'feeder'>, ReadPage>> = {
  user: async (call, page, rowsPerPage) => {
    const { data, total } = await call(listUsers, { query: { page, rowsPerPage } })
    return { rows: data, total }
  },
  group: async (call, page, rowsPerPage) => {
    const { data, total } = await call(listGroups, {
      query: { page, rowsPerPage, people: 'manager' },
    })
    return { rows: data, total }
  },
  server: async (call, page, rowsPerPage) => {
    const { data, total } = await call(listServers, { query: { page, rowsPerPage } })
    return { rows: data, total }
  },
  destination: async (call, page, rowsPerPage) => {
    const { destinations, total } = await call(listDestinations, { query: { page, rowsPerPage } })
    return { rows: destinations, total }
  },
  encoder: async (call, page, rowsPerPage) => {
    const { encoders, total } = await call(listEncoders, { query: { page, rowsPerPage } })
    return { rows: encoders, total }
  },
  input: async (call, page, rowsPerPage) => {
    const { contributions, total } = await call(listInputs, { query: { page, rowsPerPage } })
    return { rows: contributions, total }
  },
  output: async (call, page, rowsPerPage) => {
    const { outputs, total } = await call(listOutputs, { query: { page, rowsPerPage } })
    return { rows: outputs, total }
  },
}

/** A list of all ends at 10,000 rows; what is behind them is read page by page. */
const ALL_AT_ONCE = 0
const PAGE_ROWS = 500

/** Every row of a list. `read` answers the rows of one page, and how many there are on all of them. */
export async function readAll<Row>(
  read: (page: number, rowsPerPage: number) => Promise<{ rows: readonly Row[]; total: number }>,
): Promise<Row[]> {
  const { rows, total } = await read(0, ALL_AT_ONCE)
  const all = [...rows]
  while (all.length < total) {
    const next = await read(Math.floor(all.length / PAGE_ROWS), PAGE_ROWS)
    const behind = next.rows.slice(all.length % PAGE_ROWS)
    if (behind.length === 0) break
    all.push(...behind)
  }
  return all
}

/** `kinds`: those to read; what they refer to has to be among them, or is called by its id. */
export async function readSite(call: MakeCall, kinds: readonly TextKind[]): Promise<Site> {
  const names = new SiteNames()
  const objects = Object.fromEntries(TEXT_KINDS.map((kind) => [kind, []])) as unknown as Record<
    TextKind,
    StoredObject[]
  >
  for (const kind of TEXT_KINDS) {
    if (!kinds.includes(kind)) continue
    const wires =
      kind === 'feeder'
        ? feedersOf(objects.encoder)
        : await readAll(async (page, rows) => READERS[kind](call, page, rows))
    for (const wire of wires.filter(isTree)) {
      const stored = storedObject(kind, wire, names)
      names.add(kind, stored.key, stored.id)
      objects[kind].push(stored)
    }
  }
  return { objects, names }
}

function feedersOf(encoders: readonly StoredObject[]): Tree[] {
  return encoders.flatMap(({ id, version, wire }) => {
    const config = isTree(wire['config']) ? wire['config'] : {}
    const feeders = Array.isArray(config['feeder']) ? (config['feeder'] as unknown[]) : []
    return feeders.filter(isTree).map((feeder) => ({ ...feeder, encoderId: id, version }))
  })
}

function storedObject(kind: TextKind, wire: Tree, names: SiteNames): StoredObject {
  const { textOf, keyOf } = KIND_TEXTS[kind]
  const text = textOf(wire, names)
  const { isEnabled } = wire
  return {
    kind,
    id: String(kind === 'feeder' ? wire['name'] : wire['_id']),
    version: Number(wire['version']),
    key: keyOf(text),
    text,
    wire,
    isEnabled: typeof isEnabled === 'boolean' ? isEnabled : null,
  }
}
