/** Who may see which channel (matrix rows AH to AM); who may change one is the call's own list. */
import { isAdminLevel } from '@trunkline/contract/roles'
import type { Actor } from '../security/actor.ts'

export function seesChannel(actor: Actor, channel: { groupIds: readonly string[] }): boolean {
  return (
    isAdminLevel(actor.role) || channel.groupIds.some((groupId) => actor.groupIds.includes(groupId))
  )
}
