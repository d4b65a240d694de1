/** Every row of the file with what it will do or has done; of a long file those in sight are drawn. */
import type { CsvKind } from '@trunkline/contract/as-text/csv-columns.rules'
import { keyName } from '@trunkline/contract/as-text/text-object.schema'
import type { Family } from '@trunkline/contract/fleet/state-view.rules'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
import { Segmented } from '../../ui/choice/Segmented.tsx'
import classes from './CsvDialog.module.css'
import type { ImportRow } from './csv-import.hook.ts'
import { changeText } from './csv-change.rules.ts'
import * as text from './csv.messages.ts'

type View = 'all' | 'add' | 'change' | 'stay' | 'fail' | 'refused'

export function countsOf(rows: readonly ImportRow[]) {
  const counts = { all: rows.length, add: 0, change: 0, stay: 0, fail: 0, refused: 0, done: 0 }
  for (const { will, outcome } of rows) {
    counts[will]++
    if (outcome !== null) counts.done++
    if (outcome?.is === 'refused' || outcome?.is === 'unsent') counts.refused++
  }
  return counts
}

interface CsvPreviewProps {
  kind: CsvKind
  rows: readonly ImportRow[]
  /** Rows have been sent, or are being sent. */
  isSent: boolean
}

export function CsvPreview({ kind, rows, isSent }: CsvPreviewProps) {
  const counts = useMemo(() => countsOf(rows), [rows])
  const [chosen, choose] = useState<View | null>(null)
  const view = chosen ?? (counts.fail > 0 && !isSent ? 'fail' : 'all')
  const shown = useMemo(() => rows.filter((row) => isIn(row, view)), [rows, view])
  const views: readonly View[] = [
    'all',
    'add',
    'change',
    'stay',
    'fail',
    ...(isSent ? (['refused'] as const) : []),
  ]
  return (
    <>
      <div className={classes.views}>
        <Segmented
          label="Rows"
          segments={views.map((value) => ({
            value,
            label: VIEW_NAMES[value],
            count: counts[value],
          }))}
          value={view}
          onChange={choose}
        />
      </div>
      <RowTable rows={shown} label={`Rows of the file, ${text.KIND_NAMES[kind]}`} />
    </>
  )
}

const VIEW_NAMES: Readonly<Record<View, string>> = {
  all: 'All',
  ...text.WILL,
  refused: 'Not saved',
}

function isIn({ will, outcome }: ImportRow, view: View): boolean {
  if (view === 'refused') return outcome?.is === 'refused' || outcome?.is === 'unsent'
  return view === 'all' || will === view
}

const ROW_HEIGHT = 36
/** So many are drawn without looking where they are. */
const FEW = 60
const AROUND = 10

function RowTable({ rows, label }: { rows: readonly ImportRow[]; label: string }) {
  const frame = useRef<HTMLDivElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- what it answers is drawn here and handed to nobody
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: AROUND,
    enabled: rows.length > FEW,
  })
  const items = virtualizer.getVirtualItems()
  const places = rows.length > FEW ? items.map(({ index }) => index) : rows.map((_, index) => index)
  const isLong = rows.length > FEW
  const above = isLong ? (items[0]?.start ?? 0) : 0
  const below = isLong ? virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0) : 0
  return (
    // Focusable, because a region that scrolls must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div ref={frame} className={classes.frame} role="region" aria-label={label} tabIndex={0}>
      <table className={classes.table} aria-label={label} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Object</th>
            <th scope="col">What happens</th>
            <th scope="col">Details</th>
          </tr>
        </thead>
        <tbody>
          <Gap heightPx={above} />
          {places.map((index) => {
            const row = rows[index]
            if (row === undefined) return null
            return (
              <tr
                key={row.entry.line}
                ref={isLong ? virtualizer.measureElement : null}
                data-index={index}
                aria-rowindex={index + 2}
              >
                <PreviewCells row={row} />
              </tr>
            )
          })}
          <Gap heightPx={below} />
        </tbody>
      </table>
    </div>
  )
}

/** Stands for the rows that are not drawn. */
function Gap({ heightPx }: { heightPx: number }) {
  if (heightPx <= 0) return null
  return (
    <tr aria-hidden="true">
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- no control, only room */}
      <td colSpan={4} style={{ height: heightPx, padding: 0, border: 0 }} />
    </tr>
  )
}

const WILL_FAMILIES: Readonly<Record<ImportRow['will'], Family>> = {
  add: 'move',
  change: 'move',
  stay: 'off',
  fail: 'bad',
}
const OUTCOME_FAMILIES = { added: 'ok', changed: 'ok', refused: 'bad', unsent: 'warn' } as const

function PreviewCells({ row }: { row: ImportRow }) {
  const { entry, key, will, outcome } = row
  const family = outcome === null ? WILL_FAMILIES[will] : OUTCOME_FAMILIES[outcome.is]
  return (
    <>
      <td className={classes.line}>{entry.line}</td>
      <td className={classes.object}>{keyName(key)}</td>
      <td className={classes.will} data-f={family}>
        {outcome === null ? text.WILL[will] : text.OUTCOME[outcome.is]}
      </td>
      <td className={classes.details}>
        <Details row={row} />
      </td>
    </>
  )
}

function Details({ row: { faults, changes, stored, outcome } }: { row: ImportRow }) {
  if (outcome !== null && outcome.sentence !== '') return <span>{outcome.sentence}</span>
  if (faults.length > 0) {
    return (
      <ul>
        {faults.map(({ field, sentence }) => (
          <li key={`${field} ${sentence}`}>
            {field !== '' && !sentence.startsWith(field) && <b>{field}: </b>}
            {sentence}
          </li>
        ))}
      </ul>
    )
  }
  if (stored === null) return null
  return <span>{changes.map(changeText).join(', ')}</span>
}
