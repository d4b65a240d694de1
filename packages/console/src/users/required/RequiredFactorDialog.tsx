/** Of which roles sign-in requires a second factor. */
import { useQuery } from '@tanstack/react-query'
import { ROLES } from '@trunkline/contract/roles'
import type { RequiredFactor } from '@trunkline/contract/users/required-factor.calls'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { useForm } from '../../forms/form.hook.ts'
import { sentenceFor } from '../../lib/api-error.ts'
import { ChoiceList } from '../../ui/choice/ChoiceList.tsx'
import { ResultDialog } from '../../ui/dialog/ResultDialog.tsx'
import { readCurrent, requiredFactorQuery, useSaveRequired } from './required-factor.actions.ts'
import * as text from './required-factor.messages.ts'

interface RequiredFactorDialogProps {
  onClose: () => void
}

export function RequiredFactorDialog({ onClose }: RequiredFactorDialogProps) {
  const { data, error } = useQuery(requiredFactorQuery())
  if (error !== null) {
    return (
      <ResultDialog title={text.TITLE} subtitle="" onClose={onClose}>
        <p role="alert">{sentenceFor(error, text.READ_FAILED)}</p>
      </ResultDialog>
    )
  }
  return data === undefined ? null : <RolesForm required={data} onClose={onClose} />
}

function RolesForm({
  required,
  onClose,
}: RequiredFactorDialogProps & { required: RequiredFactor }) {
  const save = useSaveRequired()
  const form = useForm({
    initial: { roles: required.roles },
    version: required.version,
    check: () => ({}),
    save: async ({ roles }, version) => {
      await save(roles, version)
      onClose()
    },
    labels: text.LABELS,
    fallback: text.SAVE_FAILED,
    readCurrent,
  })
  const { roles } = form.values
  return (
    <FormDialog title={text.TITLE} width={440} form={form} saveLabel="Save" onClose={onClose}>
      <p>{text.WHAT_IT_DOES}</p>
      <ChoiceList
        label={text.LABELS.roles}
        kind="many"
        choices={ROLES.map((value) => ({ value, label: value }))}
        chosen={roles}
        onChange={(next) => form.set({ roles: ROLES.filter((role) => next.includes(role)) })}
        emptyText=""
      />
      <p>{text.WHO_IS_LEFT_OUT}</p>
    </FormDialog>
  )
}
