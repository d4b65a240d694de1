/**
 * Which calls may interrupt a stream, and what each of them touches. A call that changes something
 * stands here or in INTERRUPTS_NOTHING: a test holds both against the contract.
 */
import type { Route } from '@trunkline/contract/route'
import type { Context } from '../context.ts'
import type { GuardedCall } from '../http/call-guard.ts'
import type { PathKey } from '../paths/path-source.ts'
import type { Actor } from '../security/actor.ts'
import { CHANNEL_INTERRUPTIONS } from './channel-interruption.service.ts'
import { ENCODER_INTERRUPTIONS } from './encoder-interruption.service.ts'
import { LINK_INTERRUPTIONS } from './link-interruption.service.ts'
import type { Interruption } from './interruption.ts'

type Find = (
  ctx: Context,
  actor: Actor,
  input: Pick<GuardedCall['input'], 'params' | 'body'>,
) => Promise<PathKey[]>

interface Guarded {
  call: Route
  find: Find
}

/** By the name of the call. The objects whose signal stops or changes; none when the call as made interrupts nothing. */
export const INTERRUPTIONS: ReadonlyMap<string, Guarded> = new Map(
  [...ENCODER_INTERRUPTIONS, ...LINK_INTERRUPTIONS, ...CHANNEL_INTERRUPTIONS].map(
    ({ call, find }: Interruption<Route>) => [call.name, { call, find: find as Find }],
  ),
)
