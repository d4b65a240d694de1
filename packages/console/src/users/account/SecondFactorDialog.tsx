/** Turns the own second factor on (password, QR code, first code, recovery codes) or off. */
import { useState } from 'react'
import { CurrentPassword, FormText } from '../../forms/DialogFields.tsx'
import { useForm } from '../../forms/form.hook.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { ScanKey } from '../../shared/second-factor/ScanKey.tsx'
import * as text from '../user.messages.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import {
  beginFactor,
  useConfirmFactor,
  useTurnOffFactor,
  type BegunFactor,
} from './second-factor.actions.ts'

interface SecondFactorDialogProps {
  userId: string
  /** As it is when the dialog opens. */
  isOn: boolean
  onClose: () => void
}

export function SecondFactorDialog({ userId, isOn, onClose }: SecondFactorDialogProps) {
  const [begun, setBegun] = useState<BegunFactor | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  if (isOn) return <TurnOffForm userId={userId} onClose={onClose} />
  if (codes !== null) {
    return (
      <RecoveryCodes
        title={text.TURNED_ON}
        lead={text.RECOVERY_LEAD}
        codes={codes}
        onClose={onClose}
      />
    )
  }
  if (begun === null) return <PasswordForm onBegun={setBegun} onClose={onClose} />
  return <CodeForm userId={userId} begun={begun} onOn={setCodes} onClose={onClose} />
}

interface PasswordFormProps {
  onBegun: (begun: BegunFactor) => void
  onClose: () => void
}

function PasswordForm({ onBegun, onClose }: PasswordFormProps) {
  const form = useForm({
    initial: { currentPassword: '' },
    version: null,
    check: ({ currentPassword }) =>
      currentPassword === '' ? { currentPassword: text.REQUIRED } : {},
    save: async ({ currentPassword }) => onBegun(await beginFactor(currentPassword)),
    labels: text.FIELD_LABELS,
    fallback: text.TURN_ON_FAILED,
  })
  return (
    <FormDialog
      title="Turn on second factor"
      width={440}
      form={form}
      saveLabel="Continue"
      onClose={onClose}
    >
      <CurrentPassword form={form} data-autofocus hint={text.ON_PASSWORD_WHY} />
    </FormDialog>
  )
}

interface CodeFormProps {
  userId: string
  begun: BegunFactor
  onOn: (recoveryCodes: readonly string[]) => void
  onClose: () => void
}

function CodeForm({ userId, begun, onOn, onClose }: CodeFormProps) {
  const confirm = useConfirmFactor(userId)
  const form = useForm({
    initial: { code: '' },
    version: null,
    check: ({ code }) => (code.trim() === '' ? { code: text.REQUIRED } : {}),
    save: async ({ code }) => onOn(await confirm(code)),
    labels: text.FIELD_LABELS,
    fallback: text.TURN_ON_FAILED,
  })
  return (
    <FormDialog
      title="Turn on second factor"
      width={560}
      form={form}
      saveLabel="Turn on"
      isAnswerShownOnce
      onClose={onClose}
    >
      <p>{text.SCAN_LEAD}</p>
      <ScanKey {...begun} />
      <FormText
        form={form}
        name="code"
        data-autofocus
        autoComplete="one-time-code"
        inputMode="numeric"
        hint={text.APP_HINT}
      />
    </FormDialog>
  )
}

function TurnOffForm({ userId, onClose }: { userId: string; onClose: () => void }) {
  const turnOff = useTurnOffFactor(userId)
  const form = useForm({
    initial: { currentPassword: '', code: '' },
    version: null,
    check: ({ currentPassword, code }) => ({
      ...(currentPassword === '' ? { currentPassword: text.REQUIRED } : {}),
      ...(code.trim() === '' ? { code: text.REQUIRED } : {}),
    }),
    save: async ({ currentPassword, code }) => turnOff(currentPassword, code),
    onSaved: onClose,
    labels: text.FIELD_LABELS,
    fallback: text.TURN_OFF_FAILED,
  })
  return (
    <FormDialog
      title="Turn off second factor"
      width={440}
      form={form}
      saveLabel="Turn off"
      onClose={onClose}
    >
      <CurrentPassword form={form} data-autofocus hint={text.OFF_PASSWORD_WHY} />
      <FormText form={form} name="code" autoComplete="one-time-code" hint={text.OFF_CODE_HINT} />
    </FormDialog>
  )
}
