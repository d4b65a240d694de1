/** A far end by name: makes one, or changes one. */
import { Destination } from '@trunkline/contract/contributions/destination.schema'
import { isAdminLevel } from '@trunkline/contract/roles'
import { FormSelect, FormText, KeyFields } from '../../forms/DialogFields.tsx'
import { type Form, readCurrentBy, useForm } from '../../forms/form.hook.ts'
import { useRole } from '../../lib/session.ts'
import { FormDialog } from '../../forms/FormDialog.tsx'
import { useGroupChoices } from '../../shared/choices/group.queries.ts'
import { keyChoiceOf } from '../../shared/link-settings/encryption.rules.ts'
import * as text from '../contribution.messages.ts'
import { DESTINATION_EDIT_NOTE, DESTINATION_KEY } from './destination.messages.ts'
import { useSaveDestination } from './destination.actions.ts'
import {
  checkDestination,
  DESTINATION_LABELS,
  type DestinationValues,
  valuesOf,
  withKeyChoice,
} from './destination-form.rules.ts'
import classes from './DestinationDialog.module.css'
import fieldRow from '../../ui/field/FieldRow.module.css'

interface DestinationDialogProps {
  /** As it was when the dialog was opened; null for a new destination. */
  destination: Destination | null
  onClose: () => void
}

export function DestinationDialog({ destination, onClose }: DestinationDialogProps) {
  const picksGroup = isAdminLevel(useRole())
  const hasKey = destination?.encryption.passphraseSet === true
  const save = useSaveDestination(destination, picksGroup)
  const form = useForm<DestinationValues>({
    initial: valuesOf(destination),
    version: destination?.version ?? null,
    check: (values) => checkDestination(values, { picksGroup, hasKey }),
    save,
    onSaved: onClose,
    keptAs: ['destination', destination?.id],
    labels: DESTINATION_LABELS,
    asTyped: ['title', 'ip'],
    // Q191: of an edit too.
    fallback: text.DESTINATION_FAILED,
    readCurrent: readCurrentBy(Destination, valuesOf),
  })
  const isUsed = destination !== null && destination.outputs > 0
  return (
    <FormDialog
      title="Destination"
      subtitle={destination?.title}
      width={440}
      form={form}
      saveLabel={destination === null ? 'Add destination' : 'Save'}
      onClose={onClose}
    >
      {picksGroup && <GroupField form={form} />}
      <FormText form={form} name="title" data-autofocus={destination !== null || undefined} />
      <FormText
        form={form}
        name="ip"
        hint="IPv4 address or host name. Set the port on each output."
        spellCheck={false}
      />
      <EncryptionFields form={form} hasKey={hasKey} />
      {isUsed && <p className={classes.note}>{DESTINATION_EDIT_NOTE}</p>}
    </FormDialog>
  )
}

interface FieldsProps {
  form: Form<DestinationValues>
}

function GroupField({ form }: FieldsProps) {
  const { groupId } = form.values
  const { rows: groups, more, onType } = useGroupChoices(groupId)
  const isListed = groupId === '' || groups.some(({ _id }) => _id === groupId)
  const choices = [
    ...(isListed ? [] : [{ value: groupId, label: '…' }]),
    ...groups.map(({ _id, title }) => ({ value: _id, label: title })),
  ]
  return (
    <FormSelect
      form={form}
      name="groupId"
      // There is no way back to no group.
      choices={groupId === '' ? [{ value: '', label: 'Choose …' }, ...choices] : choices}
      more={more}
      onType={onType}
    />
  )
}

/** CON-DEST-07. */
function EncryptionFields({ form, hasKey }: FieldsProps & { hasKey: boolean }) {
  const { selection, type } = form.values
  return (
    <fieldset className={classes.encryption}>
      <legend className={classes.legend}>Encryption</legend>
      <KeyFields
        form={form}
        choice="selection"
        value={keyChoiceOf(selection, type)}
        choiceHint={hasKey && selection === 'no' ? DESTINATION_KEY.goes : ''}
        onChoose={(choice) => form.set(withKeyChoice(choice))}
        passphrase="passphrase"
        hint={hasKey ? DESTINATION_KEY.kept : DESTINATION_KEY.fresh}
        className={fieldRow.fitNarrow}
        isBelow
      />
    </fieldset>
  )
}
