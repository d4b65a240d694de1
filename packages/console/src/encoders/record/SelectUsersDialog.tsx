/** 'Select Users': the editors who may operate an encoder (ENC-15, ENC-29, ENC-30). */
import { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { readCurrentBy, useForm } from '../../forms/form.hook.ts'
import { useManyChoices } from '../../shared/choices/choices.hook.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { EDITORS } from '../../shared/choices/user.queries.ts'
import { ChoiceList } from '../../ui/choice/ChoiceList.tsx'
import { useUpdateEncoder } from './encoder-record.actions.ts'
import * as text from './encoder-record.messages.ts'
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
    },
    onSaved: onClose,
    keptAs: ['encoder-users', encoder._id],
    labels: { users: 'Editors' },
    fallback: text.TRY_AGAIN,
    readCurrent: readCurrentBy(Encoder, (saved) => ({ users: saved.users })),
  })
  const { users } = form.values
  const editors = useManyChoices(EDITORS, encoder.users, users)
  const { isRead, isError } = editors
  // Of other groups, so they are not in the list: ticking somebody else must not drop them.
  const unseen = users.filter((id) => editors.known(id) === null)
  const choices = editors.rows.map(({ _id, fullName, email }) => {
    return { value: _id, label: fullName, detail: email }
  })
  return (
    <FormDialog
      title="Select Users"
      subtitle={encoder.title}
      width={440}
      form={form}
      saveLabel="Save"
      disabledReason={isError ? text.EDITORS.failed : isRead ? null : text.EDITORS.reading}
      onClose={onClose}
    >
      <ChoiceList
        label="Editors"
        kind="many"
        choices={choices}
        more={editors.more}
        onType={editors.onType}
        chosen={users.filter((id) => !unseen.includes(id))}
        onChange={(chosen) => form.set({ users: [...chosen, ...unseen] })}
        error={form.errorOf('users')}
        emptyText={
          isError ? text.EDITORS.failed : isRead ? text.EDITORS.none : text.EDITORS.reading
        }
      />
      {unseen.length > 0 && isRead && (
        <p className={classes.note}>{text.assignedUnseen(unseen.length)}</p>
      )}
    </FormDialog>
  )
}
