/** The cards, or in their place why there are none. */
import { DASHBOARD_PAGE_SIZES, type Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { memo, useRef } from 'react'
import { later } from '../../lib/later.ts'
import { useButtonKeys } from '../../lib/row-keys.ts'
import { useShortcut } from '../../lib/shortcuts.ts'
import { KeptHistory } from '../../programs/history/link-samples.hook.ts'
import { LaterPart } from '../../shared/page/Later.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { Empty } from '../../ui/notice/Notice.tsx'
import { NotRead } from '../../ui/notice/NotRead.tsx'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import type { Dashboard } from './dashboard.hook.ts'
import { EncoderCard } from './EncoderCard.tsx'
import classes from './EncoderGrid.module.css'

const CARD_HEIGHT_PX = 219
const USUAL_ROWS = DASHBOARD_PAGE_SIZES[0]

// The first page is drawn before anybody searches it.
const LONG_GRID = later('grid', async () => (await import('./LongGrid.tsx')).LongGrid)

interface EncoderGridProps {
  dashboard: Dashboard
  onLog: (encoder: Encoder) => void
}

export function EncoderGrid({ dashboard, onLog }: EncoderGridProps) {
  const { shown, isLoading, error } = dashboard
  const grid = useRef<HTMLElement>(null)
  useShortcut('j', () => focusCard(grid.current, 1))
  useShortcut('k', () => focusCard(grid.current, -1))
  useButtonKeys()
  if (isLoading) {
    return (
      <section className={classes.grid} aria-label="Encoders" aria-busy="true">
        <Skeleton count={dashboard.rows} height={CARD_HEIGHT_PX} />
      </section>
    )
  }
  return (
    <>
      {error !== null && (
        <div className={classes.place}>
          <NotRead
            title="The encoders could not be read"
            error={error}
            onRetry={dashboard.refresh}
          />
        </div>
      )}
      {shown.length === 0 && error === null && (
        <div className={classes.place}>
          <Nothing dashboard={dashboard} />
        </div>
      )}
      <section
        className={classes.grid}
        aria-label="Encoders"
        ref={grid}
        tabIndex={-1}
        data-list=""
        {...dashboard.hold}
      >
        <KeptHistory value="encoder">
          <Cards shown={shown} onLog={onLog} />
        </KeptHistory>
      </section>
    </>
  )
}

/** The largest page: what is drawn as a whole. A search may find a whole fleet (Q72). */
const DRAWN_AT_ONCE = Math.max(...DASHBOARD_PAGE_SIZES)

interface CardsProps {
  shown: readonly Encoder[]
  onLog: (encoder: Encoder) => void
}

/** Kept as it is while only states change: those reach each card by themselves. */
const Cards = memo(function Cards({ shown, onLog }: CardsProps) {
  if (shown.length > DRAWN_AT_ONCE) {
    return (
      <LaterPart
        part={LONG_GRID}
        props={{ encoders: shown, onLog }}
        waiting={<Skeleton count={USUAL_ROWS} height={CARD_HEIGHT_PX} />}
        failedIn={(words) => <div className={classes.long}>{words}</div>}
      />
    )
  }
  return shown.map((encoder) => <EncoderCard key={encoder._id} encoder={encoder} onLog={onLog} />)
})

/** From the card that has the focus to its neighbour; from anywhere else to the first. */
function focusCard(grid: HTMLElement | null, step: 1 | -1): void {
  const cards = [...(grid?.querySelectorAll('article') ?? [])]
  const current = cards.findIndex((card) => card.contains(document.activeElement))
  const next = current === -1 ? 0 : Math.min(cards.length - 1, Math.max(0, current + step))
  cards[next]?.querySelector<HTMLElement>('a, button')?.focus()
}

function Nothing({ dashboard }: { dashboard: Dashboard }) {
  const { search, show, counts, group, hasAllGroups } = dashboard
  if (search !== '') {
    return (
      <Empty
        title={`Nothing matches '${search}'`}
        action={<Button onClick={dashboard.clearSearch}>Clear search</Button>}
      />
    )
  }
  if (show !== 'all' && counts?.all !== 0) {
    return (
      <Empty
        title={show === 'attention' ? 'No encoder needs attention' : 'No encoder here'}
        action={<Button onClick={() => dashboard.setShow('all')}>Show all</Button>}
      />
    )
  }
  // The group is remembered from the last visit.
  if (group !== '' && hasAllGroups) {
    return (
      <Empty
        title="No encoders in this group"
        action={<Button onClick={() => dashboard.setGroup('')}>Show all groups</Button>}
      />
    )
  }
  return (
    <Empty title="No encoders yet">
      An encoder turns a camera into a stream. Those that you may see appear here, each with its
      state.
    </Empty>
  )
}
