/** One encoder: its state, its live rate, what it is set to, and the three things one does with it. */
import { Link } from '@tanstack/react-router'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { StateView, Truth } from '@trunkline/contract/fleet/state-view.rules'
import { needsAttention } from '@trunkline/contract/fleet/state-view.rules'
import type { ProgramState } from '@trunkline/contract/program-state'
import { memo, useId } from 'react'
import { BUTTON_KEYS } from '../../lib/row-keys.ts'
import { useRole } from '../../lib/session.ts'
import { usePathAction } from '../../paths/path.actions.ts'
import { useIsBusy } from '../../programs/command/busy.hook.ts'
import { CommandButtons } from '../../programs/command/CommandButtons.tsx'
import { UNKNOWN } from '../../shared/format.ts'
import { useOnAirActions } from '../../shared/on-air/on-air.actions.ts'
import { OnAirTag } from '../../shared/on-air/OnAirTag.tsx'
import { ScheduleTag } from '../../shared/schedules/ScheduleTag.tsx'
import { Age } from '../../shared/state/Age.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { Menu } from '../../ui/button/Menu.tsx'
import { Tip } from '../../ui/hint/Tip.tsx'
import { Shape } from '../../ui/symbol/Shape.tsx'
import { useEncoderView } from '../encoder-view.hook.ts'
import { useEncoderCommand } from '../encoder.actions.ts'
import { openEncoderLog } from '../encoder-log.actions.ts'
import { ENDED_BY_ITSELF } from '../encoder.messages.ts'
import { evidenceOf, isSolvedByRestart, fullStateText, rightTo } from '../encoder.rules.ts'
import { StatusNote } from '../StatusNote.tsx'
import classes from './EncoderCard.module.css'
import { EncoderFigures } from './EncoderFigures.tsx'
import { STATE_WORDS } from '@trunkline/contract/fleet/state-words'

export interface EncoderCardProps {
  encoder: Encoder
  onLog: (encoder: Encoder) => void
}

/** Kept as it is while other cards change: a busy fleet pushes many times a second. */
export const EncoderCard = memo(function EncoderCard({ encoder, onLog }: EncoderCardProps) {
  const { view, truths, status, nowMs, uptime } = useEncoderView(encoder)
  const isBusy = useIsBusy('encoder', encoder._id)
  const titleId = useId()
  return (
    <article
      className={classes.card}
      data-f={view.family}
      data-word={view.word}
      data-disabled={view.word === STATE_WORDS.disabled || undefined}
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
          <TitleLink encoder={encoder} />
        </h2>
        <OnAirTag kind="encoder" id={encoder._id} />
        <StatusNote status={status} />
        <CardMenu encoder={encoder} />
      </header>
      <StateLine id={encoder._id} view={view} status={status} group={encoder.groupInfo.title} />
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
        fix={fixOf(view, status)}
        onLog={onLog}
      />
    </article>
  )
})

/*
 * What follows stands apart from the card, which is drawn every second for the age of what it shows:
 * it is drawn again only when it has changed itself.
 */

const TitleLink = memo(function TitleLink({ encoder }: Pick<EncoderCardProps, 'encoder'>) {
  const { _id: id, title } = encoder
  return (
    <Link to="/dashboard/editEncoder/$id" params={{ id }} preload={false} title={title}>
      {title}
    </Link>
  )
})

const CardMenu = memo(function CardMenu({ encoder }: Pick<EncoderCardProps, 'encoder'>) {
  const { _id: id, title } = encoder
  const path = usePathAction({ kind: 'encoder', id })
  const onAir = useOnAirActions({ kind: 'encoder', id, title })
  return <Menu label={`More for ${title}`} groups={[[path, ...onAir]]} disabledReason={null} />
})

/** The one command that would put right what is wrong; null where nothing is, or none would. */
function fixOf(view: StateView, status: ProgramStatus | null): 'start' | 'restart' | null {
  // Stopped although it should run.
  if (view.shape === 'octagon-square') return 'start'
  return isSolvedByRestart(status) ? 'restart' : null
}

/** Deaths nobody asked for, since the last command by a person. */
function Restarts({ status }: { status: ProgramStatus }) {
  return (
    <span className={classes.restarts}>
      <Tip text={status.cause === '' ? ENDED_BY_ITSELF : status.cause}>
        {status.restarts} {status.restarts === 1 ? 'restart' : 'restarts'}
      </Tip>
    </span>
  )
}

interface StateLineProps {
  id: string
  view: StateView
  status: ProgramStatus | null
  group: string
}

/** A healthy card shows its group there; one that is not well shows for how long. */
function StateLine({ id, view, status, group }: StateLineProps) {
  const showsTime = (needsAttention(view.family) || view.family === 'move') && view.sinceMs !== null
  const cause = [view.cause, evidenceOf(view, status)].filter((item) => item !== '').join(': ')
  return (
    <p className={classes.line}>
      <span className={classes.word}>{view.word}</span>
      <ScheduleTag kind="encoder" id={id} />
      {cause !== '' && (
        <span className={classes.cause}>
          <Tip text={fullStateText(view, status)}>{cause}</Tip>
        </span>
      )}
      {showsTime && view.sinceMs !== null ? (
        <Age sinceMs={view.sinceMs} />
      ) : (
        <span className={classes.group}>{group}</span>
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

interface EncoderButtonsProps extends EncoderCardProps {
  state: ProgramState | null
  isBusy: boolean
  /** The command that would put right what is wrong; null for none. */
  fix: 'start' | 'restart' | null
}

/** Stop or Start, Restart, Log as equal thirds; the wanted fix alone is ink. */
const EncoderButtons = memo(function EncoderButtons(props: EncoderButtonsProps) {
  const { encoder, state, isBusy, fix, onLog } = props
  const role = useRole()
  const give = useEncoderCommand(encoder)
  const { title } = encoder
  return (
    <footer className={classes.buttons}>
      <CommandButtons
        title={title}
        state={state}
        rightTo={(command) => rightTo(command, encoder, state, role)}
        isBusy={isBusy}
        fix={fix}
        icons={[]}
        tone="plain"
        give={give}
      />
      <Button
        size={28}
        icon="log"
        aria-label={`Log of ${title}`}
        aria-keyshortcuts={BUTTON_KEYS.log}
        onClick={() => openEncoderLog(encoder, () => onLog(encoder))}
      >
        Log
      </Button>
    </footer>
  )
})
