/** The outputs: which input each one repeats, and to whom. */
import { useQuery } from '@tanstack/react-query'
import type { Output } from '@trunkline/contract/contributions/output.schema'
import { useState } from 'react'
import { useShortcut } from '../../lib/shortcuts.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Empty } from '../../ui/notice/Notice.tsx'
import { AddOutputDialog } from '../add/AddLinkDialogs.tsx'
import { useBulkResult } from '../bulk/bulk-result.hook.ts'
import { BulkResultDialog } from '../bulk/BulkResultDialog.tsx'
import { ChangeDestinationDialog } from './ChangeDestinationDialog.tsx'
import { outputsQuery } from '../contribution.queries.ts'
import { DestinationCell } from './DestinationCell.tsx'
import { linkOfOutput } from '../link.rules.ts'
import { LinkBulkBar } from '../bulk/LinkBulkBar.tsx'
import { LinkRow } from '../list/LinkRow.tsx'
import { LinkTable } from '../list/LinkTable.tsx'
import classes from '../list/LinkTable.module.css'
import { LinkTools } from '../list/LinkTools.tsx'
import type { OutputFilter } from '../list/list-filter.hook.ts'
import { OutputFilters } from './OutputFilters.tsx'
import { type Selection, useSelection } from '../list/selection.hook.ts'

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
