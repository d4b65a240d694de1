/** Where the encoder sends its stream: one row an output (CFG-36, CFG-37). */
import { Button, IconButton } from '../../ui/Button.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import type { OutputPart } from './config-field.rules.ts'
import type { ConfigForm } from './config-form.hook.ts'
import { targetOf, type OutputValues } from './config-values.rules.ts'
import * as text from './config.messages.ts'
import { Digits, FieldPlace, PlainText } from './ConfigField.tsx'
import classes from './OutputTab.module.css'
import { Section } from './Section.tsx'

const PROTOCOLS = [
  { value: 'udp', label: 'UDP' },
  { value: 'rtp', label: 'RTP' },
]

export function OutputTab({ form }: { form: ConfigForm }) {
  const { outputs } = form.state.values
  const fault = form.faultAt('output')
  return (
    <Section title="Outputs">
      <ol>
        {outputs.map((output, index) => (
          <OutputRow
            // Its place is its name: outputs have no id.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            form={form}
            index={index}
            output={output}
          />
        ))}
      </ol>
      {fault !== '' && (
        <p className={classes.fault} role="alert">
          {fault}
        </p>
      )}
      {!form.isReadOnly && (
        <div className={classes.foot} data-field="output">
          <Button icon="plus" onClick={() => form.take({ step: 'add-output' })}>
            Add output
          </Button>
        </div>
      )}
    </Section>
  )
}

interface OutputRowProps {
  form: ConfigForm
  index: number
  output: OutputValues
}

function OutputRow({ form, index, output }: OutputRowProps) {
  const title = `Output ${index + 1}`
  const isOnly = form.state.values.outputs.length === 1
  const part = (name: OutputPart) => partProps(form, index, output, name)
  return (
    <li>
      <div className={classes.output} role="group" aria-label={title}>
        <span className={classes.number}>{index + 1}</span>
        <FieldPlace name={`output.${index}.type`} isChanged={part('type').isChanged}>
          <SelectField label="Type" choices={PROTOCOLS} {...part('type').select} />
        </FieldPlace>
        <FieldPlace name={`output.${index}.host`} isChanged={part('host').isChanged}>
          <PlainText label="IP" {...part('host').field} />
        </FieldPlace>
        <FieldPlace name={`output.${index}.port`} isChanged={part('port').isChanged}>
          <Digits label="Port" {...part('port').field} />
        </FieldPlace>
        <FieldPlace name={`output.${index}.ttl`} isChanged={part('ttl').isChanged}>
          <Digits label="TTL" {...part('ttl').field} />
        </FieldPlace>
        {!form.isReadOnly && (
          <span className={classes.remove}>
            <IconButton
              icon="bin"
              size={36}
              label={`Remove output ${index + 1}`}
              inertReason={isOnly ? text.LAST_OUTPUT : null}
              onClick={() => form.take({ step: 'remove-output', index })}
            />
          </span>
        )}
        <span className={classes.target}>{targetOf(output)}</span>
      </div>
    </li>
  )
}

function partProps(form: ConfigForm, index: number, output: OutputValues, part: OutputPart) {
  const name = `output.${index}.${part}`
  const was = form.state.base.outputs[index]?.[part] ?? ''
  const isChanged = was !== output[part]
  const edit = (value: string) => form.take({ step: 'edit-output', index, part, text: value })
  const shared = {
    value: output[part],
    error: form.faultAt(name),
    hint: isChanged ? (was === '' ? 'new' : `was ${was}`) : '',
    onBlur: () => form.leave(name),
  }
  return {
    isChanged,
    field: { ...shared, onText: edit },
    select: { ...shared, onChange: edit },
  }
}
