/** Reads all objects of a site, as far as the caller sees them, by the calls that every client makes. */
import { listChannels } from '../channels/channel.calls.ts'
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

/** Kinds that have a list of their own; feeders are part of their encoders. */
interface RowOf {
  user: AnswerOf<typeof listUsers>['data'][number]
  group: AnswerOf<typeof listGroups>['data'][number]
  server: AnswerOf<typeof listServers>['data'][number]
  destination: AnswerOf<typeof listDestinations>['destinations'][number]
  encoder: AnswerOf<typeof listEncoders>['encoders'][number]
  input: AnswerOf<typeof listInputs>['contributions'][number]
  output: AnswerOf<typeof listOutputs>['outputs'][number]
  channel: AnswerOf<typeof listChannels>['data'][number]
}

interface Asked {
  page: number
  rowsPerPage: number
}
interface Page<Row> {
  rows: readonly Row[]
  total: number
}
type ReadPage<Row> = (call: MakeCall, asked: Asked, search: string) => Promise<Page<Row>>

const READERS: { readonly [K in keyof RowOf]: ReadPage<RowOf[K]> } = {
  user: async (call, asked, searchText) => {
    const { data, total } = await call(listUsers, { query: { ...asked, searchText } })
    return { rows: data, total }
  },
  group: async (call, asked, searchText) => {
    const query = { ...asked, searchText, people: 'manager' }
    const { data, total } = await call(listGroups, { query })
    return { rows: data, total }
  },
  server: async (call, asked, searchText) => {
    const { data, total } = await call(listServers, { query: { ...asked, searchText } })
    return { rows: data, total }
  },
  destination: async (call, asked, searchValue) => {
    const query = { ...asked, searchValue }
    const { destinations, total } = await call(listDestinations, { query })
    return { rows: destinations, total }
  },
  encoder: async (call, asked, searchValue) => {
    const { encoders, total } = await call(listEncoders, { query: { ...asked, searchValue } })
    return { rows: encoders, total }
  },
  input: async (call, asked, searchValue) => {
    const { contributions, total } = await call(listInputs, { query: { ...asked, searchValue } })
    return { rows: contributions, total }
  },
  output: async (call, asked, searchValue) => {
    const { outputs, total } = await call(listOutputs, { query: { ...asked, searchValue } })
    return { rows: outputs, total }
  },
  channel: async (call, asked, searchValue) => {
    const { data, total } = await call(listChannels, { body: { ...asked, searchValue } })
    return { rows: data, total }
  },
}

/** Every object of a kind. `search`: what the list's own search takes; '' for all. */
export async function readList<K extends keyof RowOf>(
  call: MakeCall,
  kind: K,
  search: string,
): Promise<RowOf[K][]> {
  return readAll(async (page, rowsPerPage) => READERS[kind](call, { page, rowsPerPage }, search))
}

/** A list of all ends at 10,000 rows; what is behind them is read page by page. */
const ALL_AT_ONCE = 0
const PAGE_ROWS = 500

/** Every row of a list. `read` answers the rows of one page, and how many there are on all of them. */
export async function readAll<Row>(
  read: (page: number, rowsPerPage: number) => Promise<Page<Row>>,
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
    const wires: readonly unknown[] =
      kind === 'feeder' ? feedersOf(objects.encoder) : await readList(call, kind, '')
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
