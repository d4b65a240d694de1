/** Calls about one object, which the path names by its id. */
import { z } from 'zod'
import { success } from './reply.schema.ts'
import type { Action } from './role-table.ts'
import { route } from './route.ts'
import { Id } from './text.schema.ts'

export const ById = z.object({ id: Id })

/** Removes the object, and answers its id. */
export function removal(name: string, path: string, action: Action) {
  const reply = success({ id: z.string() })
  return route({ name, method: 'DELETE', path, action, params: ById, reply })
}
