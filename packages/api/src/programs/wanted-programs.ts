/**
 * What is wanted of all hosts, as last read from the database, without the settings: they are read
 * again before anything is done to a host.
 */
import { TaskQueue } from '@trunkline/contract/task-queue'
import { addressText, type HostAddress } from '../hosts/host-address.ts'
import type { FleetSource } from './fleet-source.ts'
import { KindMap } from '../fleet/kind-map.ts'
import { giveWay } from '../in-slices.ts'
import {
  PROGRAMS_AT_ONCE,
  programIdOf,
  wantedState,
  type KnownProgram,
  type ProgramPlace,
  type SomePrograms,
  type WantedProgram,
} from './wanted-program.ts'

export type ProgramSource = Pick<FleetSource, 'readPrograms' | 'readAllPrograms'>

/** `rescoped`: ids of programs that other people may see now. */
export type OnWantedChange = (programIds: readonly string[], rescoped: readonly string[]) => void

/** A reading of these programs that has not begun: more ids may be added. */
interface WaitingReading {
  ids: Set<string>
  reading: Promise<Map<string, WantedProgram>>
}

export class WantedPrograms {
  readonly #byId = new KindMap<KnownProgram>()
  readonly #idsAt = new IdIndex()
  /** Those that are not the owner itself: feeders of an encoder, outputs of an input. */
  readonly #idsOfOwner = new IdIndex()
  readonly #idsOfServer = new IdIndex()
  readonly #addresses = new Map<string, HostAddress>()
  /** One string for each group, shared by its many programs. */
  readonly #groupIds = new Map<string, string>()
  readonly #onChange: OnWantedChange
  /** One read after another: a slow older one must not overwrite a newer one. */
  readonly #readings = new TaskQueue()
  #source: ProgramSource | null = null
  /** The newest reading that waits for its turn; null when none does. */
  #waiting: WaitingReading | null = null
  #isEnding = false

  constructor(onChange: OnWantedChange) {
    this.#onChange = onChange
  }

  use(source: ProgramSource | null): void {
    this.#source = source
  }

  get(programId: string): KnownProgram | undefined {
    return this.#byId.get(programId)
  }

  all(): IterableIterator<KnownProgram> {
    return this.#byId.values()
  }

  at(address: HostAddress): KnownProgram[] {
    return this.#named(this.idsAt(address))
  }

  idsAt(address: HostAddress): string[] {
    return [...this.#idsAt.get(addressText(address))]
  }

  ofOwner(ownerKind: KnownProgram['ownerKind'], ownerId: string): KnownProgram[] {
    const others = this.#idsOfOwner.get(ownerOf({ ownerKind, ownerId }))
    return this.#named([programIdOf(ownerKind, ownerId), ...others])
  }

  /** Answers the programs that may have changed, at their old and new places. Throws what the database throws. */
  async read(filter: SomePrograms): Promise<ProgramPlace[]> {
    return this.#readings.add(async () => {
      const fresh = (await this.#source?.readPrograms(filter)) ?? []
      return this.#replace(this.#covered(filter), fresh)
    })
  }

