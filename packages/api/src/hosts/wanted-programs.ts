/** What the database wants of all hosts, as last read. Anything done to a host is read afresh first. */
import { addressText, type HostAddress } from './host-address.ts'
import { kindAndId, type ProgramFilter, type WantedProgram } from './wanted-program.ts'

export type ReadPrograms = (filter: ProgramFilter) => Promise<WantedProgram[]>

/** `scope`: somebody may now see a program that they did not see before, or the other way. */
export type OnWantedChange = (programIds: readonly string[], touches: 'scope' | 'state') => void

export class WantedPrograms {
  readonly #byId = new Map<string, WantedProgram>()
  readonly #idsAt = new Map<string, Set<string>>()
  readonly #onChange: OnWantedChange
  #read: ReadPrograms | null = null
  #turn: Promise<unknown> = Promise.resolve()

  constructor(onChange: OnWantedChange) {
    this.#onChange = onChange
  }

  use(read: ReadPrograms | null): void {
    this.#read = read
  }

  get(programId: string): WantedProgram | undefined {
    return this.#byId.get(programId)
  }

  all(): IterableIterator<WantedProgram> {
    return this.#byId.values()
  }

  at(address: HostAddress): WantedProgram[] {
    const ids = this.#idsAt.get(addressText(address)) ?? []
    return [...ids].flatMap((id) => this.#byId.get(id) ?? [])
  }

  /** Answers the addresses whose programs may have changed. Throws what the database throws. */
  async read(filter: ProgramFilter): Promise<HostAddress[]> {
    return this.#inTurn(async () => {
      const fresh = (await this.#read?.(filter)) ?? []
      const old = [...this.#byId.values()].filter((each) => isCovered(each, filter))
      for (const each of old) this.#forget(each)
      for (const each of fresh) this.#keep(each)
      const touched = [...old, ...fresh]
      const programIds = [...new Set(touched.map((each) => each.programId))]
      this.#onChange(programIds, sightOf(old) === sightOf(fresh) ? 'state' : 'scope')
      return [...new Map(touched.map(({ address }) => [addressText(address), address])).values()]
    })
  }

  /** Another process may have written since; nothing is done to a host on an old reading. */
  async fresh(programId: string): Promise<WantedProgram | undefined> {
    await this.read({ by: 'program', ...kindAndId(programId) })
    return this.#byId.get(programId)
  }

  /** One read after another: a slow older one must not overwrite a newer one. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => undefined)
    return result
  }

  #keep(wanted: WantedProgram): void {
    this.#byId.set(wanted.programId, wanted)
    const at = addressText(wanted.address)
    const ids = this.#idsAt.get(at)
    if (ids === undefined) this.#idsAt.set(at, new Set([wanted.programId]))
    else ids.add(wanted.programId)
  }

  #forget(wanted: WantedProgram): void {
    this.#byId.delete(wanted.programId)
    const at = addressText(wanted.address)
    const ids = this.#idsAt.get(at)
    ids?.delete(wanted.programId)
    if (ids?.size === 0) this.#idsAt.delete(at)
  }
}

function sightOf(programs: readonly WantedProgram[]): string {
  return programs
    .map((each) => `${each.programId} ${each.groupId} ${each.editorIds.toSorted().join(' ')}`)
    .toSorted()
    .join('\n')
}

function isCovered(wanted: WantedProgram, filter: ProgramFilter): boolean {
  switch (filter.by) {
    case 'all':
      return true
    case 'encoder':
    case 'input':
      return wanted.ownerKind === filter.by && wanted.ownerId === filter.id
    case 'program':
      return wanted.kind === filter.kind && wanted.id === filter.id
    case 'server':
      return wanted.serverId === filter.id
  }
}
