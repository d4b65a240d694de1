/**
 * Draws of a long list the rows in sight and a few around them: ten thousand are as fast as twelve. The page scrolls,
 * not the table. Loaded by PagedTable: most lists have pages.
 */
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { Fragment, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useHeldRow } from '../../ui/scroll/held-row.hook.ts'
import { useQuickScroll } from '../../ui/scroll/quick-scroll.hook.ts'
import { Settled } from '../../ui/scroll/Settled.tsx'
import { RowPlace } from '../../ui/table/Table.tsx'

/** Of one table: its rows and what draws them. What is loaded later has no type parameter. */
interface LongRowsProps {
  rows: readonly unknown[]
  /** Row and what it opens to: one or two `tr`. */
  rowOf: (row: never) => ReactNode
  keyOf: (row: never) => string
  /** In pixels, of a row that is closed; what is drawn is measured. */
  rowHeight: number
}

const AROUND = 3
/** Row 1 is the head. */
const FIRST_ROW = 2

export function LongRows({ rows, rowOf, keyOf, rowHeight }: LongRowsProps) {
  const start = useRef<HTMLTableSectionElement>(null)
  const [topPx, setTopPx] = useState(0)
  const isQuick = useQuickScroll()
  const { rangeExtractor, holdAt } = useHeldRow()
  useLayoutEffect(() => {
    const top = start.current?.getBoundingClientRect().top ?? 0
    setTopPx(top + window.scrollY)
  }, [])
  // oxlint-disable-next-line react/incompatible-library -- what it answers is drawn here and handed to nobody
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: AROUND,
    scrollMargin: topPx,
    rangeExtractor,
    getItemKey: (index) => (index < rows.length ? keyOf(rows[index] as never) : index),
    measureElement: (element) => element.getBoundingClientRect().height || rowHeight,
  })
  const items = virtualizer.getVirtualItems()
  return (
    <>
      <tbody ref={start} />
      {items.map(({ index, key, start: from }, at) => {
        if (index >= rows.length) return null
        return (
          // One key for both: rows that stay in sight must stay what they are, or they lose the focus.
          <Fragment key={key}>
            <Gap heightPx={from - (items[at - 1]?.end ?? topPx)} />
            <tbody ref={virtualizer.measureElement} data-index={index} {...holdAt(index)}>
              <Settled isQuick={isQuick} waiting={<Room heightPx={rowHeight} />}>
                <RowPlace value={index + FIRST_ROW}>{rowOf(rows[index] as never)}</RowPlace>
              </Settled>
            </tbody>
          </Fragment>
        )
      })}
      <Gap heightPx={topPx + virtualizer.getTotalSize() - (items.at(-1)?.end ?? topPx)} />
    </>
  )
}

/** Stands for the rows that are not drawn. */
function Gap({ heightPx }: { heightPx: number }) {
  if (heightPx <= 0) return null
  return (
    <tbody aria-hidden="true">
      <Room heightPx={heightPx} />
    </tbody>
  )
}

function Room({ heightPx }: { heightPx: number }) {
  return (
    <tr aria-hidden="true">
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- no control, only room */}
      <td style={{ height: heightPx, padding: 0, border: 0 }} />
    </tr>
  )
}
