/** Which group, or which server, something is planned for. */
import type { CoveredKind } from '@trunkline/contract/alarms/maintenance/maintenance.schema'
import { FormSelect } from '../forms/DialogFields.tsx'
import type { Form } from '../forms/form.hook.ts'
import { useChoices } from '../shared/choices/choices.hook.ts'
import { GROUPS } from '../shared/choices/group.queries.ts'
import { ALL_SERVERS } from '../shared/choices/server.queries.ts'
import fieldRow from '../ui/field/FieldRow.module.css'

const KINDS = [
  { value: 'group', label: 'A group' },
  { value: 'server', label: 'A server and what runs on it' },
] as const

interface CoversValues {
  kind: CoveredKind
  /** '' for none yet. */
  id: string
}

/** The form has a field `kind` and a field `id`. */
export function CoversFields<T extends CoversValues>({ form }: { form: Form<T> }) {
  const { kind, id } = form.values
  const groups = useChoices(GROUPS, kind === 'group' ? id : '', kind === 'group')
  const servers = useChoices(ALL_SERVERS, kind === 'server' ? id : '', kind === 'server')
  const { rows, more, onType } = kind === 'group' ? groups : servers
  const choices = rows.map(({ _id, title }) => ({ value: _id, label: title }))
  return (
    <div className={fieldRow.pair}>
      <FormSelect
        form={form}
        name="kind"
        choices={KINDS}
        onChange={(next) => form.set({ kind: next, id: '' } as Partial<T>)}
      />
      <FormSelect
        form={form}
        name="id"
        choices={id === '' ? [{ value: '', label: 'Choose …' }, ...choices] : choices}
        more={more}
        onType={onType}
      />
    </div>
  )
}
