/**
 * A call that adds an object. Sent again with the same key, because its answer was lost, it adds no
 * second: the id of the object comes of the key, and no two rows of a table have the same.
 */
import {
  ADDITION_KEY_CHARACTERS,
  ADDITION_KEY_HEADER,
  type ReplyOf,
  type Route,
} from '@trunkline/contract/route'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { AppError, invalid } from '../errors.ts'
import { idOf, newId } from '../id.ts'
import type { SignedIn } from '../session/session-memory.ts'
import type { WithParts } from '../in-slices.ts'
import { mount, type CallInput } from './mount.ts'

/** `added`: what `add` has answered, of the object with that id; throws NotFound where there is none. */
export function mountAdd<T extends Route>(
  app: FastifyInstance,
  ctx: Context,
  call: T,
  add: (input: CallInput<T>, actor: SignedIn, id: string) => Promise<WithParts<ReplyOf<T>>>,
  added: (ctx: Context, actor: SignedIn, id: string) => Promise<WithParts<ReplyOf<T>>>,
): void {
  if (!call.addsObject) throw new Error(`${call.name} does not say that it adds an object.`)
  mount(app, ctx, call, async (input, actor) => {
    const key = checkedKey(input.additionKey)
    if (key === '') return add(input, actor, newId())
    // Of this person and call: nobody meets the object of somebody else's key.
    const id = idOf([actor.id, call.name, key].join('\n'))
    const before = await foundOrNull(added(ctx, actor, id))
    if (before !== null) return before
    try {
      return await add(input, actor, id)
    } catch (error) {
      // The first of the two was carried out meanwhile.
      const meanwhile = await foundOrNull(added(ctx, actor, id))
      if (meanwhile === null) throw error
      return meanwhile
    }
  })
}

function checkedKey(key: string): string {
  if (key.length <= ADDITION_KEY_CHARACTERS) return key
  throw invalid(
    ADDITION_KEY_HEADER,
    `must be at most ${ADDITION_KEY_CHARACTERS} characters long. Shorten it.`,
  )
}

async function foundOrNull<R>(reading: Promise<R>): Promise<R | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}
