/** Role, and the group that goes with it, of somebody else (USER-19 to USER-27). */
import type { Role } from '@trunkline/contract/roles'
import type { GroupRef } from '@trunkline/contract/session/session.schema'
import { useState } from 'react'
import { FormSelect } from '../../forms/DialogFields.tsx'
import type { Form } from '../../forms/form.hook.ts'
import { useGroupChoices } from '../../shared/choices/group.queries.ts'
import { chosenRole } from './user-form.rules.ts'
import { OTHER_GROUPS, ROLE_CLEARED_GROUP } from '../user.messages.ts'

interface RoleValues {
  mode: Role | ''
  groupId: string
}

interface RoleFieldProps<T extends RoleValues> {
  form: Form<T>
  /** What is chosen, or stands for it while nothing is. */
  role: Role | ''
  offered: readonly Role[]
  /** The role as it is now, where it is not on offer: shown, so that saving cannot change it (Q23). */
  kept: Role | null
  /** Why there is nothing on offer; '' when there is. */
  trouble: string
  hint?: string | undefined
}

export function RoleField<T extends RoleValues>(props: RoleFieldProps<T>) {
  const { form, role, offered, kept } = props
  const [hasCleared, setCleared] = useState(false)
  return (
    <FormSelect
      form={form}
      name="mode"
      choices={[
        ...(role === '' ? [{ value: '', label: 'Choose a role' }] : []),
        ...(kept === null ? [] : [{ value: kept as string, label: `${kept} (as it is now)` }]),
        ...offered.map((item) => ({ value: item as string, label: item })),
      ]}
      value={role}
      error={props.trouble === '' ? form.errorOf('mode') : props.trouble}
      hint={hasCleared && form.values.groupId === '' ? ROLE_CLEARED_GROUP : props.hint}
      onChange={(name) => {
        // USER-26.
        setCleared(hasCleared || form.values.groupId !== '')
        form.set({ mode: chosenRole(name), groupId: '' } as Partial<T>)
      }}
    />
  )
}

interface ManagerGroupFieldProps<T extends RoleValues> {
  form: Form<T>
  /** Of an existing manager; empty for a new manager. */
  present: readonly GroupRef[]
}

/** USER-25, USER-27: every group, for a manager that a superadmin or an admin makes or edits. */
export function ManagerGroupField<T extends RoleValues>(props: ManagerGroupFieldProps<T>) {
  const { form, present } = props
  const { rows: groups, more, onType } = useGroupChoices(form.values.groupId)
  const titles = present.map((group) => group.title).join(', ')
  return (
    <FormSelect
      form={form}
      name="groupId"
      choices={[
        { value: '', label: titles === '' ? 'No group' : `${titles} (as it is now)` },
        ...groups.map((group) => ({ value: group._id, label: group.title })),
      ]}
      more={more}
      onType={onType}
      hint={form.values.groupId === '' || titles === '' ? '' : OTHER_GROUPS}
    />
  )
}

interface OwnGroupFieldProps<T extends RoleValues> {
  form: Form<T>
  /** Of the manager who adds somebody; at least two (Q35). */
  own: readonly GroupRef[]
  groupId: string
}

export function OwnGroupField<T extends RoleValues>({ form, own, groupId }: OwnGroupFieldProps<T>) {
  return (
    <FormSelect
      form={form}
      name="groupId"
      choices={own.map((group) => ({ value: group._id, label: group.title }))}
      value={groupId}
    />
  )
}
