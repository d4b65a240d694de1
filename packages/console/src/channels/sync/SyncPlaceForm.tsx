/** First step of Sync: the server, and for a manager of several groups the group (CHAN-34, Q125). */
import { isAdminLevel } from '@trunkline/contract/roles'
import { FormSelect } from '../../forms/DialogFields.tsx'
import { type Form, type Sentences, useForm } from '../../forms/form.hook.ts'
import { useHost } from '../../lib/live/live-hooks.ts'
import { useRole } from '../../lib/session.ts'
import { useChoices } from '../../shared/choices/choices.hook.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { useGroupChoices } from '../../shared/choices/group.queries.ts'
import { CHANNEL_SERVERS } from '../../shared/choices/server.queries.ts'
import { Band } from '../../ui/notice/Notice.tsx'
import * as text from '../channel.messages.ts'
import type { SyncPlace } from './sync.rules.ts'

export interface PlaceValues {
  serverId: string
  /** '' at admin level, where none is asked for. */
  groupId: string
  /** Names of streams of that server, from the second step. */
  unticked: { serverId: string; names: readonly string[] }
}

/** What is chosen in both steps outlives the end of the session under this name. */
export const SYNC_KEPT_AS = ['sync']

interface SyncPlaceFormProps {
  initial: PlaceValues
  onChosen: (place: SyncPlace, unticked: readonly string[]) => void
  onClose: () => void
}

export function SyncPlaceForm({ initial, onChosen, onClose }: SyncPlaceFormProps) {
  const isAdmin = isAdminLevel(useRole())
  const servers = useChoices(CHANNEL_SERVERS, '')
  const groups = useGroupChoices(initial.groupId, !isAdmin)
  // Q125: whom a manager may choose among; at admin level the groups of the server are copied.
  const start = isAdmin ? null : (groups.known(initial.groupId) ?? groups.rows[0])
  const form = useForm<PlaceValues>({
    initial: { ...initial, groupId: start?._id ?? '' },
    version: null,
    check: ({ serverId, groupId }) => missing(serverId, isAdmin ? null : groupId),
    save: async ({ serverId, groupId, unticked }) => {
      const server = servers.known(serverId)
      const group = isAdmin ? null : groups.known(groupId)
      if (server !== null)
        onChosen({ server, group }, unticked.serverId === serverId ? unticked.names : [])
      await Promise.resolve()
    },
    keptAs: SYNC_KEPT_AS,
    labels: { serverId: 'Server', groupId: 'Group' },
    fallback: '',
  })
  const hasGroup = isAdmin || groups.total > 0
  const why = reasonAgainst({ isAdmin, hasGroup, hasServer: !servers.isRead || servers.total > 0 })
  return (
    <FormDialog
      title="Sync channels"
      subtitle="Step 1 of 2"
      width={560}
      form={form}
      saveLabel="Continue"
      closeLabel="Close"
      disabledReason={why}
      onClose={onClose}
    >
      {why !== null && (
        <Band family="warn" shape="triangle">
          {why}
        </Band>
      )}
      <ServerField form={form} />
      {!isAdmin && groups.total > 1 && <GroupField form={form} />}
    </FormDialog>
  )
}

/** `groupId` null: none is asked for. */
function missing(serverId: string, groupId: string | null): Sentences<PlaceValues> {
  return {
    ...(serverId === '' ? { serverId: text.FIELD_REQUIRED } : {}),
    ...(groupId === '' ? { groupId: text.FIELD_REQUIRED } : {}),
  }
}

interface Site {
  isAdmin: boolean
  hasGroup: boolean
  hasServer: boolean
}

/** Why nobody can go on from here; null when one can. */
function reasonAgainst({ isAdmin, hasGroup, hasServer }: Site): string | null {
  if (!hasGroup) return text.NO_GROUP
  if (hasServer) return null
  return isAdmin ? text.NO_SERVER.admin : text.NO_SERVER.manager
}

interface FieldProps {
  form: Form<PlaceValues>
}

function ServerField({ form }: FieldProps) {
  const { serverId } = form.values
  const { rows, more, onType, isError } = useChoices(CHANNEL_SERVERS, serverId)
  const host = useHost('server', serverId)
  const silence = host?.online === false ? `${text.SILENT_NOW} ${host.cause}`.trim() : ''
  // Before the list is there, a server of the page's filter is none that could be shown.
  const isListed = rows.some(({ _id }) => _id === serverId)
  return (
    <FormSelect
      form={form}
      name="serverId"
      data-autofocus
      choices={[
        { value: '', label: text.SELECT_SERVER },
        ...(isListed || serverId === '' ? [] : [{ value: serverId, label: '…' }]),
        ...rows.map(({ _id, title }) => ({ value: _id, label: title })),
      ]}
      more={more}
      onType={onType}
      hint={isError ? text.SERVERS_FAILED : silence}
    />
  )
}

function GroupField({ form }: FieldProps) {
  const { rows, more, onType } = useGroupChoices(form.values.groupId)
  return (
    <FormSelect
      form={form}
      name="groupId"
      choices={[
        { value: '', label: text.SELECT_GROUP },
        ...rows.map(({ _id, title }) => ({ value: _id, label: title })),
      ]}
      more={more}
      onType={onType}
      hint="Who sees the new channels."
    />
  )
}
