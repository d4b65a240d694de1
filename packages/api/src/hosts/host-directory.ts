/** The hosts to be dialled and the keys for them: those of the records, and those that were left. */
import { TaskQueue } from '@trunkline/contract/task-queue'
import { addressText, isSameAddress, type HostAddress } from './host-address.ts'
import type { HostRecord, LeftHost } from './host-record.ts'
import {
  HostRecords,
  type RecordChange,
  type RecordFilter,
  type SomeRecords,
} from './host-records.ts'

/** The records of the database, read by the stores. */
export interface RecordSource {
  readRecords(filter: SomeRecords): Promise<HostRecord[]>
  /** Part by part: a large site has a hundred thousand. */
  readAllRecords(): AsyncIterable<readonly HostRecord[]>
  readLeftHosts(): Promise<LeftHost[]>
}

export class HostDirectory {
  readonly records = new HostRecords()
  readonly #onChange: (change: RecordChange) => Promise<void>
  readonly #readings = new TaskQueue()
  #left = new Map<string, LeftHost>()
  #source: RecordSource | null = null

  /** Told of each reading, or of each part of it; its addresses include those of hosts that were left or are no more. */
  constructor(onChange: (change: RecordChange) => Promise<void>) {
    this.#onChange = onChange
  }

  /** null: nothing is read any more, and `onChange` is not called. */
  use(source: RecordSource | null): void {
    this.#source = source
  }

  left(): LeftHost[] {
    return [...this.#left.values()]
  }

  isLeft(address: HostAddress): boolean {
    return this.#left.has(addressText(address))
  }

  /** Whom to dial there; a record's key goes before that of a left host. */
  agentAt(address: HostAddress): LeftHost | undefined {
    const agent = this.records.at(address).find(({ answerer }) => answerer === 'agent')
    return agent ?? this.#left.get(addressText(address))
  }

  /** One reading after another: a slow older one must not overwrite a newer one. */
  async read(filter: RecordFilter): Promise<void> {
    return this.#readings.add(async () => {
      if (filter.by === 'all') return this.#readAll()
      const rekeyed = await this.#read(filter)
      if (filter.by === 'address') return
      for (const address of rekeyed) await this.#read({ by: 'address', address })
    })
  }

  async #readAll(): Promise<void> {
    const source = this.#source
    if (source === null) return
    const before = new Set(this.records.all())
    for await (const part of source.readAllRecords()) {
      if (this.#source === null) return
      for (const { kind, id } of part) {
        const known = this.records.find(kind, id)
        if (known !== undefined) before.delete(known)
      }
      await this.#onChange(this.records.put(part))
    }
    const left = await source.readLeftHosts()
    if (this.#source === null) return
    // What was known and is in no part is gone.
    await this.#changed(this.records.remove([...before]), left)
  }

  /** Answers where the records of neighbours may be outdated now. */
  async #read(filter: SomeRecords): Promise<HostAddress[]> {
    const source = this.#source
    if (source === null) return []
    const fresh = await source.readRecords(filter)
    const left = this.#staysInPlace(filter, fresh) ? this.left() : await source.readLeftHosts()
    if (this.#source === null) return []
    const change = this.records.replace(filter, fresh)
    await this.#changed(change, left)
    return change.rekeyed
  }

  async #changed(change: RecordChange, left: readonly LeftHost[]): Promise<void> {
    const hosts = [...this.left(), ...left]
    this.#left = new Map(left.map((host) => [addressText(host.address), host]))
    const addresses = [...change.addresses, ...hosts.map(({ address }) => address)]
    await this.#onChange({ ...change, addresses })
  }

  /** Most saves: then no host can have been left. */
  #staysInPlace(filter: SomeRecords, [record]: readonly HostRecord[]): boolean {
    if (filter.by !== 'encoder' || record === undefined) return false
    const known = this.records.find('encoder', filter.id)
    return known === undefined || isSameAddress(known.address, record.address)
  }
}
