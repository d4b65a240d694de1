/** Above the tabs: title, type, and where it runs or what it reads (IN-FORM-01, OUT-FORM-01). */
import { FormField } from '../../forms/FormField.tsx'
import { useHost } from '../../lib/live/live-hooks.ts'
import { Field } from '../../ui/field/Field.tsx'
import { Icon } from '../../ui/symbol/Icon.tsx'
import { SELECT_GROUP, SELECT_INPUT, SELECT_SERVER } from '../contribution.messages.ts'
import { SERVER_AWAY, SERVER_LOCKED } from './form.messages.ts'
import type { Listed } from './known-places.hook.ts'
import type { FieldName } from './link-field.rules.ts'
import type { LinkForm } from './link-form.hook.ts'
import classes from './LinkIdentity.module.css'
import { isClearingMeant } from './link-save.actions.ts'

export function LinkIdentity({ form }: { form: LinkForm }) {
  const { kind, advanced } = form.state.values
  const choose = async (inputType: string) => {
    if (inputType === 'RIST' && !(await isClearingMeant(advanced.length))) return
    form.take({ step: 'edit', change: { inputType } })
  }
  return (
    <div className={classes.identity} data-kind={kind}>
      <FormField form={form} name="title" />
      <FormField form={form} name="inputType" onChange={(type) => void choose(type)} />
      {kind === 'input' ? <PlaceFields form={form} /> : <InputField form={form} />}
    </div>
  )
}

/** The server of an input is chosen once; after that it is moved, with its outputs (Q144). */
function PlaceFields({ form }: { form: LinkForm }) {
  const { context: known, isNew } = form
  const { serverId } = form.state.values
  const away = useHost('server', serverId)?.online === false ? SERVER_AWAY : ''
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
  const { inputs, server } = form.context
  return (
    <ChosenField
      form={form}
      name="contributionId"
      list={inputs}
      ask={SELECT_INPUT}
      hint={server === null ? '' : `On ${server.title}, where its input is.`}
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
  const value = form.state.values[name]
  const isListed = value === '' || list.rows.some(({ id }) => id === value)
  return (
    <FormField
      form={form}
      name={name}
      hint={hint}
      search={list.search}
      choices={[
        ...(value === '' ? [{ value: '', label: ask }] : []),
        ...list.rows.map(({ id, title }) => ({ value: id, label: title })),
        // While the list is read, the current input is shown.
        ...(isListed ? [] : [{ value, label: form.context.titleOf(name, value) }]),
      ]}
    />
  )
}
