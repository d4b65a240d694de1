/** What is wrong, since when, and the one thing that mends it or says more. */
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import {
  needsAttention,
  sentenceOf,
  viewOfEncoder,
  type StateView,
} from '@trunkline/contract/fleet/state-view.rules'
import { programKey } from '@trunkline/contract/fleet/watch-key.rules'
import { LOCALE } from '../../lib/locale/language.ts'
import { useRole } from '../../lib/session.ts'
import { Age } from '../../shared/state/Age.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { Shape } from '../../ui/symbol/Shape.tsx'
import { useFreshness, useProgram } from '../../lib/live/live-hooks.ts'
import classes from './AttentionStrip.module.css'
import { useIsBusy } from '../../programs/command/busy.hook.ts'
import { useEncoderCommand } from '../encoder.actions.ts'
import { rightTo } from '../encoder.rules.ts'
import { STATE_WORDS } from '@trunkline/contract/fleet/state-words'

interface Trouble {
  encoder: Encoder
  view: StateView
  status: ProgramStatus
}

interface AttentionStripProps {
  /** The worst, and first the worst of them. */
  encoders: readonly Encoder[]
  /** Of all that need attention. */
  count: number
  total: number
  onLog: (encoder: Encoder) => void
  onShowAll: () => void
}

export function AttentionStrip({ encoders, count, total, onLog, onShowAll }: AttentionStripProps) {
  const hidden = count - encoders.length
  const word = count === 1 ? 'needs' : 'need'
  return (
    <section className={classes.strip} aria-label="Needs attention">
      <h2>
        {count.toLocaleString(LOCALE)} {word} attention
        <small>
          of {total.toLocaleString(LOCALE)} {total === 1 ? 'encoder' : 'encoders'}
        </small>
      </h2>
      <ul>
        {encoders.map((encoder) => (
          <TroubleItem key={encoder._id} encoder={encoder} onLog={onLog} />
        ))}
      </ul>
      {hidden > 0 && (
        <Button size={28} className={classes.more} onClick={onShowAll}>
          {hidden.toLocaleString(LOCALE)} more
        </Button>
      )}
    </section>
  )
}

interface TroubleItemProps {
  encoder: Encoder
  onLog: (encoder: Encoder) => void
}

/** Nothing while its own state, which comes sooner than the count, is not known or is well. */
function TroubleItem({ encoder, onLog }: TroubleItemProps) {
  const status = useProgram('encoder', encoder._id)
  const freshness = useFreshness([programKey('encoder', encoder._id)])
  if (status === null) return null
  const { isEnabled, config } = encoder
  const view = viewOfEncoder({ isEnabled, isConfigured: config !== null, status, freshness })
  if (!needsAttention(view.family)) return null
  return (
    <li data-f={view.family}>
      <Shape shape={view.shape} family={view.family} size={16} />
      <div>
        <b title={encoder.title}>{encoder.title}</b>
        <span className={classes.cause} title={sentenceOf(view)}>
          <span>{shortOf(view)}</span>
          {view.sinceMs !== null && <Age sinceMs={view.sinceMs} />}
        </span>
      </div>
      <Fix encoder={encoder} view={view} status={status} onLog={onLog} />
    </li>
  )
}

/** Little room: the cause alone, where it says enough without its word. */
function shortOf(view: StateView): string {
  if (view.cause === '' || view.word === STATE_WORDS.stopped) return sentenceOf(view)
  return view.cause.charAt(0).toUpperCase() + view.cause.slice(1)
}

/** On a silent host nothing can be done from here, so nothing is offered. */
function Fix({ encoder, view, status, onLog }: Trouble & { onLog: (encoder: Encoder) => void }) {
  const role = useRole()
  const give = useEncoderCommand(encoder)
  const isBusy = useIsBusy('encoder', encoder._id)
  const right = rightTo('start', encoder, status.state, role)
  if (view.family === 'blind') return null
  if (view.shape === 'octagon-square' && right.kind === 'may') {
    return (
      <Button
        size={28}
        icon="play"
        disabledReason={isBusy ? '' : null}
        aria-label={`Start ${encoder.title} now`}
        onClick={() => void give('start', right)}
      >
        Start
      </Button>
    )
  }
  return (
    <Button
      size={28}
      icon="log"
      aria-label={`Open the log of ${encoder.title}`}
      onClick={() => onLog(encoder)}
    >
      Log
    </Button>
  )
}
