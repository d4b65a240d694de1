/** What else can be done with a channel of the list; nothing, and so no button, below manager level. */
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import { controlFor } from '@trunkline/contract/role-table'
import { useRole } from '../../lib/session.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Menu } from '../../ui/button/Menu.tsx'
import { TAKE_OUT } from '../channel.messages.ts'
import { useIsRemoved, useRemoveChannel } from '../channel-remove.actions.ts'

export function ChannelMenu({ channel, onEdit }: { channel: Channel; onEdit: () => void }) {
  const remove = useRemoveChannel(channel)
  const isRemoved = useIsRemoved(channel)
  if (controlFor(useRole(), 'removeChannel') !== 'usable') return null
  return (
    <Menu
      label={`More for ${channel.title}`}
      disabledReason={isRemoved ? '' : null}
      groups={[
        [{ label: 'Edit title', icon: 'pencil', tone: 'plain', does: onEdit }],
        [{ label: TAKE_OUT, icon: 'bin', tone: 'danger', does: () => void remove() }],
      ]}
    />
  )
}

/** Of a channel whose stream is gone (Q129): plainly, since there is nothing else to do with it. */
export function TakeOutButton({ channel }: { channel: Channel }) {
  const remove = useRemoveChannel(channel)
  const isRemoved = useIsRemoved(channel)
  if (controlFor(useRole(), 'removeChannel') !== 'usable') return null
  return (
    <Button
      size={28}
      icon="bin"
      aria-label={`${TAKE_OUT} ${channel.title}`}
      disabledReason={isRemoved ? '' : null}
      onClick={() => void remove()}
    >
      {TAKE_OUT}
    </Button>
  )
}
