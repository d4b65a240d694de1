/** The hosts to be dialled and the keys for them: those of the records, and those that were left. */
import { addressText, isSameAddress, type HostAddress } from './host-address.ts'
import type { HostRecord, LeftHost } from './host-record.ts'
import { HostRecords, type RecordChange, type RecordFilter } from './host-records.ts'

/** The records of the database, read by the stores. */
export interface RecordSource {
  readRecords(filter: RecordFilter): Promise<HostRecord[]>
  readLeftHosts(): Promise<LeftHost[]>
}

export class HostDirectory {
  readonly records = new HostRecords()
  readonly #onChange: (change: RecordChange) => void
  #left = new Map<string, LeftHost>()
  #source: RecordSource | null = null
  #turn: Promise<void> = Promise.resolve()

  /** Told of each reading; its addresses include those of hosts that were left or are no more. */
  constructor(onChange: (change: RecordChange) => void) {
    this.#onChange = onChange
  }

  /** null: nothing is read any more, and `onChange` is told nothing. */
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
    const reading = this.#turn.then(async () => {
      const rekeyed = await this.#read(filter)
      if (filter.by !== 'encoder' && filter.by !== 'server') return
      for (const address of rekeyed) await this.#read({ by: 'address', address })
    })
    this.#turn = reading.catch(() => undefined)
    return reading
  }

  /** Answers where the records of neighbours may be outdated now. */
  async #read(filter: RecordFilter): Promise<HostAddress[]> {
    const source = this.#source
    if (source === null) return []
    const fresh = await source.readRecords(filter)
    const before = this.left()
    const left = this.#staysInPlace(filter, fresh) ? before : await source.readLeftHosts()
    if (this.#source === null) return []
    const change = this.records.replace(filter, fresh)
    this.#left = new Map(left.map((host) => [addressText(host.address), host]))
    change.addresses.push(...[...before, ...left].map(({ address }) => address))
    this.#onChange(change)
    return change.rekeyed
  }

  /** Most saves: then no host can have been left. */
  #staysInPlace(filter: RecordFilter, [record]: readonly HostRecord[]): boolean {
    if (filter.by !== 'encoder' || record === undefined) return false
    const known = this.records.find('encoder', filter.id)
    return known === undefined || isSameAddress(known.address, record.address)
  }
}
