/** What the configuration page says about itself: a preset, another operator's save, settings not taken yet. */
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import { keyintOf } from '@trunkline/contract/encoders/video-format.rules'
import { useState } from 'react'
import { useRole } from '../../lib/session.ts'
import { numberText } from '../../shared/format.ts'
import { labelOf } from '../../forms/field.rules.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Icon } from '../../ui/symbol/Icon.tsx'
import { Band } from '../../ui/notice/Notice.tsx'
import { confirmRestart } from '../encoder.actions.ts'
import { isRestartWanted, rightTo } from '../encoder.rules.ts'
import { calculationFault } from './config-check.rules.ts'
import type { ConfigForm } from './config-form.hook.ts'
import { budgetOf, calculate, calculatedEdit, isVideoFormat } from './config-form.rules.ts'
import { restartEncoder } from './config-save.actions.ts'
import * as text from './config.messages.ts'
import classes from './Bands.module.css'

const KEYINT = 'video-stream.keyint'

/** 'pal preset applied. 9 values changed.' and the way back. */
export function BulkNote({ form }: { form: ConfigForm }) {
  const { bulk, values } = form.state
  if (bulk === null) return null
  const isPreset = bulk.kind === 'preset'
  const keyint = isVideoFormat(bulk.title) ? keyintOf(bulk.title) : null
  return (
    <div className={classes.note} role="status">
      <Icon name="info" />
      <span>
        <b>{isPreset ? `${bulk.title} preset applied.` : `${bulk.title} applied.`}</b>{' '}
        {bulk.count === 1 ? '1 value changed.' : `${bulk.count} values changed.`}
        {isPreset && String(keyint) === values[KEYINT] && (
          <>
            {' '}
            {`${labelOf(form.spec, KEYINT, values)} ${keyint}`} follows the frame rate in the format
            name.
          </>
        )}
      </span>
      <Button size={28} onClick={() => form.take({ step: 'undo' })}>
        Undo
      </Button>
    </div>
  )
}

/** Of values that nobody has saved yet: a preset may be more than the mux rate carries (Q78). */
export function MuxBand({ form }: { form: ConfigForm }) {
  const { values, bulk } = form.state
  const isPreset = form.isNew || bulk?.kind === 'preset'
  const budget = budgetOf(values)?.budget ?? null
  const rate = calculate(values, 'mux')
  const isFixable = rate !== null && calculationFault('mux', rate) === ''
  if (!isPreset || budget === null || budget.excessKbps === 0) return null
  return (
    <Band
      family="warn"
      shape="triangle"
      action={
        isFixable &&
        !form.isReadOnly && (
          <Button size={28} onClick={() => form.take(calculatedEdit('mux', rate))}>
            Set mux rate to {numberText(rate)}
          </Button>
        )
      }
    >
      {text.muxTooSmall(numberText(budget.neededBps), numberText(budget.excessKbps))}
    </Band>
  )
}

interface StatusBandsProps {
  encoder: Encoder
  status: ProgramStatus | null
}

/** Wanted and observed differ: the host has not taken what is saved, or it was changed there by hand. */
export function StatusBands({ encoder, status }: StatusBandsProps) {
  if (status === null) return null
  const { waitsForHost, changedByHand } = status
  return (
    <>
      {waitsForHost && (
        <Band family="blind" shape="diamond-x">
          {text.WAITS_FOR_HOST}
        </Band>
      )}
      {isRestartWanted(status) && (
        <Band
          family="warn"
          shape="half-disc"
          action={<RestartButton encoder={encoder} state={status.state} />}
        >
          {text.WAITS_FOR_RESTART}
        </Band>
      )}
      {changedByHand !== '' && (
        <Band
          family="warn"
          shape="triangle"
          action={<RestartButton encoder={encoder} state={status.state} />}
        >
          {changedByHand}
        </Band>
      )}
    </>
  )
}

interface RestartButtonProps {
  encoder: Encoder
  state: ProgramStatus['state']
}

function RestartButton({ encoder, state }: RestartButtonProps) {
  const [isPending, setPending] = useState(false)
  const right = rightTo('restart', encoder, state, useRole())
  if (right.kind === 'locked') return null
  const reason = right.kind === 'inert' ? right.reason : null
  const restart = async () => {
    if (!(await confirmRestart(encoder))) return
    setPending(true)
    await restartEncoder(encoder)
    setPending(false)
  }
  return (
    <Button
      size={28}
      icon="restart"
      disabledReason={isPending ? '' : reason}
      onClick={() => void restart()}
    >
      Restart
    </Button>
  )
}
