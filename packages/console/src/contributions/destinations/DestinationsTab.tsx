/** The destinations: far ends kept by name, and how many outputs go to each. */
import { useQuery } from '@tanstack/react-query'
import type { Destination } from '@trunkline/contract/contributions/destination.schema'
import { useState } from 'react'
import { usePreload } from '../../lib/later.ts'
import { usePageQuery } from '../../shared/page/page-query.hook.ts'
import { AddButton, AddFirst } from '../../shared/list/AddButton.tsx'
import { useOpenedId } from '../../shared/list/opened-id.hook.ts'
import { PagedTable } from '../../shared/list/PagedTable.tsx'
import { LaterDialog } from '../../shared/page/Later.tsx'
import { Empty } from '../../ui/notice/Notice.tsx'
import type { Column } from '../../ui/table/Table.tsx'
import { useBulkResult } from '../bulk/bulk-result.hook.ts'
import { BulkBar, BulkButton } from '../bulk/BulkBar.tsx'
import { useMatchingOffer } from '../bulk/matching.hook.ts'
import * as text from '../contribution.messages.ts'
import { useRemoveDestinations } from './destination.actions.ts'
import {
  type DestinationList,
  destinationQuery,
  destinationsQuery,
  matchingDestinations,
  type Named,
} from './destination.queries.ts'
import { DestinationRow } from './DestinationRow.tsx'
import { BULK_RESULT, CLONE_DESTINATION, DESTINATION_DIALOG, SOON_WANTED } from '../parts.loader.ts'
import { SelectPage } from '../list/LinkTable.tsx'
import { LinkTools } from '../list/LinkTools.tsx'
import { type DestinationFilter, PAGE_SIZES } from '../list/list-filter.hook.ts'
import { type Selection, useSelection } from '../list/selection.hook.ts'

const ADD = {
  label: 'Add Destination',
  dialogOf: (onClose: () => void) => (
    <LaterDialog part={DESTINATION_DIALOG} props={{ destination: null, onClose }} />
  ),
}

export function DestinationTools({ filter }: { filter: DestinationFilter }) {
  return <LinkTools kind="destination" paging={filter} add={<AddButton {...ADD} />} />
}

const COLUMNS: readonly Column[] = [
  { head: 'Title', stays: true, sort: 'title', isOwnOrder: true },
  { head: 'Host', sort: 'ip', width: [320, 240] },
  { head: 'Outputs', width: 110, align: 'number' },
  { head: 'Actions', width: 150, align: 'buttons' },
]

const ROW_HEIGHT = 36

interface DestinationTableProps {
  filter: DestinationFilter
  onShowOutputs: (destinationId: string) => void
}

export function DestinationTable({ filter, onShowOutputs }: DestinationTableProps) {
  const answer = usePageQuery(destinationsQuery(filter.list))
  const rows = answer.data?.destinations
  const selection = useSelection(rows)
  usePreload(rows !== undefined, SOON_WANTED)
  const { edited, edit, close } = useEdited()
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
        answer={answer}
        rows={rows}
        total={answer.data?.total ?? 0}
        paging={filter}
        sizes={PAGE_SIZES}
        rowHeight={ROW_HEIGHT}
        failedText={text.LIST_FAILED.destination}
        empty={<NoDestinations />}
        bar={
          selection.ids.length > 0 && (
            <DestinationBar
              selection={selection}
              total={answer.data?.total ?? 0}
              list={filter.list}
            />
          )
        }
        rowOf={(destination) => (
          <DestinationRow
            key={destination.id}
            destination={destination}
            isSelected={selection.has(destination.id)}
            onSelect={(isOn, isRange) => selection.toggle(destination, isOn, isRange)}
            isRenamed={renamedId === destination.id}
            onRename={(isRenamed) => setRenamedId(isRenamed ? destination.id : null)}
            onEdit={() => edit(destination)}
            onClone={() => setCloned(destination)}
            onShowOutputs={() => onShowOutputs(destination.id)}
          />
        )}
        keyOf={({ id }) => id}
      />
      {edited !== null && (
        <LaterDialog part={DESTINATION_DIALOG} props={{ destination: edited, onClose: close }} />
      )}
      {cloned !== null && (
        <LaterDialog
          part={CLONE_DESTINATION}
          props={{ destination: cloned, onClose: () => setCloned(null) }}
        />
      )}
    </>
  )
}

/** The destination whose settings are open: by a click, or because a link to the page names it. */
function useEdited() {
  const [clicked, setClicked] = useState<Destination | null>(null)
  const { openedId, forget } = useOpenedId()
  const { data: linked = null } = useQuery({
    ...destinationQuery(openedId),
    enabled: openedId !== '',
  })
  const close = () => {
    setClicked(null)
    forget()
  }
  return { edited: clicked ?? (openedId === '' ? null : linked), edit: setClicked, close }
}

/** Of those that are selected; of all that match, without their rows. */
function useSelected({ selection, total, list }: DestinationBarProps) {
  const [titles, setTitles] = useState<ReadonlyMap<string, string>>(new Map())
  const read = new Map(selection.rows.map(({ id, title }) => [id, title]))
  const selected = selection.ids.map((id): Named => {
    return { id, title: read.get(id) ?? titles.get(id) ?? id }
  })
  const offer = useMatchingOffer(selection, { selected: selected.length, total }, async () => {
    const found = await matchingDestinations(list)
    setTitles(new Map(found.map(({ id, title }) => [id, title])))
    return found.map(({ id }) => id)
  })
  return { selected, offer }
}

interface DestinationBarProps {
  selection: Selection<Destination>
  /** Of all that match. */
  total: number
  list: DestinationList
}

function DestinationBar(props: DestinationBarProps) {
  const { selection } = props
  const { selected, offer } = useSelected(props)
  const removeAll = useRemoveDestinations()
  const { result, closeResult, showOutcome } = useBulkResult('destination', () => {})
  const [progress, setProgress] = useState<number | null>(null)
  const remove = async () => {
    setProgress(0)
    const outcome = await removeAll(selected, setProgress).finally(() => setProgress(null))
    if (outcome === null) return
    showOutcome(outcome, selected, { worked: text.REMOVED.destination, failed: text.DELETE_FAILED })
    selection.drop(outcome.done)
  }
  return (
    <>
      <BulkBar
        of="destinations"
        count={selected.length}
        detail={
          progress === null
            ? text.selectionText(0, 0, selection.elsewhere)
            : text.progressText({ answered: progress, of: selected.length })
        }
        offer={offer}
        onClear={selection.clear}
      >
        <BulkButton
          icon="bin"
          label="Delete"
          count={null}
          isDanger
          disabledReason={progress === null ? null : ''}
          onClick={() => void remove()}
        />
      </BulkBar>
      {result !== null && (
        <LaterDialog
          part={BULK_RESULT}
          // Those that were deleted are selected no more.
          props={{ result, onSelectFailed: null, onClose: closeResult }}
        />
      )}
    </>
  )
}

function NoDestinations() {
  return (
    <Empty title="No destinations yet" action={<AddFirst {...ADD} />}>
      A destination is a far end that your outputs send to. It is saved with its address and
      passphrase, so that you can choose it by name.
    </Empty>
  )
}
