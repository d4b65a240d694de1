import type { HostFailure } from '@trunkline/contract/agent/host-link.messages'
import { hostTimeout } from '../errors.ts'

/** A sentence or two; a broken host must not fill the screen, nor the record of activity. */
const MAX_MESSAGE_CHARACTERS = 1000

/** The host answered that it will not or cannot; its message is an operator's sentence. */
export class HostFault extends Error {
  readonly code: 'not_found' | 'refused' | 'invalid' | 'failed'

  constructor(code: HostFault['code'], message: string) {
    super(message.slice(0, MAX_MESSAGE_CHARACTERS))
    this.code = code
  }
}

/** Of a call that the host has answered by a failure. */
export function errorOf({ code, message }: HostFailure): Error {
  return code === 'timeout' ? hostTimeout(message) : new HostFault(code, message)
}
