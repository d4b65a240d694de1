/** Adds somebody: who they are, a first password, their role, and the group that goes with it. */
import type { Role } from '@trunkline/contract/roles'
import { mayChooseGroup, type Acting } from '@trunkline/contract/users/user.rules'
import { textProps, useForm, type Form } from '../../forms/form.hook.ts'
import { useSession } from '../../lib/session.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { useOfferedRoles } from './offered-roles.hook.ts'
import { PasswordField } from './PasswordField.tsx'
import { PersonFields } from './PersonFields.tsx'
import { ManagerGroupField, OwnGroupField, RoleField } from './RoleFields.tsx'
import { useAddUser } from '../user.actions.ts'
import { ADD_FAILED, FIELD_LABELS, NO_GROUP_OF_YOURS, REQUIRED } from '../user.messages.ts'
import { checkNewPassword, checkPerson, NEW_USER, type NewUserValues } from './user-form.rules.ts'

interface AddUserDialogProps {
  acting: Acting
  onClose: () => void
}

export function AddUserDialog({ acting, onClose }: AddUserDialogProps) {
  const own = useSession()?.user.groups ?? []
  const add = useAddUser()
  const { offered, trouble } = useOfferedRoles(acting.role)
  const form: Form<NewUserValues> = useForm({
    initial: NEW_USER,
    version: null,
    check: (values) => ({
      ...checkPerson(values),
      ...checkNewPassword(values.password),
      ...(roleOf(values) === '' ? { mode: REQUIRED } : {}),
    }),
    save: async (values) => {
      const mode = roleOf(values)
      if (mode === '') return
      const { firstName, lastName, email, password } = values
      const groupId = groupOf(values)
      await add({
        firstName,
        lastName,
        email,
        password,
        mode,
        ...(groupId === '' ? {} : { groupId }),
      })
    },
    onSaved: onClose,
    keptAs: ['user'],
    labels: FIELD_LABELS,
    fallback: ADD_FAILED,
  })

  /** USER-24: a manager begins with the first role of the list. */
  function roleOf({ mode }: NewUserValues): Role | '' {
    return mode === '' && acting.role === 'manager' ? (offered[0] ?? '') : mode
  }
  /** Q35, Q107: a manager's people join the manager's first group, or the one chosen. */
  function groupOf({ groupId }: NewUserValues): string {
    return groupId === '' && acting.role === 'manager' ? (acting.groupIds[0] ?? '') : groupId
  }

  const role = roleOf(form.values)
  const isWithoutGroup = acting.role === 'manager' && acting.groupIds.length === 0
  return (
    <FormDialog
      title="Add user"
      width={560}
      form={form}
      saveLabel="Add user"
      disabledReason={isWithoutGroup ? NO_GROUP_OF_YOURS : null}
      onClose={onClose}
    >
      <PersonFields form={form} whose="other" />
      <PasswordField
        label="Password"
        personal={[form.values.firstName, form.values.lastName, form.values.email]}
        hint="Give it to the user yourself: it is not shown again."
        {...textProps(form, 'password')}
      />
      <RoleField form={form} role={role} offered={offered} kept={null} trouble={trouble} />
      {role !== '' && mayChooseGroup(acting, role) && (
        <ManagerGroupField form={form} present={[]} />
      )}
      {acting.role === 'manager' && own.length > 1 && (
        <OwnGroupField form={form} own={own} groupId={groupOf(form.values)} />
      )}
      {isWithoutGroup && <p role="note">{NO_GROUP_OF_YOURS}</p>}
    </FormDialog>
  )
}
