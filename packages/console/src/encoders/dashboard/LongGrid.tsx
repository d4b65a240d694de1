/**
 * The cards of a search that finds more than a page: only the lines in sight and a few around them are
 * drawn, so that ten thousand are as fast as twelve. The page scrolls, not the grid.
 */
import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import { useQuickScroll } from '../../ui/scroll/quick-scroll.hook.ts'
import { Settled } from '../../ui/scroll/Settled.tsx'
import { EncoderCard } from './EncoderCard.tsx'
import classes from './EncoderGrid.module.css'

interface LongGridProps {
  encoders: readonly Encoder[]
  onLog: (encoder: Encoder) => void
}

/** Of a line with the space below it, in pixels; what is drawn is measured. */
const LINE_HEIGHT_PX = 231
const GAP_PX = 12
/** The next line stands before the focus gets there. */
const LINES_AROUND = 2
const USUAL_COLUMNS = 4

export function LongGrid({ encoders, onLog }: LongGridProps) {
  const start = useRef<HTMLDivElement>(null)
  const { topPx, columns } = usePlace(start)
  const isQuick = useQuickScroll()
  const [heldLine, setHeldLine] = useState<number | null>(null)
  // The line that has the focus is kept, or scrolling would throw the focus away.
  const rangeExtractor = useCallback((range: Range) => withLine(range, heldLine), [heldLine])
  // oxlint-disable-next-line react/incompatible-library -- what it answers is drawn here and handed to nobody
  const virtualizer = useWindowVirtualizer({
    count: Math.ceil(encoders.length / columns),
    estimateSize: () => LINE_HEIGHT_PX,
    overscan: LINES_AROUND,
    scrollMargin: topPx,
    rangeExtractor,
    measureElement: (element) => element.getBoundingClientRect().height || LINE_HEIGHT_PX,
  })
  const lines = virtualizer.getVirtualItems()
  return (
    <div className={classes.long} style={{ height: virtualizer.getTotalSize() }}>
      {/* Has the columns of a line, however many the window has room for. */}
      <div ref={start} className={classes.line} aria-hidden="true" />
      {lines.map(({ index, start: fromPx }) => (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- hears which line has the focus
        <div
          key={index}
          ref={virtualizer.measureElement}
          data-index={index}
          className={classes.line}
          style={{ transform: `translateY(${fromPx - topPx}px)` }}
          onFocus={() => setHeldLine(index)}
          onBlur={() => setHeldLine(null)}
        >
          <Settled
            isQuick={isQuick}
            waiting={<Skeleton count={columns} height={LINE_HEIGHT_PX - GAP_PX} />}
          >
            {encoders.slice(index * columns, (index + 1) * columns).map((encoder) => (
              <EncoderCard key={encoder._id} encoder={encoder} onLog={onLog} />
            ))}
          </Settled>
        </div>
      ))}
    </div>
  )
}

/** Where the grid begins on the page, and how many cards a line has: by what the styles say. */
function usePlace(start: RefObject<HTMLElement | null>) {
  const [place, setPlace] = useState({ topPx: 0, columns: USUAL_COLUMNS })
  useLayoutEffect(() => {
    const look = () => {
      if (start.current === null) return
      const topPx = start.current.getBoundingClientRect().top + window.scrollY
      const { gridTemplateColumns } = getComputedStyle(start.current)
      const columns = gridTemplateColumns.split(' ').filter((width) => /^[\d.]+px$/.test(width))
      const next = { topPx, columns: columns.length || USUAL_COLUMNS }
      setPlace((now) => (now.topPx === topPx && now.columns === next.columns ? now : next))
    }
    look()
    window.addEventListener('resize', look)
    return () => window.removeEventListener('resize', look)
  }, [start])
  return place
}

function withLine(range: Range, heldLine: number | null): number[] {
  const shown = defaultRangeExtractor(range)
  if (heldLine === null || heldLine >= range.count || shown.includes(heldLine)) return shown
  return [...shown, heldLine].toSorted((a, b) => a - b)
}
