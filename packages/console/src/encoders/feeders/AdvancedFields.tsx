/** SRT parameters by name, each with its unit, its limits and what it is for. */
import { SRT_ADVANCED_KEYS } from '@trunkline/contract/contributions/srt-parameter.rules'
import { useId } from 'react'
import type { Form } from '../../forms/form.hook.ts'
import type { TypedParameter } from '../../shared/srt-parameter.rules.ts'
import { SrtParameter, SrtParameterList } from '../../forms/SrtParameter.tsx'
import { Button } from '../../ui/Button.tsx'
import { FEEDER_LABELS, parameterFaults, type FeederValues } from './feeder-form.rules.ts'
import classes from './FeederDialog.module.css'

const WELL = { key: '', value: '' }

export function AdvancedFields({ form }: { form: Form<FeederValues> }) {
  const { advanced } = form.values
  const listId = useId()
  const set = (list: readonly TypedParameter[]) => form.set({ advanced: list })
  const faults = parameterFaults(advanced)
  // A parameter complains once the list was left or saved, as every field does.
  const isSaid = form.errorOf('advanced') !== ''
  return (
    <fieldset className={classes.advanced}>
      <legend>{FEEDER_LABELS.advanced}</legend>
      {advanced.map((line, index) => (
        <SrtParameter
          // A parameter that is typed has no name but its place.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          line={line}
          index={index}
          listId={listId}
          errors={(isSaid ? faults[index] : undefined) ?? WELL}
          isLocked={false}
          onChange={(changed) => set(advanced.with(index, changed))}
          onLeave={(part) => {
            // Only then is a line whole.
            if (part === 'value') form.leave('advanced')
          }}
          onRemove={() => set(advanced.toSpliced(index, 1))}
        />
      ))}
      {advanced.length < SRT_ADVANCED_KEYS.length && (
        <Button size={28} icon="plus" onClick={() => set([...advanced, { key: '', value: '' }])}>
          Add parameter
        </Button>
      )}
      <SrtParameterList id={listId} used={advanced} />
    </fieldset>
  )
}
