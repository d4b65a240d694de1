/** Lists that each API process holds whole: read at its start, and again when one of any process was changed. */
import type { Context } from '../context.ts'
import type { ObjectNotice } from '../notices.ts'

export interface KeptInMemory extends AsyncDisposable {
  /** Resolves when the first reading has ended, or failed. */
  readonly opened: Promise<void>
}

export function keepInMemory(
  { log, notices }: Pick<Context, 'log' | 'notices'>,
  kind: ObjectNotice['kind'],
  refresh: () => Promise<void>,
  failed: string,
): KeptInMemory {
  let reading: Promise<void> = Promise.resolve()
  const read = async () => {
    reading = reading.then(refresh).catch((error: unknown) => log.error({ err: error }, failed))
    return reading
  }
  const stop = notices.listen((notice) => {
    if (notice.kind === kind) void read()
  })
  return {
    opened: read(),
    async [Symbol.asyncDispose]() {
      stop()
      await reading
    },
  }
}
