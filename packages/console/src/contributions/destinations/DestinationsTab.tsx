/** The destinations: far ends kept by name, and how many outputs go to each. */
import { useQuery } from '@tanstack/react-query'
import type { Destination } from '@trunkline/contract/contributions/destination.schema'
import { useState } from 'react'
import { useShortcut } from '../../lib/shortcuts.ts'
import { LongBody } from '../../shared/list/LongBody.tsx'
import { PagedTable } from '../../shared/list/PagedTable.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { Empty } from '../../ui/notice/Notice.tsx'
import type { Column } from '../../ui/table/Table.tsx'
import { useBulkResult } from '../bulk/bulk-result.hook.ts'
import { BulkBar, BulkButton } from '../bulk/BulkBar.tsx'
import { BulkResultDialog } from '../bulk/BulkResultDialog.tsx'
import { CloneDestinationDialog } from '../add/CloneDialogs.tsx'
import * as text from '../contribution.messages.ts'
import { useRemoveDestinations } from './destination.actions.ts'
import { destinationsQuery } from './destination.queries.ts'
import { DestinationDialog } from './DestinationDialog.tsx'
import { DestinationRow } from './DestinationRow.tsx'
import { SelectPage } from '../list/LinkTable.tsx'
import { LinkTools } from '../list/LinkTools.tsx'
import { type DestinationFilter, PAGE_SIZES } from '../list/list-filter.hook.ts'
import { type Selection, useSelection } from '../list/selection.hook.ts'

export function DestinationTools({ filter }: { filter: DestinationFilter }) {
  const [isOpen, setOpen] = useState(false)
  useShortcut('n', () => setOpen(true))
  return (
    <LinkTools
      kind="destination"
      paging={filter}
      add={
        <>
          <Button tone="primary" icon="plus" onClick={() => setOpen(true)}>
            Add Destination
          </Button>
          {isOpen && <DestinationDialog destination={null} onClose={() => setOpen(false)} />}
        </>
      }
    />
  )
}

const COLUMNS: readonly Column[] = [
  { head: 'Title' },
  { head: 'Host', width: 320 },
  { head: 'Outputs', width: 110, align: 'number' },
  { head: 'Actions', width: 150, align: 'buttons' },
]

const ROW_HEIGHT = 36

interface DestinationTableProps {
  filter: DestinationFilter
  onShowOutputs: (destinationId: string) => void
}

export function DestinationTable({ filter, onShowOutputs }: DestinationTableProps) {
  const answer = useQuery(destinationsQuery(filter.list))
  const rows = answer.data?.destinations
  const selection = useSelection(rows)
  const [edited, setEdited] = useState<Destination | null>(null)
  const [cloned, setCloned] = useState<Destination | null>(null)
  const [renamedId, setRenamedId] = useState<string | null>(null)
  return (
    <>
      <PagedTable
        label="Destinations"
        columns={[
          {
            head: 'Select',
            isHeadHidden: true,
            control: <SelectPage selection={selection} of="destinations" />,
            width: 56,
          },
          ...COLUMNS,
        ]}
        minWidth={720}
        answer={answer}
        rows={rows}
        total={answer.data?.total ?? 0}
        paging={filter}
        sizes={PAGE_SIZES}
        rowHeight={ROW_HEIGHT}
        failedText={text.LIST_FAILED.destination}
        empty={<NoDestinations />}
        bar={selection.rows.length > 0 && <DestinationBar selection={selection} />}
        rowOf={(destination) => (
          <DestinationRow
            key={destination.id}
            destination={destination}
            isSelected={selection.has(destination.id)}
            onSelect={(isOn, isRange) => selection.toggle(destination, isOn, isRange)}
            isRenamed={renamedId === destination.id}
            onRename={(isRenamed) => setRenamedId(isRenamed ? destination.id : null)}
            onEdit={() => setEdited(destination)}
            onClone={() => setCloned(destination)}
            onShowOutputs={() => onShowOutputs(destination.id)}
          />
        )}
        longBody={(all, rowOf) => (
          <LongBody rows={all} rowOf={rowOf} keyOf={({ id }) => id} rowHeight={ROW_HEIGHT} />
        )}
      />
      {edited !== null && (
        <DestinationDialog destination={edited} onClose={() => setEdited(null)} />
      )}
      {cloned !== null && (
        <CloneDestinationDialog destination={cloned} onClose={() => setCloned(null)} />
      )}
    </>
  )
}

function DestinationBar({ selection }: { selection: Selection<Destination> }) {
  const removeAll = useRemoveDestinations()
  const { result, closeResult, tell } = useBulkResult('destination', () => {})
  const [isBusy, setBusy] = useState(false)
  const { rows, elsewhere } = selection
  const remove = async () => {
    setBusy(true)
    const outcome = await removeAll(rows).finally(() => setBusy(false))
    if (outcome === null) return
    tell(outcome, rows, { worked: text.REMOVED.destination, failed: text.DELETE_FAILED })
    selection.drop(outcome.done)
  }
  return (
    <>
      <BulkBar
        of="destinations"
        count={rows.length}
        detail={text.selectionText(0, 0, elsewhere)}
        onClear={selection.clear}
      >
        <BulkButton
          icon="bin"
          label="Delete"
          count={null}
          isDanger
          disabledReason={isBusy ? '' : null}
          onClick={() => void remove()}
        />
      </BulkBar>
      {result !== null && <BulkResultDialog result={result} onClose={closeResult} />}
    </>
  )
}

function NoDestinations() {
  return (
    <Empty title="No destinations yet">
      A destination is a far end that your outputs send to, kept with its address and its key, so
      that an output is given one by name.
    </Empty>
  )
}
