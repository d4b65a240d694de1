/** 'Advanced parameters': SRT options by name, each with its unit, its limits and what it is for (Q175). */
import {
  SRT_ADVANCED_KEYS,
  srtParameterFault,
} from '@trunkline/contract/contributions/srt-parameter.rules'
import { useId, useRef } from 'react'
import { FieldPlace, Unit } from '../../shared/ChangedField.tsx'
import { Section } from '../../shared/Section.tsx'
import { srtParameterHint, srtParameterUnit } from '../../shared/srt-parameter.rules.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import classes from './AdvancedTab.module.css'
import { CHOOSE_PARAMETER, NO_PARAMETERS } from './form.messages.ts'
import { knownKey } from './link-check.rules.ts'
import { mayAddParameters } from './link-field.rules.ts'
import type { LinkForm } from './link-form.hook.ts'
import type { TypedParameter } from './link-values.rules.ts'

export function AdvancedTab({ form }: { form: LinkForm }) {
  const { advanced, fields } = form.state.values
  const listId = useId()
  const place = useRef<HTMLDivElement>(null)
  const mayAdd = mayAddParameters(fields)
  const set = (list: readonly TypedParameter[]) => form.take({ step: 'advanced', list })
  const remove = (at: number) => {
    set(advanced.toSpliced(at, 1))
    place.current?.querySelector<HTMLElement>('[data-add]')?.focus()
  }
  return (
    <Section title="Advanced parameters">
      <div ref={place} className={classes.list}>
        {!mayAdd && (
          <p className={classes.none}>
            {NO_PARAMETERS[fields['inputType'] === 'Local' ? 'Local' : 'RIST']}
          </p>
        )}
        {advanced.map((line, index) => (
          <Parameter
            // A parameter that is typed has no name but its place.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            form={form}
            line={line}
            index={index}
            listId={listId}
            isLocked={!mayAdd}
            onChange={(changed) => set(advanced.with(index, changed))}
            onRemove={() => remove(index)}
          />
        ))}
        {mayAdd && (
          <Button
            size={32}
            icon="plus"
            data-add=""
            onClick={() => set([...advanced, { key: '', value: '' }])}
          >
            Add parameter
          </Button>
        )}
        <datalist id={listId}>
          {SRT_ADVANCED_KEYS.filter((key) => advanced.every((one) => one.key !== key)).map(
            (key) => (
              <option key={key} value={key}>
                {srtParameterHint(key)}
              </option>
            ),
          )}
        </datalist>
      </div>
    </Section>
  )
}

interface ParameterProps {
  form: LinkForm
  line: TypedParameter
  index: number
  listId: string
  /** Q176: of a type that takes none, shown as it was saved. */
  isLocked: boolean
  onChange: (line: TypedParameter) => void
  onRemove: () => void
}

function Parameter({ form, line, index, listId, isLocked, onChange, onRemove }: ParameterProps) {
  const { key, value } = line
  const known = knownKey(key)
  const unit = known === null ? '' : srtParameterUnit(known)
  const [keyName, valueName] = [`advanced.${index}.key`, `advanced.${index}.value`]
  const shown = known ?? (key.trim() || `parameter ${index + 1}`)
  return (
    <div className={classes.parameter} role="group" aria-label={`Parameter ${index + 1}`}>
      <FieldPlace name={keyName} isChanged={false}>
        <Field
          label="Key"
          list={listId}
          autoComplete="off"
          spellCheck={false}
          readOnly={isLocked}
          value={key}
          error={form.faultAt(keyName)}
          hint={key.trim() === '' ? CHOOSE_PARAMETER : ''}
          onChange={({ target }) => onChange({ ...line, key: target.value })}
          onBlur={() => {
            if (key.trim() !== key) onChange({ ...line, key: key.trim() })
            form.leave(keyName)
          }}
        />
      </FieldPlace>
      <FieldPlace name={valueName} isChanged={false}>
        <Field
          label="Value"
          autoComplete="off"
          spellCheck={false}
          readOnly={isLocked}
          value={value}
          error={valueFault(form, valueName, line)}
          hint={known === null ? '' : srtParameterHint(known)}
          right={unit === '' ? undefined : <Unit>{unit}</Unit>}
          onChange={({ target }) => onChange({ ...line, value: target.value })}
          onBlur={() => form.leave(valueName)}
        />
      </FieldPlace>
      {!isLocked && (
        <IconButton
          icon="close"
          label={`Remove ${shown}`}
          tone="quiet"
          size={28}
          onClick={onRemove}
        />
      )}
    </div>
  )
}

/** Begins with the key, so that the limits are its own. */
function valueFault(form: LinkForm, name: string, { key, value }: TypedParameter): string {
  const said = form.faultAt(name)
  const known = knownKey(key)
  if (said === '' || known === null || value.trim() === '') return said
  const fault = srtParameterFault(known, value.trim())
  return fault === null ? said : `${known} ${fault}`
}
