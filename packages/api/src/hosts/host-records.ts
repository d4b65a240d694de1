/** Which records name which hosts, as last read. What is read anew takes the place of what it covers. */
import { addressText, isSameAddress, type HostAddress } from './host-address.ts'
import {
  answererAt,
  byPlace,
  type HostKey,
  type HostRecord,
  type RescopedHost,
} from './host-record.ts'

/** Which records to read again after a change. */
export type RecordFilter = { by: 'all' } | SomeRecords

export type SomeRecords =
  | { by: HostRecord['kind']; id: string }
  | { by: 'address'; address: HostAddress }

export interface RecordChange {
  /** Where a record came, went or was read anew. */
  addresses: HostAddress[]
  /** Those that came, went, or are seen by other people than before. */
  scope: RescopedHost[]
  /** Those that are asked elsewhere than before. */
  moved: HostRecord[]
  /** Where the other records of the host may be outdated too: records of one host share its key. */
  rekeyed: HostAddress[]
}

export class HostRecords {
  readonly #byId = {
    encoder: new Map<string, HostRecord>(),
    server: new Map<string, HostRecord>(),
  }
  /** A host has one or some, by `byPlace`. */
  readonly #byAddress = new Map<string, HostRecord[]>()
  /** Addresses in use of each machine: one agent has several ports. */
  readonly #byMachine = new Map<string, Set<string>>()
  /** What `onMachine` has answered: an alarm of each of thousands asks for all of them. */
  readonly #inPlaces = new Map<string, readonly HostRecord[]>()

  /** Encoders before servers. */
  all(): HostRecord[] {
    return [...this.#byId.encoder.values(), ...this.servers()]
  }

  servers(): HostRecord[] {
    return [...this.#byId.server.values()]
  }

  find(kind: HostRecord['kind'], id: string): HostRecord | undefined {
    return this.#byId[kind].get(id)
  }

  at(address: HostAddress): readonly HostRecord[] {
    return this.#byAddress.get(addressText(address)) ?? []
  }

  /** With whatever port, in order of place. */
  onMachine(host: string): readonly HostRecord[] {
    const known = this.#inPlaces.get(host)
    if (known !== undefined) return known
    const addresses = [...(this.#byMachine.get(host) ?? [])]
    const records = addresses.flatMap((at) => this.#byAddress.get(at) ?? []).sort(byPlace)
    if (records.length > 0) this.#inPlaces.set(host, records)
    return records
  }

  replace(filter: SomeRecords, fresh: readonly HostRecord[]): RecordChange {
    const now = new Set(fresh.map(keyOf))
    const change = this.remove(this.#covered(filter).filter((record) => !now.has(keyOf(record))))
    this.#putAll(fresh, change)
    return change
  }

  /** Others stay as they are. */
  put(fresh: readonly HostRecord[]): RecordChange {
    const change = noChange()
    this.#putAll(fresh, change)
    return change
  }

  remove(gone: readonly HostRecord[]): RecordChange {
    for (const record of gone) this.#forget(record)
    return {
      ...noChange(),
      addresses: gone.map(({ address }) => address),
      scope: gone.map((record) => ({ kind: record.kind, id: record.id, before: record })),
    }
  }

  #putAll(fresh: readonly HostRecord[], change: RecordChange): void {
    for (const record of fresh) this.#put(record, this.find(record.kind, record.id), change)
  }

  #put(record: HostRecord, before: HostRecord | undefined, change: RecordChange): void {
    const { kind, id, address } = record
    change.addresses.push(address)
    if (before === undefined) {
      change.scope.push({ kind, id, before: null })
      this.#keep(record, undefined)
      return
    }
    if (visibleTo(before) !== visibleTo(record)) change.scope.push({ kind, id, before })
    const isThere = isSameAddress(before.address, address)
    if (!isThere || before.apiKey !== record.apiKey) change.rekeyed.push(address)
    if (answererAt(before) !== answererAt(record)) change.moved.push(record)
    if (isThere) return this.#keep(record, before)
    change.addresses.push(before.address)
    this.#forget(before)
    this.#keep(record, undefined)
  }

  #covered(filter: SomeRecords): readonly HostRecord[] {
    if (filter.by === 'address') return this.at(filter.address)
    return [this.find(filter.by, filter.id)].filter((record) => record !== undefined)
  }

  /** In place of `before`, which is at the same address. */
  #keep(fresh: HostRecord, before: HostRecord | undefined): void {
    const at = addressText(fresh.address)
    const there = this.#byAddress.get(at)
    const record = sharing(fresh, there?.[0])
    this.#byId[record.kind].set(record.id, record)
    this.#inPlaces.delete(record.address.host)
    if (there === undefined) return this.#openAddress(at, record)
    if (before !== undefined) there.splice(there.indexOf(before), 1)
    there.splice(placeIn(there, record), 0, record)
  }

  #forget(record: HostRecord): void {
    this.#byId[record.kind].delete(record.id)
    this.#inPlaces.delete(record.address.host)
    const at = addressText(record.address)
    const there = this.#byAddress.get(at)
    const place = there?.indexOf(record) ?? -1
    if (place >= 0) there?.splice(place, 1)
    if (there?.length === 0) this.#closeAddress(at, record.address)
  }

  #openAddress(at: string, record: HostRecord): void {
    this.#byAddress.set(at, [record])
    const { host } = record.address
    const addresses = this.#byMachine.get(host) ?? new Set()
    this.#byMachine.set(host, addresses.add(at))
  }

  #closeAddress(at: string, { host }: HostAddress): void {
    this.#byAddress.delete(at)
    const addresses = this.#byMachine.get(host)
    addresses?.delete(at)
    if (addresses?.size === 0) this.#byMachine.delete(host)
  }
}

/** Where it stands among those that are in order: most of them come as the last. */
function placeIn(records: readonly HostRecord[], record: HostRecord): number {
  return 1 + records.findLastIndex((other) => byPlace(other, record) < 0)
}

/** Most of what records of one host say is alike, and is held once. */
function sharing(record: HostRecord, first: HostRecord | undefined): HostRecord {
  if (first === undefined) return record
  const { baseUrl, apiKey, groupIds, editorIds } = record
  return {
    ...record,
    address: first.address,
    baseUrl: baseUrl === first.baseUrl ? first.baseUrl : baseUrl,
    apiKey: apiKey === first.apiKey ? first.apiKey : apiKey,
    groupIds: isSameList(groupIds, first.groupIds) ? first.groupIds : groupIds,
    editorIds: isSameList(editorIds, first.editorIds) ? first.editorIds : editorIds,
  }
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at])
}

function noChange(): RecordChange {
  return { addresses: [], scope: [], moved: [], rekeyed: [] }
}

function keyOf({ kind, id }: HostKey): string {
  return `${kind} ${id}`
}

function visibleTo({ groupIds, editorIds }: HostRecord): string {
  return `${groupIds.toSorted().join(' ')}\n${editorIds.toSorted().join(' ')}`
}
