/** Why an encoder may not be at an address, or not with this key. */
import { hostKeyOf } from '@trunkline/contract/servers/server.schema'

export interface KeyRefusal {
  field: 'apiKey' | 'ip'
  sentence: string
}

/** Same host, same key (decisions.md 7). */
export function keyDiffers(ip: string, port: number): KeyRefusal {
  return {
    field: 'apiKey',
    sentence: `Another encoder of ${hostKeyOf(ip)}:${port} has another key. Leave apiKey empty to use that key, or change it there first.`,
  }
}

/** To who sees none of the encoders of that host. */
export function hostOfAnotherGroup(ip: string, port: number): KeyRefusal {
  return {
    field: 'ip',
    sentence: `The host ${hostKeyOf(ip)}:${port} is in use by another group. Ask an admin to add this encoder.`,
  }
}

/** Matrix row K. */
export const MAY_NOT_SET_KEY = 'Only an admin may set an API key. Leave apiKey empty.'

/** Matrix row K: the stored key goes wherever the address says. */
export const MAY_NOT_SEND_KEY =
  'Only an admin may move an encoder to an address of no other encoder: its API key goes there with it. Ask an admin.'
