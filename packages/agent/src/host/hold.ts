/**
 * A name that one process of this machine has at a time, until it lets go of it or ends, however it
 * ends: the name of an abstract unix socket, which the kernel keeps and no file stands for.
 */
import { createServer } from 'node:net'

const PREFIX = '\0trunkline-'

/** Null when another has it, or this process itself. */
export async function holdName(name: string): Promise<AsyncDisposable | null> {
  const server = createServer((socket) => socket.destroy())
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  server.once('listening', () => resolve(true))
  server.once('error', (error: NodeJS.ErrnoException) =>
    error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
  )
  server.listen({ path: PREFIX + name })
  if (!(await promise)) return null
  server.unref()
  return {
    async [Symbol.asyncDispose]() {
      await new Promise((done) => server.close(done))
    },
  }
}
