/** What looks at every call of a signed-in person before it is carried out, and may refuse it. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Route } from '@trunkline/contract/route'
import type { Context } from '../context.ts'
import type { Actor } from '../security/actor.ts'

export interface GuardedCall {
  call: Pick<Route, 'name'>
  /** As the contract has parsed them. */
  input: { params: unknown; query: unknown; body: unknown }
  actor: Actor
  headers: IncomingHttpHeaders
}

/** Throws what the caller is answered; resolves when the call may be carried out. */
export type CallGuard = (guarded: GuardedCall) => Promise<void>

const guards = new WeakMap<Context, CallGuard>()

export function guardCalls(ctx: Context, guard: CallGuard): void {
  guards.set(ctx, guard)
}

export function callGuardOf(ctx: Context): CallGuard | undefined {
  return guards.get(ctx)
}
