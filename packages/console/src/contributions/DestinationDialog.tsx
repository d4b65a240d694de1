/** A far end by name: makes one, or changes one. */
import type { Destination } from '@trunkline/contract/contributions/destination.schema'
import { isAdminLevel } from '@trunkline/contract/roles'
import { type Form, textProps, useForm } from '../forms/form.hook.ts'
import { useRole } from '../lib/session.ts'
import { FormDialog } from '../forms/FormDialog.tsx'
import { useGroupChoices } from '../shared/group.queries.ts'
import { KEY_CHOICES, keyChoiceOf } from '../shared/encryption.rules.ts'
import { GenerateKey } from '../shared/GenerateKey.tsx'
import { Field } from '../ui/Field.tsx'
import { SecretField } from '../ui/SecretField.tsx'
import { SelectField } from '../ui/SelectField.tsx'
import * as text from './contribution.messages.ts'
import { useSaveDestination } from './destination.actions.ts'
import {
  checkDestination,
  DESTINATION_LABELS,
  type DestinationValues,
  readDestination,
  valuesOf,
  withKeyChoice,
} from './destination-form.rules.ts'
import classes from './DestinationDialog.module.css'

interface DestinationDialogProps {
  /** As it was when the dialog was opened; null for a new one. */
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
    save: async (values, version) => {
      await save(values, version)
      onClose()
    },
    // Q191: of an edit too.
    fallback: text.DESTINATION_FAILED,
    readCurrent: readDestination,
  })
  const isUsed = destination !== null && destination.outputs > 0
  return (
    <FormDialog
      title="Destination"
      subtitle={destination?.title}
      width={440}
      form={form}
      labels={DESTINATION_LABELS}
      saveLabel={destination === null ? 'Add destination' : 'Save'}
      onClose={onClose}
    >
      {picksGroup && <GroupField form={form} />}
      <Field
        label={DESTINATION_LABELS.title}
        autoComplete="off"
        data-autofocus
        {...textProps(form, 'title')}
      />
      <Field
        label={DESTINATION_LABELS.ip}
        hint="IPv4 address or host name. Set the port on each output."
        autoComplete="off"
        spellCheck={false}
        {...textProps(form, 'ip')}
      />
      <EncryptionFields form={form} hasKey={hasKey} />
      {isUsed && <p className={classes.note}>{text.DESTINATION_EDIT_NOTE}</p>}
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
    <SelectField
      label={DESTINATION_LABELS.groupId}
      // There is no way back to no group.
      choices={groupId === '' ? [{ value: '', label: 'Choose …' }, ...choices] : choices}
      more={more}
      onType={onType}
      value={groupId}
      error={form.errorOf('groupId')}
      onBlur={() => form.leave('groupId')}
      onChange={(id) => form.set({ groupId: id })}
    />
  )
}

/** CON-DEST-07. */
function EncryptionFields({ form, hasKey }: FieldsProps & { hasKey: boolean }) {
  const { selection, type, passphrase } = form.values
  const isOn = selection === 'yes'
  return (
    <fieldset className={classes.encryption}>
      <legend className={classes.legend}>Encryption</legend>
      <div className={classes.pair}>
        <SelectField
          label={DESTINATION_LABELS.selection}
          choices={KEY_CHOICES}
          value={keyChoiceOf(selection, type)}
          error={form.errorOf('selection')}
          hint={hasKey && !isOn ? text.DESTINATION_KEY.goes : ''}
          onChange={(choice) => form.set(withKeyChoice(choice))}
        />
      </div>
      {isOn && (
        <>
          <SecretField
            label={DESTINATION_LABELS.passphrase}
            secret="passphrase"
            autoComplete="new-password"
            spellCheck={false}
            hint={hasKey ? text.DESTINATION_KEY.kept : text.DESTINATION_KEY.fresh}
            {...textProps(form, 'passphrase')}
          />
          <GenerateKey
            passphrase={passphrase}
            onGenerate={(next) => form.set({ passphrase: next })}
          />
        </>
      )}
    </fieldset>
  )
}
