/** First step of Sync: the server, and for a manager of several groups the group (CHAN-34, Q125). */
import { useQuery } from '@tanstack/react-query'
import { isAdminLevel } from '@trunkline/contract/roles'
import type { Server } from '@trunkline/contract/servers/server.schema'
import { type Form, type Sentences, useForm } from '../lib/form.hook.ts'
import { useHost } from '../lib/live-hooks.ts'
import { useRole, useSession } from '../lib/session.ts'
import { FormDialog } from '../shared/FormDialog.tsx'
import { groupsQuery } from '../shared/group.queries.ts'
import { Band } from '../ui/Notice.tsx'
import { SelectField } from '../ui/SelectField.tsx'
import * as text from './channel.messages.ts'
import { useChannelServers } from './channel.queries.ts'
import type { SyncPlace } from './sync.rules.ts'

export interface PlaceValues {
  serverId: string
  /** '' at admin level, where none is asked for. */
  groupId: string
}

interface SyncPlaceFormProps {
  initial: PlaceValues
  onChosen: (place: SyncPlace) => void
  onClose: () => void
}

type Group = NonNullable<SyncPlace['group']>

export function SyncPlaceForm({ initial, onChosen, onClose }: SyncPlaceFormProps) {
  const servers = useChannelServers()
  const groups = useOwnGroups()
  const start = groups?.find(({ _id }) => _id === initial.groupId) ?? groups?.[0]
  const form = useForm<PlaceValues>({
    initial: { ...initial, groupId: start?._id ?? '' },
    version: null,
    check: ({ serverId, groupId }) => missing(serverId, groups === null ? null : groupId),
    save: async ({ serverId, groupId }) => {
      const server = servers.data?.find(({ _id }) => _id === serverId)
      const group = groups?.find(({ _id }) => _id === groupId) ?? null
      if (server !== undefined) onChosen({ server, group })
      await Promise.resolve()
    },
    fallback: '',
  })
  const why = reasonAgainst(servers.data, groups)
  return (
    <FormDialog
      title="Sync channels"
      subtitle="Step 1 of 2"
      width={560}
      form={form}
      saveLabel="Continue"
      closeLabel="Close"
      inertReason={why}
      onClose={onClose}
    >
      {why !== null && (
        <Band family="warn" shape="triangle">
          {why}
        </Band>
      )}
      <ServerField form={form} servers={servers.data ?? []} isFailed={servers.isError} />
      {groups !== null && groups.length > 1 && <GroupField form={form} groups={groups} />}
    </FormDialog>
  )
}

/** Q125: whom a manager may choose among; null at admin level, where the server's groups are copied. */
function useOwnGroups(): readonly Group[] | null {
  const isAdmin = isAdminLevel(useRole())
  const own = useSession()?.user.groups ?? []
  const { data } = useQuery(groupsQuery())
  return isAdmin ? null : (data ?? own)
}

/** `groupId` null: none is asked for. */
function missing(serverId: string, groupId: string | null): Sentences<PlaceValues> {
  return {
    ...(serverId === '' ? { serverId: text.FIELD_REQUIRED } : {}),
    ...(groupId === '' ? { groupId: text.FIELD_REQUIRED } : {}),
  }
}

/** Why nobody can go on from here; null when one can. */
function reasonAgainst(
  servers: readonly Server[] | undefined,
  groups: readonly Group[] | null,
): string | null {
  if (groups?.length === 0) return text.NO_GROUP
  if (servers?.length !== 0) return null
  return groups === null ? text.NO_SERVER.admin : text.NO_SERVER.manager
}

interface ServerFieldProps {
  form: Form<PlaceValues>
  servers: readonly Server[]
  isFailed: boolean
}

function ServerField({ form, servers, isFailed }: ServerFieldProps) {
  const { serverId } = form.values
  const host = useHost(serverId)
  const silence = host?.online === false ? `${text.SILENT_NOW} ${host.cause}`.trim() : ''
  // Before the list is there, a server of the page's filter is none that could be shown.
  const isListed = servers.some(({ _id }) => _id === serverId)
  return (
    <SelectField
      data-autofocus
      label="Server"
      choices={[
        { value: '', label: text.SELECT_SERVER },
        ...(isListed || serverId === '' ? [] : [{ value: serverId, label: '…' }]),
        ...servers.map(({ _id, title }) => ({ value: _id, label: title })),
      ]}
      value={serverId}
      error={form.errorOf('serverId')}
      hint={isFailed ? text.SERVERS_FAILED : silence}
      onChange={(value) => form.set({ serverId: value })}
    />
  )
}

function GroupField({ form, groups }: { form: Form<PlaceValues>; groups: readonly Group[] }) {
  return (
    <SelectField
      label="Group"
      choices={[
        { value: '', label: text.SELECT_GROUP },
        ...groups.map(({ _id, title }) => ({ value: _id, label: title })),
      ]}
      value={form.values.groupId}
      error={form.errorOf('groupId')}
      hint="Who sees the new channels."
      onChange={(groupId) => form.set({ groupId })}
    />
  )
}
