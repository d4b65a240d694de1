/** 'Advanced parameters': SRT options by name, each with its unit, its limits and what it is for (Q175). */
import { srtParameterFault } from '@trunkline/contract/contributions/srt-parameter.rules'
import { useId, useRef } from 'react'
import { Section } from '../../shared/Section.tsx'
import { knownKey, type TypedParameter } from '../../shared/srt-parameter.rules.ts'
import { SrtParameter, SrtParameterList } from '../../forms/SrtParameter.tsx'
import { Button } from '../../ui/Button.tsx'
import classes from './AdvancedTab.module.css'
import { NO_PARAMETERS } from './form.messages.ts'
import { mayAddParameters } from './link-field.rules.ts'
import type { LinkForm } from './link-form.hook.ts'

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
          <SrtParameter
            // A parameter that is typed has no name but its place.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            line={line}
            index={index}
            listId={listId}
            errors={{
              key: form.faultAt(`advanced.${index}.key`),
              value: valueFault(form, `advanced.${index}.value`, line),
            }}
            // Q176: of a type that takes none, shown as it was saved.
            isLocked={!mayAdd}
            onChange={(changed) => set(advanced.with(index, changed))}
            onLeave={(part) => form.leave(`advanced.${index}.${part}`)}
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
        <SrtParameterList id={listId} used={advanced} />
      </div>
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
