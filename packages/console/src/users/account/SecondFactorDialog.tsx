/** Turns the own second factor on (password, QR code, first code, recovery codes) or off. */
import { useState } from 'react'
import { encode } from 'uqr'
import { FormSecret, FormText } from '../../forms/DialogFields.tsx'
import { useForm } from '../../forms/form.hook.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { CopyText } from '../../ui/button/CopyText.tsx'
import * as text from '../user.messages.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import {
  beginFactor,
  useConfirmFactor,
  useTurnOffFactor,
  type BegunFactor,
} from './second-factor.actions.ts'
import classes from './SecondFactor.module.css'

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
      <FormSecret
        form={form}
        name="currentPassword"
        secret="current password"
        autoComplete="current-password"
        data-autofocus
        hint={text.ON_PASSWORD_WHY}
      />
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
      onClose={onClose}
    >
      <p>{text.SCAN_LEAD}</p>
      <div className={classes.scan}>
        <QrCode text={begun.uri} />
        <dl className={classes.key}>
          <dt>Key</dt>
          <dd>
            <CopyText text={begun.secret} shown={inFours(begun.secret)} label="Copy key" />
          </dd>
        </dl>
      </div>
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

/** Four modules of white around it, as readers want (ISO/IEC 18004). */
const QUIET_ZONE = 4

function QrCode({ text: content }: { text: string }) {
  const { data, size } = encode(content, { ecc: 'M', border: QUIET_ZONE })
  const dark = data.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')),
  )
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label="QR code for an authenticator app"
    >
      <path d={dark.join('')} />
    </svg>
  )
}

/** 'ABCD EFGH …': easier to type. */
function inFours(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, '$1 ')
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
    save: async ({ currentPassword, code }) => {
      await turnOff(currentPassword, code)
      onClose()
    },
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
      <FormSecret
        form={form}
        name="currentPassword"
        secret="current password"
        autoComplete="current-password"
        data-autofocus
        hint={text.OFF_PASSWORD_WHY}
      />
      <FormText form={form} name="code" autoComplete="one-time-code" hint={text.OFF_CODE_HINT} />
    </FormDialog>
  )
}
