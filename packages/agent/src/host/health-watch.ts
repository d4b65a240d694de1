/** Looks at the host itself, and tells every link when something of it has changed. */
import type { HostHealth } from '@trunkline/contract/agent/host-health.schema'
import { readDisk } from './disk.ts'
import { MOUNTS_FILE, readProcessView } from './process-view.ts'

/** A stream of 20 Mbit/s writes 5 MB meanwhile. */
const LOOK_MS = 2000
/** How exactly a disk that fills up is told. */
const STEP_BYTES = 10_000_000

export class HealthWatch implements Disposable {
  readonly #dataDir: string
  readonly #mountsFile: string
  readonly #listeners = new Set<(health: HostHealth) => void>()
  readonly #timer: NodeJS.Timeout
  #isWriteFailing = false
  #isSupervisorSilent = false
  #now: HostHealth

  constructor(dataDir: string, mountsFile = MOUNTS_FILE) {
    this.#dataDir = dataDir
    this.#mountsFile = mountsFile
    this.#now = this.#read()
    this.#timer = setInterval(() => this.#look(), LOOK_MS)
  }

  get now(): HostHealth {
    return this.#now
  }

  /** Answers with what ends it. */
  listen(listener: (health: HostHealth) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Whether the last write of a record failed for want of room. */
  noteWrites(isFailing: boolean): void {
    if (this.#isWriteFailing === isFailing) return
    this.#isWriteFailing = isFailing
    this.#look()
  }

  noteSupervisor(isSilent: boolean): void {
    this.#isSupervisorSilent = isSilent
    this.#look()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const before = keyOf(this.#now)
    this.#now = this.#read()
    if (keyOf(this.#now) !== before) for (const listener of this.#listeners) listener(this.#now)
  }

  #read(): HostHealth {
    return {
      disk: readDisk(this.#dataDir, this.#isWriteFailing),
      supervisorSilent: this.#isSupervisorSilent,
      commandLinesReadable: readProcessView(this.#mountsFile),
    }
  }
}

/** What is told again when it differs: how much room there is matters only once there is little. */
function keyOf({ disk, supervisorSilent, commandLinesReadable }: HostHealth): string {
  const { state, freeBytes } = disk
  const room = state === 'ok' ? '' : Math.round(freeBytes / STEP_BYTES)
  return `${state} ${room} ${supervisorSilent} ${commandLinesReadable}`
}
