/** 'Advanced parameters': SRT options by name (Q175). */
import { srtParameterFault } from '@trunkline/contract/contributions/srt-parameter.rules'
import { SrtParameters } from '../../forms/SrtParameters.tsx'
import { Section } from '../../shared/Section.tsx'
import { knownKey, type TypedParameter } from '../../shared/srt-parameter.rules.ts'
import classes from './EncryptionTab.module.css'
import { NO_PARAMETERS } from './form.messages.ts'
import { mayAddParameters } from './link-field.rules.ts'
import type { LinkForm } from './link-form.hook.ts'

export function AdvancedTab({ form }: { form: LinkForm }) {
  const { values } = form.state
  const mayAdd = mayAddParameters(values)
  return (
    <Section title="Advanced parameters">
      {!mayAdd && (
        <p className={classes.none}>
          {NO_PARAMETERS[values.inputType === 'Local' ? 'Local' : 'RIST']}
        </p>
      )}
      <SrtParameters
        list={values.advanced}
        mayAdd={mayAdd}
        errorsOf={(index, line) => ({
          key: form.faultAt(`advanced.${index}.key`),
          value: valueFault(form, `advanced.${index}.value`, line),
        })}
        onChange={(advanced) => form.take({ step: 'edit', change: { advanced } })}
        onLeave={(index, part) => form.leave(`advanced.${index}.${part}`)}
      />
    </Section>
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
