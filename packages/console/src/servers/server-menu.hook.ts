/** What may be done to a server, for its row and for the command palette. */
import type { Server } from '@trunkline/contract/servers/server.schema'
import type { RowAction } from '../ui/button/RowButton.tsx'
import { useCheckServer, useIsBusy, useRemoveServer } from './server.actions.ts'
import { NO_AGENT, NOT_ENROLLED } from './server.messages.ts'

/** Each opens a dialog; the same function at every drawing, so that a row's buttons are drawn once. */
export interface ServerDialogs {
  onEdit: (server: Server) => void
  onTimeline: (server: Server) => void
  /** Opens the test of a link from there. */
  onTest: (server: Server) => void
  /** Opens how its connection is secured. */
  onSecure: (server: Server) => void
}

export function useServerMenu(server: Server, open: ServerDialogs): readonly RowAction[] {
  const { title, serverType } = server
  const remove = useRemoveServer(server)
  const check = useCheckServer(server)
  const { isRemoved, isChecked } = useIsBusy(server)
  const present = isRemoved ? '' : null
  const ofAgent = (reason: string) => (serverType === 'channel' ? reason : null)
  const plain = { tone: 'plain' } as const
  return [
    {
      ...plain,
      label: `Check ${title} now`,
      icon: 'refresh',
      disabledReason: isChecked ? '' : present,
      does: check,
    },
    {
      ...plain,
      label: `Test a link from ${title}`,
      icon: 'move',
      disabledReason: present ?? ofAgent(NO_AGENT),
      does: () => open.onTest(server),
    },
    {
      ...plain,
      label: `Timeline of ${title}`,
      icon: 'history',
      disabledReason: null,
      does: () => open.onTimeline(server),
    },
    {
      ...plain,
      label: `Secure connection of ${title}`,
      icon: 'lock',
      disabledReason: present ?? ofAgent(NOT_ENROLLED),
      does: () => open.onSecure(server),
    },
    {
      ...plain,
      label: `Edit ${title}`,
      icon: 'pencil',
      disabledReason: present,
      does: () => open.onEdit(server),
    },
    {
      label: `Delete ${title}`,
      icon: 'bin',
      tone: 'danger',
      disabledReason: present,
      does: () => void remove(),
    },
  ]
}
