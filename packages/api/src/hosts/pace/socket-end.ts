/** What Node and ws do when the other end closes a connection, in its turn. */
import type { Socket } from 'node:net'
import type { TasksInSlices } from '../../in-slices.ts'

/** Call it once all that listens to the end of this socket does so. */
export function endInTurn(socket: Socket, turns: TasksInSlices): void {
  // Else Node answers the end by itself, at once.
  socket.allowHalfOpen = true
  const listeners = socket.listeners('end')
  socket.removeAllListeners('end')
  socket.on('end', () => {
    turns.add(() => {
      if (socket.destroyed) return
      for (const listener of listeners) listener.call(socket)
    })
  })
}
