/** Adds a passkey to the own account (name, password, the browser's question, recovery codes), renames one, or removes one. */
import { PasskeyName } from '@trunkline/contract/users/passkey.schema'
import type { Passkey } from '@trunkline/contract/users/second-factor.calls'
import { useState } from 'react'
import { z } from 'zod'
import { CurrentPassword, FormText } from '../../forms/DialogFields.tsx'
import { fieldFaults } from '../../forms/field-faults.rules.ts'
import { useForm } from '../../forms/form.hook.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { PASSKEY_NAME_HINT } from '../../shared/passkeys/passkey.messages.ts'
import * as text from '../user.messages.ts'
import { useAddPasskey, useRemovePasskey, useRenamePasskey } from './passkey.actions.ts'
import type { ShownPasskey } from './PasskeyList.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

interface PasskeyDialogProps {
  userId: string
  shown: ShownPasskey
  onClose: () => void
}

export function PasskeyDialog({ userId, shown, onClose }: PasskeyDialogProps) {
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (shown.deed === 'remove') {
    const { passkey, isLast } = shown
    return <RemoveForm userId={userId} passkey={passkey} isLast={isLast} onClose={onClose} />
  }
  if (shown.deed === 'rename') {
    return <RenameForm userId={userId} passkey={shown.passkey} onClose={onClose} />
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
      isAnswerShownOnce
      onClose={onClose}
    >
      <FormText form={form} name="name" data-autofocus hint={PASSKEY_NAME_HINT} />
      <CurrentPassword form={form} hint={text.ADD_PASSKEY_PASSWORD} />
    </FormDialog>
  )
}

interface RenameFormProps {
  userId: string
  passkey: Passkey
  onClose: () => void
}

const Named = z.object({ name: PasskeyName })

function RenameForm({ userId, passkey, onClose }: RenameFormProps) {
  const rename = useRenamePasskey(userId)
  const form = useForm<{ name: string }>({
    initial: { name: passkey.name },
    version: null,
    check: (values) => fieldFaults(Named, values, text.FIELD_LABELS),
    save: async ({ name }) => {
      if (name.trim() !== passkey.name) await rename(passkey, name.trim())
    },
    onSaved: onClose,
    labels: text.FIELD_LABELS,
    fallback: text.RENAME_PASSKEY_FAILED,
  })
  return (
    <FormDialog
      title="Rename passkey"
      subtitle={passkey.name}
      width={440}
      form={form}
      saveLabel="Rename"
      onClose={onClose}
    >
      <FormText form={form} name="name" data-autofocus hint={PASSKEY_NAME_HINT} />
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
    save: async ({ currentPassword }) => remove(passkey, currentPassword),
    onSaved: onClose,
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
      <CurrentPassword form={form} data-autofocus hint={text.REMOVE_PASSKEY_PASSWORD} />
    </FormDialog>
  )
}
