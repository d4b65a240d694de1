/** Whether a caller and a listener, found by address and port, are the two ends of one link. */
import type { StreamAddress } from '@trunkline/contract/channels/stream-address.rules'
import type { InputType } from '@trunkline/contract/contributions/input.schema'

const LOOPBACK = /^(127\.\d{1,3}\.\d{1,3}\.\d{1,3}|localhost)$/

/** A loopback address means the caller's own host, whoever else has the same one. */
export function isReached(call: {
  address: string
  callerHost: string
  listenerHost: string
}): boolean {
  return !LOOPBACK.test(call.address) || isSameMachine(call.callerHost, call.listenerHost)
}

function isSameMachine(a: string, b: string): boolean {
  const [caller, listener] = [a.toLowerCase(), b.toLowerCase()]
  return caller === listener || (LOOPBACK.test(caller) && LOOPBACK.test(listener))
}

/** Null of a Local input, which takes no calls. */
export function protocolOfInput(type: InputType): StreamAddress['protocol'] | null {
  if (type === 'Local') return null
  return type === 'RIST' ? 'rist' : 'srt'
}
