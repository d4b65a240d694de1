/** What a new input or output needs to be known before its page opens: server and group, or input. */
import { useNavigate } from '@tanstack/react-router'
import { isAdminLevel } from '@trunkline/contract/roles'
import { useState } from 'react'
import { FormSelect } from '../../forms/DialogFields.tsx'
import { type Form, useForm } from '../../forms/form.hook.ts'
import { useRole, useSession } from '../../lib/session.ts'
import { useChoices } from '../../shared/choices/choices.hook.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { useGroupChoices } from '../../shared/choices/group.queries.ts'
import { GATEWAYS } from '../../shared/choices/server.queries.ts'
import {
  FIELD_REQUIRED,
  SELECT_GROUP,
  SELECT_INPUT,
  SELECT_SERVER,
} from '../contribution.messages.ts'
import { INPUTS } from '../contribution.queries.ts'

export interface AddLinkDialogProps {
  onClose: () => void
}

const LABELS = { serverId: 'Server', groupId: 'Group', inputId: 'Input' }

interface PlaceValues {
  serverId: string
  groupId: string
}

/** CON-IN-28, DLG-09, DLG-10. */
export function AddInputDialog({ onClose }: AddLinkDialogProps) {
  const navigate = useNavigate()
  const initial = { serverId: '', groupId: useFirstGroup() }
  const form = useForm<PlaceValues>({
    initial,
    version: null,
    check: required,
    save: async ({ serverId, groupId }) => {
      onClose()
      await navigate({
        to: '/dashboard/$serverId/$groupId/contribution/$id',
        params: { serverId, groupId, id: 'new' },
      })
    },
    labels: LABELS,
    fallback: '',
  })
  return (
    <FormDialog title="Add Input" width={440} form={form} saveLabel="Continue" onClose={onClose}>
      <ServerSelect form={form} />
      <GroupSelect form={form} />
    </FormDialog>
  )
}

function required<T extends object>(values: T): Partial<Record<keyof T & string, string>> {
  const missing = Object.entries(values).filter(([, value]) => value === '')
  return Object.fromEntries(missing.map(([name]) => [name, FIELD_REQUIRED])) as Partial<
    Record<keyof T & string, string>
  >
}

/** DLG-10: a manager's first group; others choose. */
function useFirstGroup(): string {
  const session = useSession()
  const isChosen = isAdminLevel(useRole())
  return isChosen ? '' : (session?.user.groups[0]?._id ?? '')
}

function ServerSelect({ form }: { form: Form<PlaceValues> }) {
  const { rows, more, onType, isError } = useChoices(GATEWAYS, form.values.serverId)
  return (
    <FormSelect
      form={form}
      name="serverId"
      data-autofocus
      choices={[
        { value: '', label: SELECT_SERVER, isDisabled: form.values.serverId !== '' },
        ...rows.map(({ _id, title }) => ({ value: _id, label: title })),
      ]}
      more={more}
      onType={onType}
      hint={isError ? 'The servers could not be read. Close this and try again.' : ''}
    />
  )
}

function GroupSelect({ form }: { form: Form<PlaceValues> }) {
  const { rows: groups, more, onType } = useGroupChoices(form.values.groupId)
  return (
    <FormSelect
      form={form}
      name="groupId"
      choices={[
        { value: '', label: SELECT_GROUP, isDisabled: form.values.groupId !== '' },
        ...groups.map(({ _id, title }) => ({ value: _id, label: title })),
      ]}
      more={more}
      onType={onType}
    />
  )
}

interface InputValues {
  inputId: string
}

/** CON-OUT-11, CON-OUT-12, DLG-11. */
export function AddOutputDialog({ onClose }: AddLinkDialogProps) {
  const navigate = useNavigate()
  const [chosenId, setChosenId] = useState('')
  const { rows, chosen, more, onType, isError } = useChoices(INPUTS, chosenId)
  const form = useForm<InputValues>({
    initial: { inputId: '' },
    version: null,
    check: required,
    save: async () => {
      if (chosen === null) return
      onClose()
      const { serverId, id } = chosen
      await navigate({ to: '/dashboard/$serverId/output/$id', params: { serverId, id } })
    },
    labels: LABELS,
    fallback: '',
  })
  return (
    <FormDialog title="Add Output" width={440} form={form} saveLabel="Continue" onClose={onClose}>
      <FormSelect
        form={form}
        name="inputId"
        data-autofocus
        choices={[
          { value: '', label: SELECT_INPUT, isDisabled: chosenId !== '' },
          ...rows.map(({ id, title }) => ({ value: id, label: title })),
        ]}
        more={more}
        onType={onType}
        hint={isError ? 'The inputs could not be read. Close this and try again.' : ''}
        onChange={(inputId) => {
          setChosenId(inputId)
          form.set({ inputId })
        }}
      />
    </FormDialog>
  )
}