  /** As `read`, of the program that `load` reads. Throws what `load` throws. */
  async take<T extends { wanted: WantedProgram }>(load: () => Promise<T>): Promise<T> {
    return this.#readings.add(async () => {
      const loaded = await load()
      this.#replace(this.#named([loaded.wanted.programId]), [loaded.wanted])
      return loaded
    })
  }

  /** After a command was written down: the rest of the program may be newer than the command. */
  async noteCommand(programId: string, isWanted: boolean): Promise<void> {
    await this.#readings.add(async () => {
      const known = this.#named([programId])
      const noted = known.map((each) => ({ ...each, wanted: wantedState(each, isWanted) }))
      this.#replace(known, noted)
      return Promise.resolve()
    })
  }

  /**
   * Read again from the database, because another process may have changed it. Calls that come while a
   * reading waits for its turn share it, up to a limit: after a start all hosts ask at once.
   */
  async fresh(programId: string): Promise<WantedProgram | undefined> {
    const last = this.#waiting
    const isOpen = last !== null && (last.ids.size < PROGRAMS_AT_ONCE || last.ids.has(programId))
    const waiting = isOpen ? last : this.#readLater()
    waiting.ids.add(programId)
    return (await waiting.reading).get(programId)
  }

  #readLater(): WaitingReading {
    const ids = new Set<string>()
    const reading = this.#readings.add(async () => {
      if (this.#waiting === waiting) this.#waiting = null
      // A full reading is followed by another one as long.
      if (ids.size === PROGRAMS_AT_ONCE) await giveWay()
      const filter: SomePrograms = { by: 'programs', programIds: [...ids] }
      const fresh = (await this.#source?.readPrograms(filter)) ?? []
      this.#replace(this.#covered(filter), fresh)
      return new Map(fresh.map((each) => [each.programId, each]))
    })
    const waiting: WaitingReading = { ids, reading }
    this.#waiting = waiting
    return waiting
  }

  /** A reading of everything ends where it is. */
  stopReadingAll(): void {
    this.#isEnding = true
  }

  /**
   * In parts, so that commands do not wait until a large site is read. Answers all hosts. Throws what
   * the database throws.
   */
  async readAll(): Promise<HostAddress[]> {
    const before = new Set(this.#byId.keys())
    const addresses = new Map<string, HostAddress>()
    const replace = (old: readonly KnownProgram[], fresh: readonly KnownProgram[]) => {
      for (const { address } of this.#replace(old, fresh))
        addresses.set(addressText(address), address)
    }
    const parts = this.#source?.readAllPrograms()[Symbol.asyncIterator]()
    const next = async () =>
      this.#readings.add(async () => {
        const part = await parts?.next()
        if (part === undefined || part.done === true || this.#isEnding) return false
        const ids = part.value.map(({ programId }) => programId)
        for (const id of ids) before.delete(id)
        replace(this.#named(ids), part.value)
        return true
      })
    while (await next());
    // What is in no part was removed.
    if (!this.#isEnding) replace(this.#named(before), [])
    return [...addresses.values()]
  }

  /** Answers old and new. */
  #replace(old: readonly KnownProgram[], fresh: readonly KnownProgram[]): ProgramPlace[] {
    for (const each of old) this.#forget(each)
    for (const each of fresh) this.#keep(each)
    const touched = [...old, ...fresh]
    const programIds = [...new Set(touched.map((each) => each.programId))]
    if (programIds.length > 0) this.#onChange(programIds, differing(old, fresh))
    return touched
  }

  #covered(filter: SomePrograms): KnownProgram[] {
    switch (filter.by) {
      case 'encoder':
      case 'input':
        return this.ofOwner(filter.by, filter.id)
      case 'program':
        return this.#named([programIdOf(filter.kind, filter.id)])
      case 'programs':
        return this.#named(filter.programIds)
      case 'server':
        return this.#named(this.#idsOfServer.get(filter.id))
    }
  }

  #named(programIds: Iterable<string>): KnownProgram[] {
    return [...programIds].flatMap((id) => this.#byId.get(id) ?? [])
  }

  #keep(wanted: KnownProgram): void {
    const { programId, ownerId, groupId, serverId, editorIds } = wanted
    const at = addressText(wanted.address)
    // One object for each host, shared by its many programs.
    const address = this.#addresses.get(at) ?? wanted.address
    this.#addresses.set(at, address)
    if (!this.#groupIds.has(groupId)) this.#groupIds.set(groupId, groupId)
    this.#byId.set(programId, {
      programId,
      kind: wanted.kind,
      id: wanted.id,
      ownerKind: wanted.ownerKind,
      ownerId,
      serverId,
      address,
      groupId: this.#groupIds.get(groupId) ?? groupId,
      editorIds: editorIds.length > 0 ? editorIds : NOBODY,
      createdAtMs: wanted.createdAtMs,
      isEnabled: wanted.isEnabled,
      wanted: wanted.wanted,
      revision: wanted.revision,
    })
    this.#idsAt.add(at, programId)
    if (!isOwnersOwn(wanted)) this.#idsOfOwner.add(ownerOf(wanted), programId)
    if (serverId !== '') this.#idsOfServer.add(serverId, programId)
  }

  #forget(wanted: KnownProgram): void {
    const { programId } = wanted
    const at = addressText(wanted.address)
    this.#byId.delete(programId)
    this.#idsAt.remove(at, programId)
    if (!this.#idsAt.has(at)) this.#addresses.delete(at)
    if (!isOwnersOwn(wanted)) this.#idsOfOwner.remove(ownerOf(wanted), programId)
    this.#idsOfServer.remove(wanted.serverId, programId)
  }
}

/** Most keys have one id, which needs no set. */
class IdIndex {
  readonly #ids = new Map<string, string | Set<string>>()

  has(key: string): boolean {
    return this.#ids.has(key)
  }

  get(key: string): Iterable<string> {
    const ids = this.#ids.get(key)
    if (ids === undefined) return []
    return typeof ids === 'string' ? [ids] : ids
  }

  add(key: string, id: string): void {
    const ids = this.#ids.get(key)
    if (ids === undefined || ids === id) this.#ids.set(key, id)
    else if (typeof ids === 'string') this.#ids.set(key, new Set([ids, id]))
    else ids.add(id)
  }

  remove(key: string, id: string): void {
    const ids = this.#ids.get(key)
    if (ids === id) this.#ids.delete(key)
    if (typeof ids !== 'object') return
    ids.delete(id)
    if (ids.size === 0) this.#ids.delete(key)
  }
}

const NOBODY: readonly string[] = []

function isOwnersOwn({ kind, ownerKind }: KnownProgram): boolean {
  return kind === ownerKind
}

function ownerOf({ ownerKind, ownerId }: Pick<KnownProgram, 'ownerKind' | 'ownerId'>): string {
  return `${ownerKind} ${ownerId}`
}

/** Ids of programs that were added, removed, or may be seen by other people now. */
function differing(old: readonly KnownProgram[], fresh: readonly KnownProgram[]): string[] {
  const before = new Map(old.map((each) => [each.programId, each]))
  const changed: string[] = []
  for (const now of fresh) {
    const known = before.get(now.programId)
    before.delete(now.programId)
    if (known === undefined || !areSeenAlike(known, now)) changed.push(now.programId)
  }
  return [...changed, ...before.keys()]
}

function areSeenAlike(a: KnownProgram, b: KnownProgram): boolean {
  if (a.groupId !== b.groupId || a.editorIds.length !== b.editorIds.length) return false
  return a.editorIds.every((id) => b.editorIds.includes(id))
}
