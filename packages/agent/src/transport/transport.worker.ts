/**
 * Reads local buses in a thread of its own: packets hold up no command of the agent, and the agent's
 * work makes no packet look late.
 */
import { parentPort } from 'node:worker_threads'
import { BusListener } from './bus-listener.ts'
import type { ListenerAnswer, ListenerRequest } from './listener.messages.ts'

const listeners = new Map<string, BusListener>()

/** Packets are handed over, not copied. */
function send(answer: ListenerAnswer): void {
  const packets = answer.type === 'window' ? answer.packets : null
  parentPort?.postMessage(answer, packets === null ? [] : [packets.buffer])
}

function listen({
  key,
  leg,
  windowMs,
  keepsPackets,
}: Extract<ListenerRequest, { type: 'listen' }>): void {
  stop(key)
  const listener = new BusListener({
    leg,
    windowMs,
    keepsPackets,
    onWindow: (taken) => send({ type: 'window', key, ...taken }),
    onFailure: (reason) => send({ type: 'failed', key, reason }),
  })
  listeners.set(key, listener)
}

function stop(key: string): void {
  listeners.get(key)?.[Symbol.dispose]()
  listeners.delete(key)
}

parentPort?.on('message', (request: ListenerRequest) => {
  if (request.type === 'listen') listen(request)
  else stop(request.key)
})
