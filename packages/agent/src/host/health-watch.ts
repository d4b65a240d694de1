/** Looks at the host itself, and tells every link when something of it has changed. */
import { diskStepOf } from '@trunkline/contract/alarms/threshold.rules'
import type { HostHealth } from '@trunkline/contract/agent/host-health.schema'
import type { Logger } from 'pino'
import { readDisk, unreadableDisk } from './disk.ts'
import { MOUNTS_FILE, readProcessView } from './process-view.ts'

/** A stream of 20 Mbit/s writes 5 MB meanwhile. */
const LOOK_MS = 2000
/** How exactly the free space of a nearly full disk is reported. */
const STEP_BYTES = 10_000_000

export class HealthWatch implements Disposable {
  readonly #dataDir: string
  readonly #log: Logger
  readonly #mountsFile: string
  readonly #listeners = new Set<(health: HostHealth) => void>()
  readonly #timer: NodeJS.Timeout
  #isWriteFailing = false
  #isSupervisorSilent = false
  /** Whether programs that ended with their supervisor do not run again yet. */
  hasLostSupervisor: () => boolean = () => false
  #disk: HostHealth['disk'] | null = null
  #now: HostHealth

  constructor(dataDir: string, log: Logger, mountsFile = MOUNTS_FILE) {
    this.#dataDir = dataDir
    this.#log = log
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

  /** Whether the last write of a record failed because the disk was full. */
  noteWrites(isFailing: boolean): void {
    if (this.#isWriteFailing === isFailing) return
    this.#isWriteFailing = isFailing
    this.#look()
  }

  noteSupervisor(isSilent: boolean): void {
    this.#isSupervisorSilent = isSilent
    this.#look()
  }

  /** What it has lost, or has again, may be another now. */
  lookAgain(): void {
    if (this.hasLostSupervisor() !== (this.#now.supervisorLost === true)) this.#look()
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
      disk: this.#readDisk(),
      supervisorSilent: this.#isSupervisorSilent,
      supervisorLost: this.hasLostSupervisor(),
      commandLinesReadable: readProcessView(this.#mountsFile),
    }
  }

  /** Never throws: a folder that was removed or a mount that was lost must not end the agent. */
  #readDisk(): HostHealth['disk'] {
    const before = this.#disk
    try {
      this.#disk = readDisk(this.#dataDir, this.#isWriteFailing)
      if (before?.unreadable === true) {
        this.#log.info({ path: this.#dataDir }, 'the disk of the data folder can be read again')
      }
    } catch (error) {
      this.#disk = unreadableDisk(this.#dataDir, before)
      if (before?.unreadable !== true) {
        const reason = String(error)
        this.#log.error(
          { path: this.#dataDir, reason },
          'the disk of the data folder cannot be read',
        )
      }
    }
    return this.#disk
  }
}

/**
 * A change of this is reported. The free space matters only once there is little of it, and where it
 * passes a step that may be the threshold of an alarm.
 */
export function keyOf(health: HostHealth): string {
  const { disk, supervisorSilent, supervisorLost, commandLinesReadable } = health
  const { state, freeBytes, unreadable = false } = disk
  const room = state === 'ok' ? '' : Math.round(freeBytes / STEP_BYTES)
  const supervisor = `${supervisorSilent} ${supervisorLost}`
  return `${state} ${unreadable} ${room} ${diskStepOf(disk)} ${supervisor} ${commandLinesReadable}`
}
