/** 'Advanced parameters': SRT options by name (Q175). */
import { SrtParameters } from '../../../forms/srt-parameters/SrtParameters.tsx'
import { Section } from '../../../shared/page/Section.tsx'
import classes from './EncryptionTab.module.css'
import { NO_PARAMETERS } from '../form.messages.ts'
import { mayAddParameters } from '../link-field.rules.ts'
import type { LinkForm } from '../link-form.hook.ts'

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
        errorsOf={(index) => ({
          key: form.faultAt(`advanced.${index}.key`),
          value: form.faultAt(`advanced.${index}.value`),
        })}
        onChange={(advanced) => form.take({ step: 'edit', change: { advanced } })}
        onLeave={(index, part) => form.leave(`advanced.${index}.${part}`)}
      />
    </Section>
  )
}
