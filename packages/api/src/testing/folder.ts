/** Temporary folders of tests. */
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of this test run; gone after it. */
    apiFolder: string
  }
}

/** An empty folder; removed when disposed, and at the latest when the test run ends. */
export async function makeFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(inject('apiFolder'), 'test-'))
  const remove = async () => rm(path, { recursive: true, force: true })
  return { path, [Symbol.asyncDispose]: remove }
}

/** For processes that a test starts from the sources: what one has compiled the next ones load. */
export function compileCache(): { NODE_COMPILE_CACHE: string } {
  return { NODE_COMPILE_CACHE: join(inject('apiFolder'), 'compile-cache') }
}
