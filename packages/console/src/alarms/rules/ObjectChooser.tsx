/** Of which object the rules are shown: its kind, and its title found by typing. */
import { mayDo } from '@trunkline/contract/role-table'
import { useRole } from '../../lib/session.ts'
import { useChoices } from '../../shared/choices/choices.hook.ts'
import { KIND_WORDS } from '../../shared/kind.messages.ts'
import { SelectField } from '../../ui/choice/SelectField.tsx'
import { CHOSEN_KINDS, type ChosenKind } from './object-choices.queries.ts'
import type { RuledObject } from './CombinedRules.tsx'
import classes from './RulesView.module.css'

const KINDS = Object.keys(CHOSEN_KINDS) as ChosenKind[]

interface ObjectChooserProps {
  /** Null: the rules as they are without an object. */
  chosen: RuledObject | null
  onChoose: (object: RuledObject | null) => void
}

export function ObjectChooser({ chosen, onChoose }: ObjectChooserProps) {
  const role = useRole()
  const kinds = KINDS.filter((each) => mayDo(role, CHOSEN_KINDS[each].action))
  const kind = chosen !== null && chosen.kind !== 'feeder' ? chosen.kind : ''
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
      {kind !== '' && chosen !== null && (
        <Titles key={kind} kind={kind} id={chosen.id} onChoose={onChoose} />
      )}
    </div>
  )
}

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
      choices={id === '' ? [{ value: '', label: 'Choose …' }, ...choices] : choices}
      value={id}
      more={more}
      onType={onType}
      error={isError ? 'The list could not be read. Choose the kind again to retry.' : ''}
      onChange={(next) =>
        onChoose({ kind, id: next, title: rows.find(({ _id }) => _id === next)?.title ?? '' })
      }
    />
  )
}
