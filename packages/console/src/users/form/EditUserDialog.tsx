/** Changes somebody else: names, e-mail, a new password, role, and a manager's group. */
import { mayChooseGroup, mayChooseRole, type Acting } from '@trunkline/contract/users/user.rules'
import { User } from '@trunkline/contract/users/user.schema'
import { useState } from 'react'
import { readCurrentBy, useForm } from '../../forms/form.hook.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { actedUpon } from '../acting.hook.ts'
import { useOfferedRoles } from './offered-roles.hook.ts'
import { PasswordChangeFields } from '../account/PasswordChangeFields.tsx'
import { PersonFields } from './PersonFields.tsx'
import { ManagerGroupField, RoleField } from './RoleFields.tsx'
import { useResetFactor } from '../account/second-factor.actions.ts'
import { SecondFactorSection } from '../account/SecondFactorSection.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { Lead } from '../../ui/dialog/Dialog.tsx'
import { SessionList } from '../account/SessionList.tsx'
import { useUpdateUser } from '../user.actions.ts'
import {
  FIELD_LABELS,
  REQUIRED,
  SECOND_FACTOR_OFF,
  UPDATE_FAILED,
  PROVIDER_REASON,
} from '../user.messages.ts'
import { checkPasswordChange, checkPerson, editBody, editValuesOf } from './user-form.rules.ts'

interface EditUserDialogProps {
  acting: Acting
  /** As it was when the dialog was opened; its version goes along with the change. */
  user: User
  onClose: () => void
}

export function EditUserDialog({ acting, user, onClose }: EditUserDialogProps) {
  const update = useUpdateUser()
  const resetFactor = useResetFactor(user)
  const { offered, trouble } = useOfferedRoles(acting.role)
  const hasRole = mayChooseRole(acting, actedUpon(user))
  const present = user.modeInfo.name
  const form = useForm({
    initial: editValuesOf(user),
    version: user.version,
    check: (values) => ({
      ...checkPerson(values),
      ...checkPasswordChange(values),
      ...(values.mode === '' ? { mode: REQUIRED } : {}),
    }),
    save: async (values, version) => {
      const { mode, groupId } = values
      const role = hasRole ? offered.find((item) => item === mode) : undefined
      const isGroupChosen = groupId !== '' && mode !== '' && mayChooseGroup(acting, mode)
      await update({
        ...editBody(user._id, values, version),
        ...(role === undefined ? {} : { mode: role }),
        ...(isGroupChosen ? { groupId } : {}),
      })
    },
    onSaved: onClose,
    keptAs: ['user', user._id],
    labels: FIELD_LABELS,
    asTyped: ['firstName', 'lastName', 'email'],
    fallback: UPDATE_FAILED,
    readCurrent: readCurrentBy(User, editValuesOf),
  })
  const { mode } = form.values
  const [isAsking, setAsking] = useState(false)
  // One dialog deep: the question takes this one's place, and gives it back with what was typed here.
  if (isAsking) return null
  return (
    <FormDialog
      title="Edit user"
      subtitle={user.fullName}
      width={560}
      form={form}
      saveLabel="Save"
      onClose={onClose}
    >
      {user.isFromProvider && <Lead>{PROVIDER_REASON}</Lead>}
      <PersonFields form={form} whose="other" />
      {hasRole && (
        <RoleField
          form={form}
          role={mode}
          offered={offered}
          kept={offered.includes(present) ? null : present}
          trouble={trouble}
          hint={mode === present ? '' : `A new role signs ${user.fullName} out everywhere.`}
        />
      )}
      {mode !== '' && mayChooseGroup(acting, mode) && (
        <ManagerGroupField form={form} present={user.groups} />
      )}
      <PasswordChangeFields
        form={form}
        consequence={`A new password signs ${user.fullName} out everywhere.`}
      />
      <SecondFactorSection
        userId={user._id}
        offText={SECOND_FACTOR_OFF}
        action={({ isOn, passkeys }) =>
          (isOn || passkeys.length > 0) && (
            <Button
              size={28}
              onClick={() => {
                setAsking(true)
                void resetFactor().finally(() => setAsking(false))
              }}
            >
              Reset
            </Button>
          )
        }
      />
      <SessionList userId={user._id} />
    </FormDialog>
  )
}
