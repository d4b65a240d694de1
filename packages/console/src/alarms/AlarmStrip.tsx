/** On every page while something is unacknowledged: the worst first cause, and what to do about it. */
import { useState } from 'react'
import { useOpenAlarms } from '../lib/live/live-hooks.ts'
import { useRole } from '../lib/session.ts'
import { useShortcut } from '../lib/shortcuts.ts'
import { LaterDialog } from '../shared/page/Later.tsx'
import { Age } from '../shared/state/Age.tsx'
import { Button } from '../ui/button/Button.tsx'
import { Hidden } from '../ui/Hidden.tsx'
import { Shape } from '../ui/symbol/Shape.tsx'
import { disabledReasonOf, lookOfHead, ruleTitle, titleOf } from './alarm-view.rules.ts'
import { useAlarmCaller } from './alarm-caller.hook.ts'
import {
  CLEARS_SOON,
  consequencesText,
  SEVERITY_WORDS,
  unacknowledgedCount,
} from './alarm.messages.ts'
import { ALARM_DIALOG } from './alarm-dialog.loader.ts'
import type { AlarmQuestion } from './AlarmDialog.tsx'
import classes from './AlarmStrip.module.css'
import { LOCALE } from '../lib/locale/language.ts'

interface AlarmStripProps {
  /** The list of alarms itself needs no strip. */
  isHidden: boolean
  onAll: () => void
}

export function AlarmStrip({ isHidden, onAll }: AlarmStripProps) {
  const alarms = useOpenAlarms()
  const [question, setQuestion] = useState<AlarmQuestion | null>(null)
  useAlarmCaller(alarms)
  const worst = alarms?.worst ?? null
  const role = useRole()
  const disabledReason = worst === null ? null : disabledReasonOf(worst, role)
  const ask = (does: 'acknowledge' | 'mute') => {
    if (worst !== null && disabledReason === null) setQuestion({ alarm: worst, does })
  }
  useShortcut('a', () => ask('acknowledge'))
  useShortcut('m', () => ask('mute'))
  const dialog = question !== null && (
    <LaterDialog part={ALARM_DIALOG} props={{ question, onClose: () => setQuestion(null) }} />
  )
  if (alarms === null || worst === null || isHidden) return dialog
  const { family, shape } = lookOfHead(worst)
  const others = unacknowledgedCount(alarms) - 1
  return (
    <section className={classes.strip} data-f={family} aria-label="Worst alarm">
      <Shape shape={shape} family={family} size={16} />
      <Hidden>{SEVERITY_WORDS[worst.severity]}</Hidden>
      <b className={classes.title}>{titleOf(worst)}</b>
      <span className={classes.cause}>
        <span className={classes.rule}>
          {/* First, as a phone cuts what follows. */}
          {worst.overSinceMs !== null && <span>Over ·</span>} {ruleTitle(worst)}
        </span>{' '}
        <span className={classes.age}>
          · <Age sinceMs={worst.raisedAtMs} />
          {worst.behind > 0 && (
            <span className={classes.consequences}> · {consequencesText(worst.behind)}</span>
          )}
        </span>
      </span>
      <span className={classes.sentence} title={worst.sentence}>
        {worst.overSinceMs === null ? worst.sentence : CLEARS_SOON}
      </span>
      <span className={classes.actions}>
        <span className={classes.acknowledge}>
          <Button size={28} disabledReason={disabledReason} onClick={() => ask('acknowledge')}>
            Acknowledge
          </Button>
        </span>
        <Button size={28} tone="quiet" onClick={onAll}>
          {others === 0 ? 'All alarms' : `${others.toLocaleString(LOCALE)} more`}
        </Button>
      </span>
      {dialog}
    </section>
  )
}
