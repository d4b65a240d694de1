/** What may be done to a channel beside switching and restarting it, for its row and for the command palette. */
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import { controlFor } from '@trunkline/contract/role-table'
import { useRole } from '../../lib/session.ts'
import { usePathAction } from '../../paths/path.actions.ts'
import { useOnAirActions } from '../../shared/on-air/on-air.actions.ts'
import type { MenuAction } from '../../ui/button/Menu.tsx'
import { useRemoveChannel } from '../channel.actions.ts'
import { TAKE_OUT } from '../channel.messages.ts'

/** Below manager level its signal path alone. */
export function useChannelMenu(
  channel: Channel,
  onEdit: () => void,
): readonly (readonly MenuAction[])[] {
  const { id, title, serverId, name: streamName } = channel
  const remove = useRemoveChannel(channel)
  const path = usePathAction({ kind: 'channel', id })
  const onAir = useOnAirActions({ kind: 'channel', id, title, stream: { serverId, streamName } })
  if (controlFor(useRole(), 'removeChannel') !== 'usable') return [[path]]
  return [
    [path, ...onAir, { label: 'Edit title', icon: 'pencil', tone: 'plain', does: onEdit }],
    [{ label: TAKE_OUT, icon: 'bin', tone: 'danger', does: () => void remove() }],
  ]
}
