/** One encoder: its state, its live rate, what it is set to, and the three things one does with it. */
import { Link } from '@tanstack/react-router'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { StateView, Truth } from '@trunkline/contract/fleet/state-view.rules'
import { needsAttention } from '@trunkline/contract/fleet/state-view.rules'
import { memo, useId } from 'react'
import { Age } from '../shared/Age.tsx'
import { UNKNOWN } from '../shared/format.ts'
import { Shape } from '../ui/Shape.tsx'
import { useEncoderView } from './encoder-view.hook.ts'
import { useIsCommanded } from './encoder.actions.ts'
import { EncoderButtons } from './EncoderButtons.tsx'
import classes from './EncoderCard.module.css'
import { EncoderFigures } from './EncoderFigures.tsx'

interface EncoderCardProps {
  encoder: Encoder
  onLog: (encoder: Encoder) => void
}

/** Kept as it is while other cards change: a busy fleet pushes many times a second. */
export const EncoderCard = memo(function EncoderCard({ encoder, onLog }: EncoderCardProps) {
  const { view, truths, status, nowMs, uptime } = useEncoderView(encoder)
  const isBusy = useIsCommanded(encoder)
  const titleId = useId()
  return (
    <article
      className={classes.card}
      data-f={view.family}
      data-word={view.word}
      data-busy={isBusy || undefined}
      aria-labelledby={titleId}
      aria-busy={isBusy}
    >
      <header className={classes.head}>
        {/* DASH-09: the picture of a state; its words follow in the line below. */}
        <Shape
          shape={view.shape}
          family={view.family}
          label={status?.state === 'running' ? 'active' : 'down'}
        />
        <h2 id={titleId} className={classes.title}>
          <Link to="/dashboard/editEncoder/$id" params={{ id: encoder._id }} preload={false}>
            {encoder.title}
          </Link>
        </h2>
      </header>
      <StateLine view={view} aside={asideOf(status) || encoder.groupInfo.title} />
      <EncoderFigures encoder={encoder} status={status} view={view} nowMs={nowMs} />
      <div className={classes.evidence}>
        <Evidence truths={truths} />
        <span className={classes.uptime}>
          {status !== null && status.restarts > 0 && <Restarts status={status} />}
          Uptime <b>{uptime === '' ? UNKNOWN : uptime}</b>
        </span>
      </div>
      <EncoderButtons
        encoder={encoder}
        state={status?.state ?? null}
        isBusy={isBusy}
        isWrong={view.shape === 'octagon-square'}
        onLog={() => onLog(encoder)}
      />
    </article>
  )
})

/** Saved settings that the host or the process has not taken yet. */
function asideOf(status: ProgramStatus | null): string {
  if (status?.waitsForHost === true) return 'settings wait for the host'
  return status?.waitsForRestart === true ? 'settings wait for a restart' : ''
}

/** Deaths nobody asked for, since the last command by a person. */
function Restarts({ status }: { status: ProgramStatus }) {
  return (
    <span className={classes.restarts} title={status.cause}>
      {status.restarts} {status.restarts === 1 ? 'restart' : 'restarts'}
    </span>
  )
}

/** A healthy card shows its group there; one that is not well shows for how long. */
function StateLine({ view, aside }: { view: StateView; aside: string }) {
  const showsTime = (needsAttention(view.family) || view.family === 'move') && view.sinceMs !== null
  return (
    <p className={classes.line}>
      <span className={classes.word}>{view.word}</span>
      {view.cause !== '' && (
        <span className={classes.cause} title={view.cause}>
          {view.cause}
        </span>
      )}
      {showsTime && view.sinceMs !== null ? (
        <Age sinceMs={view.sinceMs} />
      ) : (
        <span className={classes.group}>{aside}</span>
      )}
    </p>
  )
}

function Evidence({ truths }: { truths: readonly Truth[] }) {
  return (
    <ul className={classes.truths} aria-label="Evidence">
      {truths.map((truth) => (
        <li key={truth.name} title={truth.text}>
          <Shape shape={truth.shape} family={truth.family} size={11} label={truth.text} />
          {truth.name}
        </li>
      ))}
    </ul>
  )
}
