/** What a list of encoders is cut to (matrix row F). */
import { isAdminLevel } from '@trunkline/contract/roles'
import type { Actor } from '../security/actor.ts'

export type EncoderScope =
  | { by: 'all' }
  | { by: 'groups'; groupIds: readonly string[] }
  /** Those that this editor is assigned to, across groups (Q32). */
  | { by: 'editor'; userId: string }

export function encoderScope(actor: Actor): EncoderScope {
  if (isAdminLevel(actor.role)) return { by: 'all' }
  if (actor.role === 'editor') return { by: 'editor', userId: actor.id }
  return { by: 'groups', groupIds: actor.groupIds }
}
