/** The outputs of one input, to one destination; both filters are remembered (STORE-07). */
import { useChoices } from '../../shared/choices/choices.hook.ts'
import { TypeAhead } from '../../ui/choice/TypeAhead.tsx'
import { INPUTS } from '../contribution.queries.ts'
import { DESTINATION_FILTER } from '../destinations/destination.queries.ts'
import type { OutputFilter } from '../list/list-filter.hook.ts'

export function OutputFilters({ filter }: { filter: OutputFilter }) {
  return (
    <>
      <InputFilter value={filter.inputId} onChange={filter.setInputId} />
      <DestinationFilter value={filter.destinationId} onChange={filter.setDestinationId} />
    </>
  )
}

interface FilterProps {
  value: string
  onChange: (id: string) => void
}

function InputFilter({ value, onChange }: FilterProps) {
  const { rows, chosen, more, onType } = useChoices(INPUTS, value)
  return (
    <TypeAhead
      label="Input"
      allLabel="All inputs"
      value={value}
      valueLabel={chosen?.title ?? ''}
      choices={rows.map(({ id, title }) => ({ value: id, label: title }))}
      more={more}
      onType={onType}
      onChange={onChange}
    />
  )
}

function DestinationFilter({ value, onChange }: FilterProps) {
  const { rows, chosen, more, onType } = useChoices(DESTINATION_FILTER, value)
  return (
    <TypeAhead
      label="Destination"
      allLabel="All destinations"
      value={value}
      valueLabel={chosen?.title ?? ''}
      choices={rows.map(({ id, title }) => ({ value: id, label: title }))}
      more={more}
      onType={onType}
      onChange={onChange}
    />
  )
}
