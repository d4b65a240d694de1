/** How a call says which objects it touches. */
import type { BodyOf, ParamsOf, Route } from '@trunkline/contract/route'
import type { Context } from '../context.ts'
import type { PathKey } from '../paths/path-source.ts'
import type { Actor } from '../security/actor.ts'

export interface Interruption<T extends Route> {
  call: T
  find: (
    ctx: Context,
    actor: Actor,
    input: { params: ParamsOf<T>; body: BodyOf<T> },
  ) => Promise<PathKey[]>
}

/** Keeps the types of the call for its function, and lets the lists hold calls of every kind. */
export function interruption<T extends Route>(
  call: T,
  find: Interruption<T>['find'],
): Interruption<Route> {
  return { call, find: find as unknown as Interruption<Route>['find'] }
}
