/** Where an object is opened: its settings, its opened row or detail, or its list searched for it. */
import { useNavigate } from '@tanstack/react-router'
import { storage } from '../../lib/storage.ts'
import type { ShowDialog } from './ActionOptions.tsx'
import { TEMPLATES_DIALOG } from './dialogs.loader.ts'
import type { FoundObject } from './found-object.rules.ts'

export function useOpenObject(onDialog: ShowDialog): (object: FoundObject) => void {
  const navigate = useNavigate()
  return (object) => {
    const { content, id, title } = object
    switch (content.kind) {
      case 'encoder':
        return void navigate({ to: '/dashboard/edit_encoder/$id', params: { id } })
      case 'feeder': {
        const params = { id: content.encoder.id }
        const search = { tab: 'feeder', open: id }
        return void navigate({ to: '/dashboard/edit_encoder/$id', params, search })
      }
      case 'input': {
        const { serverId, groupId } = content.link
        const params = { serverId, groupId, id }
        return void navigate({ to: '/dashboard/$serverId/$groupId/contribution/$id', params })
      }
      case 'output': {
        const params = { serverId: content.link.serverId, outputId: id }
        return void navigate({ to: '/dashboard/$serverId/output_edit/$outputId', params })
      }
      case 'channel':
        return void navigate({ to: '/dashboard/channel', search: { open: id } })
      case 'destination': {
        const search = { tab: 'destinations', open: id }
        return void navigate({ to: '/dashboard/contribution', search })
      }
      case 'server':
        // The group that the list was narrowed to may be another.
        storage.serverGroupId.write('')
        return void navigate({ to: '/dashboard/server', search: { search: title } })
      case 'template':
        return onDialog(TEMPLATES_DIALOG, {})
      case 'group':
        return void navigate({ to: '/dashboard/group', search: { search: title } })
      case 'user':
        storage.userGroupId.write('')
        return void navigate({ to: '/dashboard/userManager', search: { search: title } })
    }
  }
}

/** Opens the outputs of an input, or those to a destination, as the page of contributions does. */
export function useShowOutputs(): (only: { input?: string; destination?: string }) => void {
  const navigate = useNavigate()
  return (only) => {
    const search = { tab: 'outputs', input: '', destination: '', ...only }
    void navigate({ to: '/dashboard/contribution', search })
  }
}
