/** The outputs: which input each one repeats, and to whom. */
import { useQuery } from '@tanstack/react-query'
import type { Output } from '@trunkline/contract/contributions/output.schema'
import { useState } from 'react'
import { useShortcut } from '../../lib/shortcuts.ts'
import { useChoices } from '../../shared/choices/choices.hook.ts'
import { Button } from '../../ui/button/Button.tsx'
import { TypeAhead } from '../../ui/choice/TypeAhead.tsx'
import { Empty } from '../../ui/notice/Notice.tsx'
import { AddOutputDialog } from '../add/AddLinkDialogs.tsx'
import { useBulkResult } from '../bulk/bulk-result.hook.ts'
import { BulkResultDialog } from '../bulk/BulkResultDialog.tsx'
import { LinkBulkBar } from '../bulk/LinkBulkBar.tsx'
import { outputsQuery, INPUTS } from '../contribution.queries.ts'
import { DESTINATION_FILTER } from '../destinations/destination.queries.ts'
import { linkOfOutput } from '../link.rules.ts'
import { LinkRow } from '../list/LinkRow.tsx'
import classes from '../list/LinkTable.module.css'
import { LinkTable } from '../list/LinkTable.tsx'
import { LinkTools } from '../list/LinkTools.tsx'
import type { OutputFilter } from '../list/list-filter.hook.ts'
import { type Selection, useSelection } from '../list/selection.hook.ts'
import { ChangeDestinationDialog } from './ChangeDestinationDialog.tsx'
import { DestinationCell } from './DestinationCell.tsx'

export function OutputTools({ filter }: { filter: OutputFilter }) {
  return (
    <LinkTools kind="output" paging={filter} add={<AddOutput />}>
      <OutputFilters filter={filter} />
    </LinkTools>
  )
}

function AddOutput() {
  const [isOpen, setOpen] = useState(false)
  useShortcut('n', () => setOpen(true))
  return (
    <>
      <Button tone="primary" icon="plus" onClick={() => setOpen(true)}>
        Add Output
      </Button>
      {isOpen && <AddOutputDialog onClose={() => setOpen(false)} />}
    </>
  )
}

export function OutputTable({ filter }: { filter: OutputFilter }) {
  const answer = useQuery(outputsQuery(filter.list))
  const rows = answer.data?.outputs
  const selection = useSelection(rows)
  const bulk = useBulkResult('output', nowhere)
  const [isChanging, setChanging] = useState(false)
  return (
    <>
      <LinkTable
        kind="output"
        answer={answer}
        rows={rows}
        total={answer.data?.total ?? 0}
        paging={filter}
        selection={selection}
        heads={['Input', 'Destination']}
        empty={<NoOutputs />}
        bar={barOf(selection, bulk.tell, () => setChanging(true))}
        rowOf={(output, place) => (
          <LinkRow
            key={output.id}
            link={linkOfOutput(output)}
            place={place}
            onShowOutputs={nowhere}
          >
            <td className={classes.second} title={output.contributionInfo.title} data-phone="2">
              {output.contributionInfo.title}
            </td>
            <td data-phone="2-end">
              <DestinationCell output={output} />
            </td>
          </LinkRow>
        )}
      />
      {isChanging && (
        <ChangeDestinationDialog
          outputs={selection.rows}
          tell={bulk.tell}
          onClose={() => setChanging(false)}
        />
      )}
      {bulk.result !== null && <BulkResultDialog result={bulk.result} onClose={bulk.closeResult} />}
    </>
  )
}

/** An output has no outputs. */
function nowhere(): void {}

function barOf(
  selection: Selection<Output>,
  tell: ReturnType<typeof useBulkResult>['tell'],
  onChange: () => void,
) {
  if (selection.rows.length === 0) return null
  return (
    <LinkBulkBar
      kind="output"
      links={selection.rows.map(linkOfOutput)}
      elsewhere={selection.elsewhere}
      change={{ label: 'Change destination', icon: 'move', open: onChange }}
      tell={tell}
      onGone={selection.drop}
      onClear={selection.clear}
    />
  )
}

function NoOutputs() {
  return (
    <Empty title="No outputs here">
      An output repeats the stream of one input to a destination. There is none for this choice.
    </Empty>
  )
}

/** The outputs of one input, to one destination; both filters are remembered (STORE-07). */
function OutputFilters({ filter }: { filter: OutputFilter }) {
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
