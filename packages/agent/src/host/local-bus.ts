/**
 * Multicast on the loopback interface, found out by sending and receiving (decisions.md 2): it
 * needs no route and no root, but a kernel or a container may forbid it.
 */
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

export interface LocalBus {
  works: boolean
  /** Why it does not, for operators; '' when it works. */
  reason: string
}

/** Of the range that the API gives to inputs, beside all that it gives (239.255.x.y). */
const PROBE_GROUP = '239.255.255.254'
const LOOPBACK = '127.0.0.1'
const ANSWER_LIMIT_MS = 1000

export async function probeLocalBus(): Promise<LocalBus> {
  const receiver = createSocket({ type: 'udp4', reuseAddr: true })
  const sender = createSocket('udp4')
  try {
    await exchange(receiver, sender)
    return { works: true, reason: '' }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return {
      works: false,
      reason: `Multicast on the loopback interface does not work here: ${words}. An input then serves one output only.`,
    }
  } finally {
    receiver.close()
    sender.close()
  }
}

async function exchange(receiver: Socket, sender: Socket): Promise<void> {
  await bind(receiver, PROBE_GROUP)
  receiver.addMembership(PROBE_GROUP, LOOPBACK)
  await bind(sender, LOOPBACK)
  sender.setMulticastInterface(LOOPBACK)
  sender.setMulticastTTL(1)
  const signal = AbortSignal.timeout(ANSWER_LIMIT_MS)
  const arrival = once(receiver, 'message', { signal }).catch(() => {
    throw new Error('what is sent does not arrive')
  })
  const word = `trunkline ${process.pid}`
  await new Promise<void>((resolve, reject) => {
    sender.send(word, receiver.address().port, PROBE_GROUP, (error) =>
      error ? reject(error) : resolve(),
    )
  }).catch((error: unknown) => {
    // Nobody awaits the arrival any more.
    void arrival.catch(() => undefined)
    throw error
  })
  await arrival
}

async function bind(socket: Socket, address: string): Promise<void> {
  const bound = once(socket, 'listening')
  socket.bind({ port: 0, address })
  await bound
}
