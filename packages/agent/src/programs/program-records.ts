/** Writes down what a restarted agent must know of each program, also once a full disk has space again. */
import type { Logger } from 'pino'
import { isDiskFull } from '../host/disk.ts'
import type { Layout } from '../supervisor/layout.ts'
import type { ProgramBoard } from './program-board.ts'
import type { ProgramLogs } from './program-logs.ts'
import { peerOf, type Program } from './program.ts'
import * as programStore from './program.store.ts'
import type { StoredProgram } from './program.store.ts'

export interface ProgramRecordsOptions {
  layout: Layout
  board: ProgramBoard
  logs: ProgramLogs
  log: Logger
  /** Records cannot be written because the disk is full, or can be again. */
  onWrites?: (isFailing: boolean) => void
}

export class ProgramRecords {
  readonly #options: ProgramRecordsOptions
  readonly #unsaved = new Set<string>()

  constructor(options: ProgramRecordsOptions) {
    this.#options = options
  }

  /** A power cut does not lose it. */
  save(program: Program): void {
    this.#write(program, programStore.save)
  }

  /** A power cut may lose it. */
  saveSoon(program: Program): void {
    this.#write(program, programStore.saveSoon)
  }

  /** Readings are sums: they are kept over a restart of ours. */
  saveAll(): void {
    for (const program of this.#options.board.all()) this.saveSoon(program)
  }

  /** Programs with something not written, because the disk is full. */
  unsaved(): Program[] {
    return [...this.#unsaved].flatMap((id) => this.#options.board.find(id) ?? [])
  }

  /** Of `program` something could not be written; it is tried again. */
  noteUnsaved(program: Program, error: unknown): void {
    const { log, onWrites } = this.#options
    if (this.#unsaved.size === 0) {
      log.error({ reason: String(error) }, 'records of programs cannot be written')
    }
    this.#unsaved.add(program.id)
    onWrites?.(isDiskFull(error))
  }

  /** Its record stays; it is not written again. */
  forget(program: Program): void {
    this.#unsaved.delete(program.id)
  }

  /** A disk that takes nothing ends neither a stream nor the agent. */
  #write(program: Program, how: typeof programStore.save): void {
    try {
      how(this.#options.layout, this.#asStored(program))
    } catch (error) {
      return this.noteUnsaved(program, error)
    }
    if (this.#unsaved.delete(program.id) && this.#unsaved.size === 0)
      this.#options.onWrites?.(false)
  }

  #asStored(program: Program): StoredProgram {
    const { id, owner, spec, unit, ports, bus, revision, wanted } = program
    const { restarts, deathCause, changedByHand, written, sinceMs } = program
    const { pid, startedAtMs, runningRevision, observed, reading } = program
    const position = this.#options.logs.countedTo(program)
    const isUp = pid !== null && startedAtMs !== null
    return {
      id,
      owner,
      spec,
      unit: { ...unit, argv: [...unit.argv], secrets: [...unit.secrets] },
      ports: [...ports],
      bus,
      revision,
      wanted,
      restarts,
      deathCause,
      changedByHand,
      written,
      sinceMs,
      running: isUp ? { pid, startedAtMs, revision: runningRevision } : null,
      observed,
      peer: peerOf(program),
      counted: reading && position ? { reading, position } : null,
    }
  }
}
