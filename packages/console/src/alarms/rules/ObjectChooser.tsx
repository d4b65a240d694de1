/** Of which object the rules are shown: its kind, and its title found by typing; a feeder of its encoder. */
import type { SiteKind } from '@trunkline/contract/fleet/observed-kind.schema'
import { mayDo } from '@trunkline/contract/role-table'
import { useState } from 'react'
import { useRole } from '../../lib/session.ts'
import { useChoices } from '../../shared/choices/choices.hook.ts'
import { ENCODERS } from '../../shared/choices/encoder.queries.ts'
import { KIND_WORDS } from '../../shared/kind.messages.ts'
import { SelectField } from '../../ui/choice/SelectField.tsx'
import { CHOSEN_KINDS, type ChosenKind } from './object-choices.queries.ts'
import type { RuledObject } from './CombinedRules.tsx'
import classes from './RulesView.module.css'

const KINDS = (Object.keys(CHOSEN_KINDS) as ChosenKind[]).flatMap((kind): SiteKind[] =>
  kind === 'encoder' ? [kind, 'feeder'] : [kind],
)

interface ObjectChooserProps {
  /** Null: the rules as they are without an object. */
  chosen: RuledObject | null
  onChoose: (object: RuledObject | null) => void
}

export function ObjectChooser({ chosen, onChoose }: ObjectChooserProps) {
  const role = useRole()
  // Who sees an encoder sees its feeders.
  const actionOf = (kind: SiteKind) => CHOSEN_KINDS[kind === 'feeder' ? 'encoder' : kind].action
  const kinds = KINDS.filter((each) => mayDo(role, actionOf(each)))
  const kind = chosen?.kind ?? ''
  return (
    <div className={classes.chooser}>
      <SelectField
        label="Rules that apply to"
        choices={[
          { value: '', label: 'All: defaults and overrides' },
          ...kinds.map((value) => ({ value, label: KIND_WORDS[value] })),
        ]}
        value={kind}
        onChange={(next) => onChoose(next === '' ? null : { kind: next, id: '', title: '' })}
      />
      {kind === 'feeder' && chosen !== null && <FeederTitles id={chosen.id} onChoose={onChoose} />}
      {kind !== '' && kind !== 'feeder' && kind !== 'console' && chosen !== null && (
        <Titles key={kind} kind={kind} id={chosen.id} onChoose={onChoose} />
      )}
    </div>
  )
}

const LIST_FAILED = 'The list could not be read. Choose the kind again to retry.'
const NONE_CHOSEN = { value: '', label: 'Choose …' }

interface TitlesProps {
  kind: ChosenKind
  id: string
  onChoose: (object: RuledObject) => void
}

function Titles({ kind, id, onChoose }: TitlesProps) {
  const { rows, more, onType, isError } = useChoices(CHOSEN_KINDS[kind].source, id)
  const choices = rows.map(({ _id, title }) => ({ value: _id, label: title }))
  return (
    <SelectField
      label="Which"
      choices={id === '' ? [NONE_CHOSEN, ...choices] : choices}
      value={id}
      more={more}
      onType={onType}
      error={isError ? LIST_FAILED : ''}
      onChange={(next) =>
        onChoose({ kind, id: next, title: rows.find(({ _id }) => _id === next)?.title ?? '' })
      }
    />
  )
}

/** Feeders have no list of their own: its encoder is found first, which brings them along. */
function FeederTitles({ id, onChoose }: Pick<TitlesProps, 'id' | 'onChoose'>) {
  const [encoderId, setEncoderId] = useState('')
  const { rows, more, onType, chosen, isError } = useChoices(ENCODERS, encoderId)
  const feeders = (chosen?.config?.feeder ?? []).map(({ name, input }) => ({
    value: name,
    label: input.title,
  }))
  const encoders = rows.map(({ _id, title }) => ({ value: _id, label: title }))
  return (
    <>
      <SelectField
        label="Of encoder"
        choices={encoderId === '' ? [NONE_CHOSEN, ...encoders] : encoders}
        value={encoderId}
        more={more}
        onType={onType}
        error={isError ? LIST_FAILED : ''}
        onChange={(next) => {
          setEncoderId(next)
          onChoose({ kind: 'feeder', id: '', title: '' })
        }}
      />
      {chosen !== null && (
        <SelectField
          label="Which"
          choices={id === '' ? [NONE_CHOSEN, ...feeders] : feeders}
          value={id}
          hint={feeders.length === 0 ? 'This encoder has no feeders.' : ''}
          onChange={(next) => {
            const title = feeders.find(({ value }) => value === next)?.label ?? ''
            onChoose({ kind: 'feeder', id: next, title })
          }}
        />
      )}
    </>
  )
}
