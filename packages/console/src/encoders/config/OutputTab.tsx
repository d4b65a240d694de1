/** Where the encoder sends its stream: one row an output (CFG-36, CFG-37). */
import { useEffect, useRef, type RefObject } from 'react'
import { Digits, FieldPlace, TextControl } from '../../forms/FormField.tsx'
import { Section } from '../../shared/page/Section.tsx'
import { Button, IconButton } from '../../ui/button/Button.tsx'
import { SelectField } from '../../ui/choice/SelectField.tsx'
import type { OutputPart, OutputValues } from './config-field.rules.ts'
import type { ConfigForm } from './config-form.hook.ts'
import { NEW_OUTPUT, targetOf } from './config-values.rules.ts'
import * as text from './config.messages.ts'
import classes from './OutputTab.module.css'

const PROTOCOLS = [
  { value: 'udp', label: 'UDP' },
  { value: 'rtp', label: 'RTP' },
]

export function OutputTab({ form }: { form: ConfigForm }) {
  const { output: outputs } = form.state.values
  const set = (output: readonly OutputValues[]) => form.take({ step: 'edit', change: { output } })
  const fault = form.faultAt('output')
  const place = useRef<HTMLDivElement>(null)
  const focusNext = useFocusNext(place)
  const add = () => {
    set([...outputs, NEW_OUTPUT])
    focusNext(`[data-field="output.${outputs.length}.host"] input`)
  }
  const remove = (index: number) => {
    set(outputs.toSpliced(index, 1))
    focusNext('[data-field="output"] button')
  }
  return (
    <Section title="Outputs">
      <div ref={place}>
        <ol>
          {outputs.map((output, index) => (
            <OutputRow
              // Its place is its name: outputs have no id.
              // oxlint-disable-next-line react/no-array-index-key
              key={index}
              form={form}
              index={index}
              output={output}
              onChange={(changed) => set(outputs.with(index, changed))}
              onRemove={() => remove(index)}
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
            <Button icon="plus" onClick={add}>
              Add output
            </Button>
          </div>
        )}
      </div>
    </Section>
  )
}

/** @returns takes where the focus goes once the rows are drawn anew: a removed button would lose it */
function useFocusNext(place: RefObject<HTMLDivElement | null>) {
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    if (wanted.current === null) return
    place.current?.querySelector<HTMLElement>(wanted.current)?.focus()
    wanted.current = null
  })
  return (selector: string) => {
    wanted.current = selector
  }
}

interface OutputRowProps {
  form: ConfigForm
  index: number
  output: OutputValues
  onChange: (output: OutputValues) => void
  onRemove: () => void
}

function OutputRow(props: OutputRowProps) {
  const { form, index, output, onRemove } = props
  const title = `Output ${index + 1}`
  const isOnly = form.state.values.output.length === 1
  const part = (name: OutputPart) => partProps(props, name)
  return (
    <li>
      <div className={classes.output} role="group" aria-label={title}>
        <span className={classes.number}>{index + 1}</span>
        <FieldPlace name={`output.${index}.type`} isChanged={part('type').isChanged}>
          <SelectField label="Type" choices={PROTOCOLS} {...part('type').select} />
        </FieldPlace>
        <FieldPlace name={`output.${index}.host`} isChanged={part('host').isChanged}>
          <TextControl label="IP" {...part('host').field} />
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
              disabledReason={isOnly ? text.LAST_OUTPUT : null}
              onClick={onRemove}
            />
          </span>
        )}
        <span className={classes.target}>{targetOf(output)}</span>
      </div>
    </li>
  )
}

function partProps({ form, index, output, onChange }: OutputRowProps, part: OutputPart) {
  const name = `output.${index}.${part}`
  const was = form.state.base.output[index]?.[part] ?? ''
  const isChanged = was !== output[part]
  const edit = (value: string) => onChange({ ...output, [part]: value })
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
