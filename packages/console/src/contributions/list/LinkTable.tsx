/** The table of inputs or of outputs, and what its rows share: which are ticked, open, being renamed. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import type { MatchingLinks } from '@trunkline/contract/contributions/link.schema'
import type { Output } from '@trunkline/contract/contributions/output.schema'
import { STALE_AFTER_MS } from '@trunkline/contract/fleet/state-view.rules'
import { programKey } from '@trunkline/contract/fleet/watch-key.rules'
import { type ReactNode, useState } from 'react'
import { usePreload } from '../../lib/later.ts'
import { useApiNow, usePrograms } from '../../lib/live/live-hooks.ts'
import { ACTION_FAILED } from '../../programs/command/command.messages.ts'
import { KeptHistory } from '../../programs/history/link-samples.hook.ts'
import { LOG_DIALOG } from '../../programs/log/log.loader.ts'
import { agoText } from '../../shared/format.ts'
import { PagedTable } from '../../shared/list/PagedTable.tsx'
import type { Paging } from '../../shared/list/paging.hook.ts'
import { LaterDialog, LaterPart } from '../../shared/page/Later.tsx'
import { Checkbox } from '../../ui/choice/Checkbox.tsx'
import { LIST_FAILED } from '../contribution.messages.ts'
import { linkLogQuery } from '../contribution.queries.ts'
import { useBulkResult } from '../bulk/bulk-result.hook.ts'
import type { BulkResult } from '../bulk/BulkResultDialog.tsx'
import { useMatching } from '../bulk/matching.hook.ts'
import { type BulkItem, type Link, type LinkKind, linkOf } from '../link.rules.ts'
import { BULK_BAR, BULK_RESULT, CLONE_LINK, SOON_WANTED } from '../parts.loader.ts'
import { LinkRow } from './LinkRow.tsx'
import classes from './LinkTable.module.css'
import { PAGE_SIZES } from './list-filter.hook.ts'
import { type Selection, useSelection } from './selection.hook.ts'

interface LinkTableProps<T extends Input | Output> {
  kind: LinkKind
  answer: UseQueryResult<{ total: number }>
  rows: readonly T[] | undefined
  filter: Paging & { list: object }
  /** All that match the filter, on whatever page. */
  askAll: () => Promise<MatchingLinks>
  /** Of the two columns that differ. */
  heads: readonly [string, string]
  /** The cells below those heads. */
  cellsOf: (row: T) => ReactNode
  empty: ReactNode
  change: Change<T>
  onShowOutputs: (inputId: string) => void
}

/** The one action on several that the two kinds do not share: a dialog. */
interface Change<T extends { id: string }> {
  label: string
  disabledReason: (selection: Selection<T>) => string | null
  dialogOf: (chosen: Chosen<T>) => ReactNode
}

interface Chosen<T> {
  rows: readonly T[]
  items: readonly BulkItem[]
  showOutcome: ReturnType<typeof useBulkResult>['showOutcome']
  onClose: () => void
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

export function LinkTable<T extends Input | Output>(props: LinkTableProps<T>) {
  const { kind, heads, filter, answer, rows, change, onShowOutputs } = props
  const selection = useSelection(rows)
  const { placeOf, logOf, setLogOf, cloned, setCloned } = usePlaces(selection)
  const { result, closeResult, showOutcome } = useBulkResult(kind, onShowOutputs)
  const [isChanging, setChanging] = useState(false)
  usePreload(rows !== undefined, SOON_WANTED)
  const total = answer.data?.total ?? 0
  const { list } = filter
  const { items, offer } = useMatching({ kind, total, selection, list, ask: props.askAll })
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
            aside: <ReadAge kind={kind} rows={rows ?? NO_ROWS} />,
            width: [292, 258],
          },
          { head: 'Name', stays: true, sort: 'title' },
          { head: heads[0], width: [148, 128] },
          kind === 'input'
            ? { head: heads[1], sort: 'port', width: 118 }
            : { head: heads[1], width: [168, 140] },
          { head: 'Bitrate, kbit/s', className: classes.colBitrate, headClassName: classes.number },
          { head: 'Uptime', width: [112, 88] },
          { head: 'Actions', width: [158, 150], align: 'buttons' },
        ]}
        answer={answer}
        rows={rows}
        total={total}
        paging={filter}
        sizes={PAGE_SIZES}
        rowHeight={ROW_HEIGHT}
        failedText={LIST_FAILED[kind]}
        empty={props.empty}
        bar={
          items.length > 0 && (
            <LaterPart
              part={BULK_BAR}
              waiting={null}
              props={{
                kind,
                links: items,
                offer,
                elsewhere: selection.elsewhere,
                change: {
                  label: change.label,
                  icon: 'move',
                  open: () => setChanging(true),
                  disabledReason: change.disabledReason(selection),
                },
                showOutcome,
                onGone: selection.drop,
                onClear: selection.clear,
              }}
            />
          )
        }
        rowOf={(row) => (
          <LinkRow
            key={row.id}
            link={linkOf(row)}
            place={placeOf(row)}
            onShowOutputs={onShowOutputs}
          >
            {props.cellsOf(row)}
          </LinkRow>
        )}
        keyOf={({ id }) => id}
      />
      {logOf !== null && (
        <LaterDialog
          part={LOG_DIALOG}
          props={{
            title: logOf.kind === 'input' ? 'Input log' : 'Output log',
            subtitle: logOf.title,
            level: logOf.logLevel,
            queryFor: (use) => linkLogQuery(logOf, use),
            failedText: ACTION_FAILED,
            onClose: () => setLogOf(null),
          }}
        />
      )}
      {isChanging &&
        change.dialogOf({
          rows: selection.rows,
          items,
          showOutcome,
          onClose: () => setChanging(false),
        })}
      {result !== null && (
        <LaterDialog
          part={BULK_RESULT}
          props={{
            result,
            onSelectFailed: selectFailed(selection, result),
            onClose: closeResult,
          }}
        />
      )}
      {cloned !== null && (
        <LaterDialog part={CLONE_LINK} props={{ link: cloned, onClose: () => setCloned(null) }} />
      )}
    </KeptHistory>
  )
}

function selectFailed(
  { ids, pick }: Pick<Selection<Input>, 'ids' | 'pick'>,
  { failures }: BulkResult,
): (() => void) | null {
  return ids.length > failures.length ? () => pick(failures.map(({ id }) => id)) : null
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
  const programs = usePrograms(rows.map(({ id }) => programKey(kind, id)))
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
