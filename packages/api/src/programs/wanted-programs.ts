/** What the database wants of all hosts, as last read. Anything done to a host is read afresh first. */
import { addressText, type HostAddress } from '../hosts/host-address.ts'
import { kindAndId, programIdOf, type ProgramFilter, type WantedProgram } from './wanted-program.ts'

export type ReadPrograms = (filter: ProgramFilter) => Promise<WantedProgram[]>

/** `rescoped`: somebody may now see these programs who did not see them before, or the other way. */
export type OnWantedChange = (programIds: readonly string[], rescoped: readonly string[]) => void

export class WantedPrograms {
  readonly #byId = new Map<string, WantedProgram>()
  readonly #idsAt = new IdIndex()
  readonly #idsOfOwner = new IdIndex()
  readonly #idsOfServer = new IdIndex()
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
    return this.#named(this.#idsAt.get(addressText(address)))
  }

  /** Answers the addresses whose programs may have changed. Throws what the database throws. */
  async read(filter: ProgramFilter): Promise<HostAddress[]> {
    return this.#inTurn(async () => {
      const fresh = (await this.#read?.(filter)) ?? []
      const old = this.#covered(filter)
      for (const each of old) this.#forget(each)
      for (const each of fresh) this.#keep(each)
      const touched = [...old, ...fresh]
      const programIds = [...new Set(touched.map((each) => each.programId))]
      this.#onChange(programIds, differing(old, fresh))
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

  #covered(filter: ProgramFilter): WantedProgram[] {
    switch (filter.by) {
      case 'all':
        return [...this.#byId.values()]
      case 'encoder':
      case 'input':
        return this.#named(this.#idsOfOwner.get(`${filter.by} ${filter.id}`))
      case 'program':
        return this.#named([programIdOf(filter.kind, filter.id)])
      case 'server':
        return this.#named(this.#idsOfServer.get(filter.id))
    }
  }

  #named(programIds: Iterable<string>): WantedProgram[] {
    return [...programIds].flatMap((id) => this.#byId.get(id) ?? [])
  }

  #keep(wanted: WantedProgram): void {
    const { programId } = wanted
    this.#byId.set(programId, wanted)
    this.#idsAt.add(addressText(wanted.address), programId)
    this.#idsOfOwner.add(ownerOf(wanted), programId)
    this.#idsOfServer.add(wanted.serverId, programId)
  }

  #forget(wanted: WantedProgram): void {
    const { programId } = wanted
    this.#byId.delete(programId)
    this.#idsAt.remove(addressText(wanted.address), programId)
    this.#idsOfOwner.remove(ownerOf(wanted), programId)
    this.#idsOfServer.remove(wanted.serverId, programId)
  }
}

class IdIndex {
  readonly #ids = new Map<string, Set<string>>()

  get(key: string): Iterable<string> {
    return this.#ids.get(key) ?? []
  }

  add(key: string, id: string): void {
    const ids = this.#ids.get(key)
    if (ids === undefined) this.#ids.set(key, new Set([id]))
    else ids.add(id)
  }

  remove(key: string, id: string): void {
    const ids = this.#ids.get(key)
    ids?.delete(id)
    if (ids?.size === 0) this.#ids.delete(key)
  }
}

function ownerOf({ ownerKind, ownerId }: WantedProgram): string {
  return `${ownerKind} ${ownerId}`
}

/** Ids of those that came, went, or are seen by other people than before. */
function differing(old: readonly WantedProgram[], fresh: readonly WantedProgram[]): string[] {
  const before = new Map(old.map((each) => [each.programId, visibleTo(each)]))
  const now = new Map(fresh.map((each) => [each.programId, visibleTo(each)]))
  return [...new Set([...before.keys(), ...now.keys()])].filter(
    (id) => before.get(id) !== now.get(id),
  )
}

function visibleTo({ groupId, editorIds }: WantedProgram): string {
  return `${groupId} ${editorIds.toSorted().join(' ')}`
}
