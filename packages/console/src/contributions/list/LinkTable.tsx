/** The table of inputs or of outputs, and what its rows share: which are ticked, open, being renamed. */
import type { UseQueryResult } from '@tanstack/react-query'
import { STALE_AFTER_MS } from '@trunkline/contract/fleet/state-view.rules'
import { type ReactNode, useState } from 'react'
import { useApiNow, usePrograms } from '../../lib/live-hooks.ts'
import { programKey } from '../../lib/live-store.ts'
import { ACTION_FAILED } from '../../programs/command/command.messages.ts'
import { KeptHistory } from '../../programs/history/link-samples.hook.ts'
import { LogDialog } from '../../programs/log/LogDialog.tsx'
import { agoText } from '../../shared/format.ts'
import { LongBody } from '../../shared/list/LongBody.tsx'
import { PagedTable } from '../../shared/list/PagedTable.tsx'
import type { Paging } from '../../shared/list/paging.hook.ts'
import { Checkbox } from '../../ui/choice/Checkbox.tsx'
import { CloneLinkDialog } from '../add/CloneDialogs.tsx'
import { LIST_FAILED } from '../contribution.messages.ts'
import { linkLogQuery } from '../contribution.queries.ts'
import type { Link, LinkKind } from '../link.rules.ts'
import classes from './LinkTable.module.css'
import { PAGE_SIZES } from './list-filter.hook.ts'
import type { Selection } from './selection.hook.ts'

interface LinkTableProps<T extends { id: string }> {
  kind: LinkKind
  answer: UseQueryResult
  rows: readonly T[] | undefined
  total: number
  paging: Paging
  selection: Selection<T>
  /** Of the two columns that differ. */
  heads: readonly [string, string]
  empty: ReactNode
  /** At the foot, while rows are selected. */
  bar: ReactNode
  rowOf: (row: T, place: RowPlace) => ReactNode
}

/** What a row has to do with its table. */
export interface RowPlace {
  isSelected: boolean
  onSelect: (isOn: boolean, isRange: boolean) => void
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  isRenamed: boolean
  onRename: (isRenamed: boolean) => void
  onLog: (link: Link) => void
  onClone: (link: Link) => void
}

const ROW_HEIGHT = 36
const NO_ROWS: readonly { id: string }[] = []

export function LinkTable<T extends { id: string }>(props: LinkTableProps<T>) {
  const { kind, heads, selection } = props
  const { placeOf, logOf, setLogOf, cloned, setCloned } = usePlaces(selection)
  const label = kind === 'input' ? 'Inputs' : 'Outputs'
  return (
    <KeptHistory value={kind}>
      <PagedTable
        label={label}
        columns={[
          {
            head: 'Select',
            isHeadHidden: true,
            control: <SelectPage selection={selection} of={label.toLowerCase()} />,
            width: 48,
          },
          { head: 'Expand', isHeadHidden: true, width: 40 },
          {
            head: 'Status',
            aside: <ReadAge kind={kind} rows={props.rows ?? NO_ROWS} />,
            width: [248, 226],
          },
          { head: 'Name' },
          { head: heads[0], width: [148, 128] },
          { head: heads[1], width: kind === 'input' ? 118 : [168, 140] },
          { head: 'Bitrate, kbit/s', className: classes.colBitrate, headClassName: classes.number },
          { head: 'Uptime', width: [112, 88] },
          { head: 'Actions', width: [158, 150], align: 'buttons' },
        ]}
        minWidth={1040}
        answer={props.answer}
        rows={props.rows}
        total={props.total}
        paging={props.paging}
        sizes={PAGE_SIZES}
        rowHeight={ROW_HEIGHT}
        failedText={LIST_FAILED[kind]}
        empty={props.empty}
        bar={props.bar}
        rowOf={(row) => props.rowOf(row, placeOf(row))}
        longBody={(rows, rowOf) => (
          <LongBody rows={rows} rowOf={rowOf} keyOf={({ id }) => id} rowHeight={ROW_HEIGHT} />
        )}
      />
      {logOf !== null && (
        <LogDialog
          title={logOf.kind === 'input' ? 'Input log' : 'Output log'}
          subtitle={logOf.title}
          level={logOf.logLevel}
          queryFor={(use) => linkLogQuery(logOf, use)}
          failedText={ACTION_FAILED}
          onClose={() => setLogOf(null)}
        />
      )}
      {cloned !== null && <CloneLinkDialog link={cloned} onClose={() => setCloned(null)} />}
    </KeptHistory>
  )
}

/** Kept here and not in the rows: of a long list only those in sight are there. */
function usePlaces<T extends { id: string }>(selection: Selection<T>) {
  const [openIds, setOpenIds] = useState<ReadonlySet<string>>(new Set())
  const [renamedId, setRenamedId] = useState<string | null>(null)
  const [logOf, setLogOf] = useState<Link | null>(null)
  const [cloned, setCloned] = useState<Link | null>(null)
  const placeOf = (row: T): RowPlace => ({
    isSelected: selection.has(row.id),
    onSelect: (isOn, isRange) => selection.toggle(row, isOn, isRange),
    isOpen: openIds.has(row.id),
    onOpen: (isOpen) => setOpenIds((now) => changed(now, row.id, isOpen)),
    isRenamed: renamedId === row.id,
    onRename: (isRenamed) => setRenamedId(isRenamed ? row.id : null),
    onLog: setLogOf,
    onClone: setCloned,
  })
  return { placeOf, logOf, setLogOf, cloned, setCloned }
}

function changed(ids: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(ids)
  if (isIn) next.add(id)
  else next.delete(id)
  return next
}

interface SelectPageProps<T extends { id: string }> {
  selection: Selection<T>
  /** 'inputs'. */
  of: string
}

/** CON-IN-09: all rows of the page, some of them, or none. */
export function SelectPage<T extends { id: string }>({ selection, of }: SelectPageProps<T>) {
  return (
    <Checkbox
      label={`Select all ${of} of this page`}
      checked={selection.page === 'all'}
      isMixed={selection.page === 'some'}
      onChange={selection.togglePage}
    />
  )
}

interface ReadAgeProps {
  kind: LinkKind
  rows: readonly { id: string }[]
}

/**
 * How old the oldest reading is that the rows show as fresh. Nothing where no row has one; rows with an
 * old one show its age themselves.
 */
function ReadAge({ kind, rows }: ReadAgeProps) {
  const programs = usePrograms()
  const nowMs = useApiNow()
  const ages = rows.flatMap(({ id }) => {
    const status = programs.get(programKey(kind, id))
    if (status?.state !== 'running' || status.reading === null) return []
    const ageMs = nowMs - status.reading.atMs
    return ageMs > STALE_AFTER_MS ? [] : [Math.max(0, ageMs)]
  })
  if (ages.length === 0) return null
  const oldestMs = ages.reduce((oldest, age) => Math.max(oldest, age), 0)
  return <span className={classes.age}>read {agoText(oldestMs)}</span>
}
