/** Above the tabs: title, type, and where it runs or what it reads (IN-FORM-01, OUT-FORM-01). */
import { INPUT_TYPES } from '@trunkline/contract/contributions/input.schema'
import { OUTPUT_TYPES } from '@trunkline/contract/contributions/output.schema'
import { useHost } from '../../lib/live-hooks.ts'
import { Field } from '../../ui/Field.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { SELECT_GROUP, SELECT_INPUT, SELECT_SERVER } from '../contribution.messages.ts'
import { SERVER_AWAY, SERVER_LOCKED } from './form.messages.ts'
import { ChoiceField, SegmentField, TextField } from './LinkFields.tsx'
import classes from './LinkIdentity.module.css'
import type { FieldName } from './link-field.rules.ts'
import type { Listed } from './known-places.hook.ts'
import type { LinkForm } from './link-form.hook.ts'
import { isClearingMeant } from './link-save.actions.ts'

export function LinkIdentity({ form }: { form: LinkForm }) {
  return (
    <div className={classes.identity} data-kind={form.kind}>
      <TextField form={form} name="title" />
      <TypeField form={form} />
      {form.kind === 'input' ? <PlaceFields form={form} /> : <InputField form={form} />}
    </div>
  )
}

function TypeField({ form }: { form: LinkForm }) {
  const types = form.kind === 'input' ? INPUT_TYPES : OUTPUT_TYPES
  const choose = async (type: string) => {
    const { advanced } = form.state.values
    if (type === 'RIST' && !(await isClearingMeant(advanced.length))) return
    form.take({ step: 'edit', name: 'inputType', text: type })
  }
  return (
    <SegmentField
      form={form}
      name="inputType"
      segments={types.map((value) => ({ value, label: value, count: null }))}
      onChange={(type) => void choose(type)}
    />
  )
}

/** The server of an input is chosen once; after that it is moved, with its outputs (Q144). */
function PlaceFields({ form }: { form: LinkForm }) {
  const { known, isNew } = form
  const serverId = form.state.values.fields['serverId']
  const host = useHost(serverId)
  const away = host?.online === false ? SERVER_AWAY : ''
  return (
    <>
      {isNew ? (
        <ChosenField
          form={form}
          name="serverId"
          list={known.servers}
          ask={SELECT_SERVER}
          hint={away}
        />
      ) : (
        <Field
          label="Server"
          value={known.titleOf('serverId', serverId)}
          readOnly
          hint={away === '' ? SERVER_LOCKED : away}
          right={<Icon name="lock" size={14} />}
        />
      )}
      <ChosenField form={form} name="groupId" list={known.groups} ask={SELECT_GROUP} hint="" />
    </>
  )
}

function InputField({ form }: { form: LinkForm }) {
  const { known } = form
  const server = known.server === null ? '' : `On ${known.server.title}, where its input is.`
  return (
    <ChosenField
      form={form}
      name="contributionId"
      list={known.inputs}
      ask={SELECT_INPUT}
      hint={server}
    />
  )
}

interface ChosenFieldProps {
  form: LinkForm
  name: FieldName
  list: Listed<{ id: string; title: string }>
  /** 'Select a server'. */
  ask: string
  hint: string
}

function ChosenField({ form, name, list, ask, hint }: ChosenFieldProps) {
  const value = form.state.values.fields[name]
  const isListed = value === '' || list.rows.some(({ id }) => id === value)
  return (
    <ChoiceField
      form={form}
      name={name}
      hint={hint}
      search={list.search}
      choices={[
        ...(value === '' ? [{ value: '', label: ask }] : []),
        ...list.rows.map(({ id, title }) => ({ value: id, label: title })),
        // While the list is read, the one that it has is shown.
        ...(isListed ? [] : [{ value, label: form.known.titleOf(name, value) }]),
      ]}
    />
  )
}
