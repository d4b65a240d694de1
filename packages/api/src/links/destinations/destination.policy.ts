/** Which group a destination is in: an admin says so, a manager's joins their first group (CON-DEST-05). */
import { mayDo } from '@trunkline/contract/role-table'
import { forbidden, invalid, refused } from '../../errors.ts'
import type { Actor } from '../../security/actor.ts'

/**
 * Of a new destination; a manager who names another than their first group is refused, as in a
 * save.
 */
export function groupOfNew(actor: Actor, asked: string | undefined): string {
  if (mayDo(actor.role, 'chooseDestinationGroup')) {
    if (asked !== undefined) return asked
    throw invalid('groupId', 'must name the group of this destination. Choose one.')
  }
  const [first] = actor.groupIds
  if (asked !== undefined && asked !== first) {
    throw forbidden(
      'Only an admin may choose the group of a destination. Leave it out, or ask one.',
    )
  }
  if (first !== undefined) return first
  throw refused('You are in no group that a destination could join. Ask an admin for one.')
}

/**
 * Of a saved destination: absent stays, and moving it to another group is for those who may choose.
 */
export function groupOfSaved(actor: Actor, asked: string | undefined, stored: string): string {
  if (asked === undefined || asked === stored) return stored
  if (mayDo(actor.role, 'chooseDestinationGroup')) return asked
  throw forbidden('Only an admin may move a destination to another group. Ask one.')
}

/** Of a copy; null where it is the caller's own, as of any new one. */
export function groupOfClone(actor: Actor, original: string): string | null {
  return mayDo(actor.role, 'chooseDestinationGroup') ? original : null
}
