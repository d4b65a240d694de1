/** SRT options by name, each with its unit, its limits and what it is for (Q175): the same in every form. */
import { SRT_ADVANCED_KEYS } from '@trunkline/contract/contributions/srt-parameter.rules'
import { useId, useRef } from 'react'
import { Button, IconButton } from '../../ui/button/Button.tsx'
import { Field } from '../../ui/field/Field.tsx'
import { FieldPlace, Unit } from '../FormField.tsx'
import classes from './SrtParameters.module.css'
import {
  CHOOSE_PARAMETER,
  knownKey,
  srtParameterHint,
  srtParameterUnit,
  type TypedParameter,
} from '../../shared/link-settings/srt-parameter.rules.ts'

interface SrtParametersProps {
  list: readonly TypedParameter[]
  /** False: shown as they were saved (Q176). */
  mayAdd: boolean
  /** Of the line at that place. */
  errorsOf: (index: number) => Readonly<Record<'key' | 'value', string>>
  onChange: (list: readonly TypedParameter[]) => void
  onLeave: (index: number, part: 'key' | 'value') => void
}

export function SrtParameters({ list, mayAdd, errorsOf, onChange, onLeave }: SrtParametersProps) {
  const listId = useId()
  const place = useRef<HTMLDivElement>(null)
  const remove = (at: number) => {
    onChange(list.toSpliced(at, 1))
    place.current?.querySelector<HTMLElement>('[data-add]')?.focus()
  }
  return (
    <div ref={place} className={classes.parameters}>
      {list.map((line, index) => (
        <SrtParameter
          // A parameter that is typed has no name but its place.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          line={line}
          index={index}
          listId={listId}
          errors={errorsOf(index)}
          isLocked={!mayAdd}
          onChange={(changed) => onChange(list.with(index, changed))}
          onLeave={(part) => onLeave(index, part)}
          onRemove={() => remove(index)}
        />
      ))}
      {mayAdd && list.length < SRT_ADVANCED_KEYS.length && (
        <Button
          size={28}
          icon="plus"
          data-add=""
          onClick={() => onChange([...list, { key: '', value: '' }])}
        >
          Add parameter
        </Button>
      )}
      <SrtParameterList id={listId} used={list} />
    </div>
  )
}

interface SrtParameterProps {
  line: TypedParameter
  /** Its place, from 0. */
  index: number
  /** Of the SrtParameterList that offers keys. */
  listId: string
  errors: Readonly<Record<'key' | 'value', string>>
  /** Shown as it was saved. */
  isLocked: boolean
  onChange: (line: TypedParameter) => void
  onLeave: (part: 'key' | 'value') => void
  onRemove: () => void
}

function SrtParameter(props: SrtParameterProps) {
  const { line, index, errors, isLocked, onChange, onLeave } = props
  const { key, value } = line
  const known = knownKey(key)
  const unit = known === null ? '' : srtParameterUnit(known)
  const shown = known ?? (key.trim() || `parameter ${index + 1}`)
  return (
    <div className={classes.parameter} role="group" aria-label={`Parameter ${index + 1}`}>
      <FieldPlace name={`advanced.${index}.key`} isChanged={false}>
        <Field
          label="Key"
          list={props.listId}
          autoComplete="off"
          spellCheck={false}
          readOnly={isLocked}
          value={key}
          error={errors.key}
          hint={key.trim() === '' ? CHOOSE_PARAMETER : ''}
          onChange={({ target }) => onChange({ ...line, key: target.value })}
          onBlur={() => {
            if (key.trim() !== key) onChange({ ...line, key: key.trim() })
            onLeave('key')
          }}
        />
      </FieldPlace>
      <FieldPlace name={`advanced.${index}.value`} isChanged={false}>
        <Field
          label="Value"
          autoComplete="off"
          spellCheck={false}
          readOnly={isLocked}
          value={value}
          error={errors.value}
          hint={known === null ? '' : srtParameterHint(known)}
          right={unit === '' ? undefined : <Unit>{unit}</Unit>}
          onChange={({ target }) => onChange({ ...line, value: target.value })}
          onBlur={() => onLeave('value')}
        />
      </FieldPlace>
      {!isLocked && (
        <IconButton
          icon="close"
          label={`Remove ${shown}`}
          tone="quiet"
          size={28}
          onClick={props.onRemove}
        />
      )}
    </div>
  )
}

/** The keys that no line has yet. */
function SrtParameterList({ id, used }: { id: string; used: readonly TypedParameter[] }) {
  return (
    <datalist id={id} className={classes.list}>
      {SRT_ADVANCED_KEYS.filter((key) => used.every((line) => line.key !== key)).map((key) => (
        <option key={key} value={key}>
          {srtParameterHint(key)}
        </option>
      ))}
    </datalist>
  )
}
