/** 'Select Users': the editors who may operate an encoder (ENC-15, ENC-29, ENC-30). */
import { useQuery } from '@tanstack/react-query'
import { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { useForm } from '../lib/form.hook.ts'
import { FormDialog } from '../shared/FormDialog.tsx'
import { ChoiceList } from '../ui/ChoiceList.tsx'
import { useUpdateEncoder } from './encoder-record.actions.ts'
import * as text from './encoder-record.messages.ts'
import { editorsQuery } from './encoder-record.queries.ts'
import classes from './SelectUsersDialog.module.css'

interface AssignedValues {
  users: readonly string[]
}

interface SelectUsersDialogProps {
  /** As it was when the dialog was opened. */
  encoder: Encoder
  onClose: () => void
}

export function SelectUsersDialog({ encoder, onClose }: SelectUsersDialogProps) {
  const update = useUpdateEncoder()
  const { data: editors = [], isPending, isError } = useQuery(editorsQuery())
  const form = useForm<AssignedValues>({
    initial: { users: encoder.users },
    version: encoder.version,
    check: () => ({}),
    save: async ({ users }, version) => {
      await update({
        _id: encoder._id,
        users: [...users],
        ...(version === null ? {} : { version }),
      })
      onClose()
    },
    fallback: text.TRY_AGAIN,
    readCurrent: readAssigned,
  })
  const { users } = form.values
  const seen = new Set(editors.map((editor) => editor._id))
  // Of other groups, so they are not in the list: ticking somebody else must not drop them.
  const unseen = users.filter((id) => !seen.has(id))
  const wereAssigned = new Set(encoder.users)
  const choices = editors
    .toSorted((a, b) => Number(wereAssigned.has(b._id)) - Number(wereAssigned.has(a._id)))
    .map(({ _id, fullName, email }) => ({ value: _id, label: fullName, detail: email }))
  return (
    <FormDialog
      title="Select Users"
      subtitle={encoder.title}
      width={440}
      form={form}
      labels={{ users: 'Editors' }}
      saveLabel="Save"
      inertReason={isPending ? text.EDITORS.reading : isError ? text.EDITORS.failed : null}
      onClose={onClose}
    >
      <ChoiceList
        label="Editors"
        kind="many"
        choices={choices}
        chosen={users.filter((id) => seen.has(id))}
        onChange={(chosen) => form.set({ users: [...chosen, ...unseen] })}
        error={form.errorOf('users')}
        emptyText={
          isPending ? text.EDITORS.reading : isError ? text.EDITORS.failed : text.EDITORS.none
        }
      />
      {unseen.length > 0 && !isPending && !isError && (
        <p className={classes.note}>{text.assignedUnseen(unseen.length)}</p>
      )}
    </FormDialog>
  )
}

/** Of a version conflict's `current`. */
function readAssigned(current: unknown): { values: AssignedValues; version: number } | null {
  const { data } = Encoder.safeParse(current)
  return data === undefined ? null : { values: { users: data.users }, version: data.version }
}
