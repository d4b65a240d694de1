/** Adds a passkey to the own account (name, password, the browser's question, recovery codes), or removes one. */
import type { Passkey } from '@trunkline/contract/users/second-factor.calls'
import { useState } from 'react'
import { FormSecret, FormText } from '../../forms/DialogFields.tsx'
import { useForm } from '../../forms/form.hook.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { PASSKEY_NAME_HINT } from '../../shared/passkeys/passkey.messages.ts'
import * as text from '../user.messages.ts'
import { useAddPasskey, useRemovePasskey } from './passkey.actions.ts'
import type { ShownPasskey } from './PasskeyList.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

interface PasskeyDialogProps {
  userId: string
  shown: ShownPasskey
  onClose: () => void
}

export function PasskeyDialog({ userId, shown, onClose }: PasskeyDialogProps) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const { passkey, isLast } = shown
  if (passkey !== null) {
    return <RemoveForm userId={userId} passkey={passkey} isLast={isLast} onClose={onClose} />
  }
  if (codes === null) return <AddForm userId={userId} onCodes={setCodes} onClose={onClose} />
  return (
    <RecoveryCodes
      title={text.PASSKEY_ADDED}
      lead={text.PASSKEY_RECOVERY_LEAD}
      codes={codes}
      onClose={onClose}
    />
  )
}

interface AddFormProps {
  userId: string
  onCodes: (recoveryCodes: readonly string[]) => void
  onClose: () => void
}

function AddForm({ userId, onCodes, onClose }: AddFormProps) {
  const add = useAddPasskey(userId)
  const form = useForm({
    initial: { name: '', currentPassword: '' },
    version: null,
    check: ({ name, currentPassword }) => ({
      ...(name.trim() === '' ? { name: text.REQUIRED } : {}),
      ...(currentPassword === '' ? { currentPassword: text.REQUIRED } : {}),
    }),
    save: async ({ name, currentPassword }) => {
      const recoveryCodes = await add(name, currentPassword)
      if (recoveryCodes === null) onClose()
      else onCodes(recoveryCodes)
    },
    labels: text.FIELD_LABELS,
    fallback: text.ADD_PASSKEY_FAILED,
  })
  return (
    <FormDialog
      title={text.ADD_PASSKEY}
      width={440}
      form={form}
      saveLabel="Continue"
      onClose={onClose}
    >
      <FormText form={form} name="name" data-autofocus hint={PASSKEY_NAME_HINT} />
      <FormSecret
        form={form}
        name="currentPassword"
        secret="current password"
        autoComplete="current-password"
        hint={text.ADD_PASSKEY_PASSWORD}
      />
    </FormDialog>
  )
}

interface RemoveFormProps {
  userId: string
  passkey: Passkey
  isLast: boolean
  onClose: () => void
}

function RemoveForm({ userId, passkey, isLast, onClose }: RemoveFormProps) {
  const remove = useRemovePasskey(userId)
  const form = useForm({
    initial: { currentPassword: '' },
    version: null,
    check: ({ currentPassword }) =>
      currentPassword === '' ? { currentPassword: text.REQUIRED } : {},
    save: async ({ currentPassword }) => {
      await remove(passkey, currentPassword)
      onClose()
    },
    labels: text.FIELD_LABELS,
    fallback: text.REMOVE_PASSKEY_FAILED,
  })
  return (
    <FormDialog
      title="Remove passkey"
      subtitle={passkey.name}
      width={440}
      form={form}
      saveLabel="Remove"
      onClose={onClose}
    >
      <p>{text.removePasskeySentence(passkey.name, isLast)}</p>
      <FormSecret
        form={form}
        name="currentPassword"
        secret="current password"
        autoComplete="current-password"
        data-autofocus
        hint={text.REMOVE_PASSKEY_PASSWORD}
      />
    </FormDialog>
  )
}
