/** Which records name which hosts, as last read. What is read anew takes the place of what it covers. */
import { addressText, isSameAddress, type HostAddress } from './host-address.ts'
import { answererAt, type HostKey, type HostRecord } from './host-record.ts'

/** Which records to read again after a change. */
export type RecordFilter =
  | { by: 'all' }
  | { by: HostRecord['kind']; id: string }
  | { by: 'address'; address: HostAddress }

export interface RecordChange {
  /** Where a record came, went or was read anew. */
  addresses: HostAddress[]
  /** Those that came, went, or are seen by other people than before. */
  scope: HostKey[]
  /** Those that are asked elsewhere than before. */
  moved: HostRecord[]
  /** Where the other records of the host may be outdated too: records of one host share its key. */
  rekeyed: HostAddress[]
}

export class HostRecords {
  readonly #all = new Map<string, HostRecord>()
  readonly #servers = new Map<string, HostRecord>()
  readonly #byAddress = new Map<string, Map<string, HostRecord>>()

  all(): HostRecord[] {
    return [...this.#all.values()]
  }

  servers(): HostRecord[] {
    return [...this.#servers.values()]
  }

  find(kind: HostRecord['kind'], id: string): HostRecord | undefined {
    return this.#all.get(keyOf({ kind, id }))
  }

  at(address: HostAddress): HostRecord[] {
    return [...(this.#byAddress.get(addressText(address))?.values() ?? [])]
  }

  replace(filter: RecordFilter, fresh: readonly HostRecord[]): RecordChange {
    const before = new Map(this.#covered(filter).map((record) => [keyOf(record), record]))
    // One that has moved to this address is known at another one.
    for (const record of fresh) {
      const known = this.#all.get(keyOf(record))
      if (known !== undefined) before.set(keyOf(record), known)
    }
    const now = new Map(fresh.map((record) => [keyOf(record), record]))
    const gone = [...before].filter(([key]) => !now.has(key)).map(([, record]) => record)
    for (const record of gone) this.#forget(record)
    const change: RecordChange = {
      addresses: gone.map(({ address }) => address),
      scope: gone.map(({ kind, id }) => ({ kind, id })),
      moved: [],
      rekeyed: [],
    }
    for (const [key, record] of now) this.#put(record, before.get(key), change)
    return change
  }

  #put(record: HostRecord, before: HostRecord | undefined, change: RecordChange): void {
    const { kind, id, address } = record
    change.addresses.push(address)
    if (before === undefined) {
      change.scope.push({ kind, id })
      this.#keep(record)
      return
    }
    if (visibleTo(before) !== visibleTo(record)) change.scope.push({ kind, id })
    const isThere = isSameAddress(before.address, address)
    if (!isThere || before.apiKey !== record.apiKey) change.rekeyed.push(address)
    if (answererAt(before) !== answererAt(record)) change.moved.push(record)
    if (!isThere) {
      change.addresses.push(before.address)
      this.#forget(before)
    }
    this.#keep(record)
  }

  #covered(filter: RecordFilter): HostRecord[] {
    if (filter.by === 'all') return this.all()
    if (filter.by === 'address') return this.at(filter.address)
    return [this.find(filter.by, filter.id)].filter((record) => record !== undefined)
  }

  /** In the place of an older one, so that the order of a host's records stays. */
  #keep(record: HostRecord): void {
    const key = keyOf(record)
    this.#all.set(key, record)
    if (record.kind === 'server') this.#servers.set(key, record)
    const at = addressText(record.address)
    const there = this.#byAddress.get(at)
    if (there === undefined) this.#byAddress.set(at, new Map([[key, record]]))
    else there.set(key, record)
  }

  #forget(record: HostRecord): void {
    const key = keyOf(record)
    this.#all.delete(key)
    this.#servers.delete(key)
    const at = addressText(record.address)
    const there = this.#byAddress.get(at)
    there?.delete(key)
    if (there?.size === 0) this.#byAddress.delete(at)
  }
}

function keyOf({ kind, id }: HostKey): string {
  return `${kind} ${id}`
}

function visibleTo({ groupIds, editorIds }: HostRecord): string {
  return `${groupIds.toSorted().join(' ')}\n${editorIds.toSorted().join(' ')}`
}
