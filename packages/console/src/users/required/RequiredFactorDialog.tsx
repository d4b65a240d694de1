/** Of which roles sign-in requires a second factor. */
import { useQuery } from '@tanstack/react-query'
import { ROLES } from '@trunkline/contract/roles'
import { RequiredFactor } from '@trunkline/contract/users/required-factor.calls'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { readCurrentBy, useForm } from '../../forms/form.hook.ts'
import { Button } from '../../ui/button/Button.tsx'
import { ChoiceList } from '../../ui/choice/ChoiceList.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { NotRead } from '../../ui/notice/NotRead.tsx'
import { requiredFactorQuery, useSaveRequired } from './required-factor.actions.ts'
import * as text from './required-factor.messages.ts'

interface RequiredFactorDialogProps {
  onClose: () => void
}

export function RequiredFactorDialog({ onClose }: RequiredFactorDialogProps) {
  const { data, isError, error, refetch } = useQuery(requiredFactorQuery())
  // What was read stays on the screen when reading it again fails.
  if (data !== undefined) return <RolesForm required={data} onClose={onClose} />
  if (!isError) return null
  return (
    <Dialog
      title={text.TITLE}
      width={440}
      isOpen
      onClose={onClose}
      footer={
        <Button size={36} onClick={onClose}>
          Close
        </Button>
      }
    >
      <NotRead title={text.READ_FAILED} error={error} onRetry={() => void refetch()} />
    </Dialog>
  )
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
    save: async ({ roles }, version) => save(roles, version),
    onSaved: onClose,
    labels: text.LABELS,
    fallback: text.SAVE_FAILED,
    readCurrent: readCurrentBy(RequiredFactor, (saved) => ({ roles: saved.roles })),
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
