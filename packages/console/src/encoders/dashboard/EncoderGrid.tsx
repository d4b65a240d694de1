/** The cards, or in their place why there are none. */
import { DASHBOARD_PAGE_SIZES, type Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { memo, useRef } from 'react'
import { CANNOT_CONTACT, sentenceFor } from '../../lib/api-error.ts'
import { useShortcut } from '../../lib/shortcuts.ts'
import { KeptHistory } from '../../programs/history/link-samples.hook.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Empty } from '../../ui/notice/Notice.tsx'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import type { Dashboard } from './dashboard.hook.ts'
import { EncoderCard, type EncoderCardProps } from './EncoderCard.tsx'
import classes from './EncoderGrid.module.css'
import { useInSight } from '../picture/in-sight.hook.ts'

const CARD_HEIGHT_PX = 219

interface EncoderGridProps {
  dashboard: Dashboard
  onLog: (encoder: Encoder) => void
}

export function EncoderGrid({ dashboard, onLog }: EncoderGridProps) {
  const { shown, isLoading, error } = dashboard
  const grid = useRef<HTMLElement>(null)
  useShortcut('j', () => focusCard(grid.current, 1))
  useShortcut('k', () => focusCard(grid.current, -1))
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
          <Empty
            title="The encoders could not be read"
            action={<Button onClick={dashboard.refresh}>Retry</Button>}
          >
            {sentenceFor(error, CANNOT_CONTACT)}
          </Empty>
        </div>
      )}
      {shown.length === 0 && error === null && (
        <div className={classes.place}>
          <Nothing dashboard={dashboard} />
        </div>
      )}
      <section className={classes.grid} aria-label="Encoders" ref={grid} tabIndex={-1} data-list="">
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
  const CardOrPlace = shown.length > DRAWN_AT_ONCE ? CardWhenNear : EncoderCard
  return shown.map((encoder) => <CardOrPlace key={encoder._id} encoder={encoder} onLog={onLog} />)
})

/** Some lines of cards: the next one stands before the focus gets there. */
const NEAR_WITHIN_PX = 800

/** Far from the screen only the place of a card, with its title for the search of the browser. */
const CardWhenNear = memo(function CardWhenNear({ encoder, onLog }: EncoderCardProps) {
  const [ref, isNear] = useInSight<HTMLDivElement>(NEAR_WITHIN_PX)
  return (
    <div ref={ref} className={classes.slot}>
      {isNear ? (
        <EncoderCard encoder={encoder} onLog={onLog} />
      ) : (
        <article className={classes.far} aria-label={encoder.title}>
          {encoder.title}
        </article>
      )}
    </div>
  )
})

/** From the card that has the focus to its neighbour; from anywhere else to the first. */
function focusCard(grid: HTMLElement | null, step: 1 | -1): void {
  const cards = [...(grid?.querySelectorAll('article') ?? [])]
  const current = cards.findIndex((card) => card.contains(document.activeElement))
  const next = current === -1 ? 0 : Math.min(cards.length - 1, Math.max(0, current + step))
  cards[next]?.querySelector<HTMLElement>('a, button')?.focus()
}

function Nothing({ dashboard }: { dashboard: Dashboard }) {
  const { search, show, total } = dashboard
  if (search !== '') {
    return (
      <Empty
        title={`Nothing matches '${search}'`}
        action={<Button onClick={dashboard.clearSearch}>Clear search</Button>}
      />
    )
  }
  if (show !== 'all' && total > 0) {
    return (
      <Empty
        title={show === 'attention' ? 'No encoder needs attention' : 'No encoder here'}
        action={<Button onClick={() => dashboard.setShow('all')}>Show all</Button>}
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
