/** What the configuration page says about itself: a preset, another operator's save, settings not taken yet. */
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import { keyintOf } from '@trunkline/contract/encoders/video-format.rules'
import { useState } from 'react'
import { useRole } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Band } from '../../ui/Notice.tsx'
import { Shape } from '../../ui/Shape.tsx'
import { isRestartWanted, rightTo } from '../encoder.rules.ts'
import { shownText } from './config-change.rules.ts'
import { isVideoFormat } from './config-edit.rules.ts'
import { FIELD_LABELS, fullLabelOf } from './config-field.rules.ts'
import type { ConfigForm } from './config-form.hook.ts'
import { newsLines, type MergedName, type NewsLine } from './config-merge.rules.ts'
import { isRestartMeant, restartEncoder } from './config-save.actions.ts'
import * as text from './config.messages.ts'
import classes from './Bands.module.css'

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
        {isPreset && String(keyint) === values.fields['video-stream.keyint'] && (
          <>
            {' '}
            {`${FIELD_LABELS['video-stream.keyint']} ${keyint}`} follows the frame rate in the
            format name.
          </>
        )}
      </span>
      <Button size={28} onClick={() => form.take({ step: 'undo' })}>
        Undo
      </Button>
    </div>
  )
}

/** decisions.md 16: what somebody else saved, field by field. */
export function NewsBand({ form }: { form: ConfigForm }) {
  const lines = newsLines(form.state)
  if (form.state.news === null || lines.length === 0) return null
  const isClash = lines.some((line) => line.isClash)
  return (
    <div className={classes.news} role="alert">
      <div className={classes.say}>
        <Shape shape="triangle" family="warn" size={16} />
        <span>
          <b>{text.THEY_SAVED}</b> {isClash ? text.THEY_CLASH : text.THEY_SAVED_ONLY}
        </span>
        <NewsChoices form={form} isClash={isClash} />
      </div>
      <NewsTable lines={lines} isClash={isClash} />
    </div>
  )
}

function NewsChoices({ form, isClash }: { form: ConfigForm; isClash: boolean }) {
  const keep = () => form.take({ step: 'keep-mine' })
  if (!isClash) {
    return (
      <Button size={28} onClick={keep}>
        Understood
      </Button>
    )
  }
  return (
    <span className={classes.choices}>
      <Button size={28} onClick={() => form.take({ step: 'take-theirs' })}>
        Take theirs
      </Button>
      <Button size={28} onClick={keep}>
        Keep mine
      </Button>
    </span>
  )
}

function NewsTable({ lines, isClash }: { lines: readonly NewsLine[]; isClash: boolean }) {
  return (
    <div className={classes.scroll}>
      <table aria-label="What they changed">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">It was</th>
            <th scope="col">Theirs</th>
            {isClash && <th scope="col">Mine</th>}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.name} data-clash={line.isClash || undefined}>
              <th scope="row">{labelOf(line.name)}</th>
              <td>{shownText(line.name, line.was)}</td>
              <td>{shownText(line.name, line.theirs)}</td>
              {isClash && (
                <td>{line.isClash ? shownText(line.name, line.mine) : text.AS_THEIRS}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function labelOf(name: MergedName): string {
  return name === 'output' ? 'Outputs' : fullLabelOf(name)
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
    <div className={classes.bands}>
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
    </div>
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
    if (!(await isRestartMeant(encoder))) return
    setPending(true)
    await restartEncoder(encoder)
    setPending(false)
  }
  return (
    <Button
      size={28}
      icon="restart"
      inertReason={isPending ? '' : reason}
      onClick={() => void restart()}
    >
      Restart
    </Button>
  )
}
