/** SRT parameters by name, each with its unit, its limits and what it is for. */
import type { Form } from '../../forms/form.hook.ts'
import { SrtParameters } from '../../forms/SrtParameters.tsx'
import { parameterFaults } from '../../shared/link-settings/srt-parameter.rules.ts'
import { FEEDER_LABELS, type FeederValues } from './feeder-form.rules.ts'
import { REQUIRED } from './feeder.messages.ts'
import classes from './FeederDialog.module.css'

const WELL = { key: '', value: '' }

export function AdvancedFields({ form }: { form: Form<FeederValues> }) {
  const { advanced } = form.values
  const faults = parameterFaults(advanced, REQUIRED)
  // A parameter complains once the list was left or saved, as every field does.
  const hasErrors = form.errorOf('advanced') !== ''
  return (
    <fieldset className={classes.advanced}>
      <legend>{FEEDER_LABELS.advanced}</legend>
      <SrtParameters
        list={advanced}
        mayAdd
        errorsOf={(index) => (hasErrors ? faults[index] : undefined) ?? WELL}
        onChange={(list) => form.set({ advanced: list })}
        onLeave={(_, part) => {
          // Only then is a line whole.
          if (part === 'value') form.leave('advanced')
        }}
      />
    </fieldset>
  )
}
