/** Notices edits of the programs' files as they happen, and checks all of them once a minute. */
import { watch, type FSWatcher } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { ProgramId } from '@trunkline/contract/agent/program.messages'
import type { Context } from '../context.ts'
import { findManualChange } from './manual-change.ts'

const LOOK_MS = 60_000

/** Our own writes are seen too: the check finds them to be ours. */
export function watchManualChanges(ctx: Context): Disposable {
  const { unitsDir, sectionsDir, programsDir } = ctx.supervisor.layout
  const looks = new Looks(ctx)
  const watchers = [unitsDir, sectionsDir, programsDir].flatMap((folder) => {
    const watcher = watchFolder(ctx, folder, (programId) => looks.lookAt(programId))
    return watcher ? [watcher] : []
  })
  const timer = setInterval(() => void looks.lookAtAll(), LOOK_MS)
  return {
    [Symbol.dispose]() {
      clearInterval(timer)
      for (const watcher of watchers) watcher.close()
    },
  }
}

/** Null where the system has no watch left to give: the minute's look remains. */
function watchFolder(
  ctx: Context,
  folder: string,
  onChange: (programId: string) => void,
): FSWatcher | null {
  try {
    const watcher = watch(folder, (_event, name) => {
      const programId = name?.replace(/\.(sh|conf|json)$/, '') ?? ''
      if (ProgramId.safeParse(programId).success) onChange(programId)
    })
    watcher.on('error', (error) => {
      ctx.log.warn({ folder, reason: error.message }, 'a folder is no longer watched')
    })
    return watcher
  } catch (error) {
    ctx.log.warn({ folder, reason: String(error) }, 'a folder cannot be watched')
    return null
  }
}

/** One write is several events: one look at a program waits at a time. */
class Looks {
  readonly #ctx: Context
  readonly #waiting = new Set<string>()

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  lookAt(programId: string): void {
    if (this.#waiting.has(programId) || !this.#ctx.board.find(programId)) return
    this.#waiting.add(programId)
    // Before the look, not after: what is changed while it looks is looked at again.
    void this.#ctx.board
      .enqueue(programId, async () => {
        this.#waiting.delete(programId)
      })
      .then(async () => findManualChange(this.#ctx, programId))
      .catch((error: unknown) => {
        this.#ctx.log.warn({ programId, reason: String(error) }, 'its files cannot be looked at')
      })
  }

  /** A few hundred programs are two files each: whoever asks meanwhile is answered in between. */
  async lookAtAll(): Promise<void> {
    for (const { id } of this.#ctx.board.all()) {
      this.lookAt(id)
      await setImmediate()
    }
  }
}
