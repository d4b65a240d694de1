/** Of a person who is not the manager's alone: out of the manager's own group, or of one of several. */
import type { User } from '@trunkline/contract/users/user.schema'
import { IconButton } from '../../ui/button/Button.tsx'
import { Menu } from '../../ui/button/Menu.tsx'
import { useRemoveFromGroup } from '../user.actions.ts'

interface RemoveFromGroupProps {
  /** `groups`: those that the viewer shares with them. */
  user: User
  disabledReason: string | null
}

export function RemoveFromGroup({ user, disabledReason }: RemoveFromGroupProps) {
  const remove = useRemoveFromGroup(user)
  const [first, ...more] = user.groups
  if (first === undefined) return null
  if (more.length === 0) {
    return (
      <IconButton
        icon="out"
        label={`Remove from ${first.title}: ${user.fullName}`}
        size={28}
        tone="quiet"
        disabledReason={disabledReason}
        onClick={() => void remove(first)}
      />
    )
  }
  return (
    <Menu
      label={`Remove from a group: ${user.fullName}`}
      groups={[
        user.groups.map((group) => ({
          label: `Remove from ${group.title}`,
          icon: 'out',
          tone: 'danger',
          does: () => void remove(group),
        })),
      ]}
      disabledReason={disabledReason}
    />
  )
}
