/** Which source carries the picture, and which would take over (CHAN-25). */
import { sourcesOf, startingSinceMs } from '@trunkline/contract/channels/channel.rules'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import type { StreamDetail, StreamInput } from '@trunkline/contract/channels/stream.schema'
import type { StateView } from '@trunkline/contract/fleet/state-view.rules'
import { useApiNow } from '../../lib/live/live-hooks.ts'
import { UNKNOWN } from '../../shared/format.ts'
import { StateChip } from '../../shared/state/StateChip.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { PATH } from '../channel.messages.ts'
import { type SourceSwitch, useSourceSwitch } from './source.actions.ts'
import { bringsText, currentText, readinessOf } from './sources.rules.ts'
import classes from './Sources.module.css'

const ACTIVE: StateView = chip('ok', 'disc', 'Active')
const ACTIVE_IN_VAIN: StateView = { ...chip('bad', 'octagon', 'Active'), cause: 'no media' }
const ACTIVE_SOON: StateView = { ...chip('move', 'arc', 'Active'), cause: 'waiting for media' }
const READY: StateView = chip('ok', 'disc', 'Ready')
const NOT_READY: StateView = chip('warn', 'ring', 'Not ready')
const OFF: StateView = chip('off', 'ring-slash', 'Off')
const STANDING_BY: StateView = chip('off', 'ring', 'Standing by')

function chip(family: StateView['family'], shape: StateView['shape'], word: string): StateView {
  return { family, shape, word, cause: '', sinceMs: null }
}

interface SourcesProps {
  channel: Channel
  stream: StreamDetail | null
}

export function Sources({ channel, stream }: SourcesProps) {
  const change = useSourceSwitch(channel, stream)
  const { current, standby } = stream === null ? NONE : sourcesOf(stream)
  const isOff = stream?.disabled === true
  return (
    <div className={classes.sources}>
      <section aria-label="Current source">
        <h3>
          Current source
          {isOff && current !== null && <StateChip view={OFF} />}
          {!isOff && stream !== null && current !== null && (
            <ActiveChip stream={stream} input={current} />
          )}
        </h3>
        {stream === null || current === null || isOff ? (
          <p>{withoutCurrent(stream)}</p>
        ) : (
          <Current stream={stream} input={current} />
        )}
      </section>
      {standby.length === 0 && (
        <section aria-label="Standby source">
          <h3>Standby source</h3>
          <p>{stream === null ? UNKNOWN : 'None'}</p>
        </section>
      )}
      {standby.map((input, index) => (
        // By its place: the button stays, and keeps the focus, when two sources change places.
        // oxlint-disable-next-line react/no-array-index-key
        <Standby key={index} place={index + 1} input={input} isOff={isOff} change={change} />
      ))}
    </div>
  )
}

function withoutCurrent(stream: StreamDetail | null): string {
  if (stream === null) return UNKNOWN
  return stream.disabled === true ? PATH.allOff : 'No input carries a picture.'
}

const NONE = { current: null, standby: [] as StreamInput[] }

/** The one that is shown may bring nothing: where no other is well either, and where there is no other. */
function ActiveChip({ stream, input }: { stream: StreamDetail; input: StreamInput }) {
  const nowMs = useApiNow()
  const inVain = startingSinceMs(stream, nowMs) === null ? ACTIVE_IN_VAIN : ACTIVE_SOON
  return <StateChip view={readinessOf(input, nowMs).kind === 'not ready' ? inVain : ACTIVE} />
}

function Current({ stream, input }: { stream: StreamDetail; input: StreamInput }) {
  const says = currentText(stream, input, useApiNow())
  return (
    <>
      <code title={input.url}>{input.url}</code>
      <small title={says}>{says}</small>
      <Unplayable input={input} />
    </>
  )
}

interface StandbyProps {
  /** From 1. */
  place: number
  input: StreamInput
  /** The channel is off: nothing is known of a source, and nothing is expected of it. */
  isOff: boolean
  change: SourceSwitch
}

function Standby({ place, input, isOff, change }: StandbyProps) {
  const name = place === 1 ? 'Standby source' : `Standby source ${place}`
  return (
    <section aria-label={name}>
      <h3>
        {name}
        <Button
          size={28}
          icon={change.mayChange ? 'move' : 'lock'}
          aria-label={`Switch to this: ${input.url}`}
          disabledReason={change.disabledReason}
          onClick={() => change.switchTo(input)}
        >
          Switch to this
        </Button>
      </h3>
      <code title={input.url}>{input.url}</code>
      {isOff ? <StateChip view={OFF} /> : <Ready input={input} />}
      <Unplayable input={input} />
    </section>
  )
}

/** 'Ready, 4,790 kbit/s', or why it could not take over. */
function Ready({ input }: { input: StreamInput }) {
  const ready = readinessOf(input, useApiNow())
  const says = ready.kind === 'not ready' ? ready.why : bringsText(input)
  const isChosen = input.stats?.selected === true
  return (
    <div className={classes.ready}>
      <StateChip view={viewOf(ready.kind)} />
      {says !== '' && <small title={says}>{says}</small>}
      {isChosen && <small>chosen by hand, used as soon as it is ready</small>}
    </div>
  )
}

/** It is well, and a browser shows nothing of it all the same. */
function Unplayable({ input }: { input: StreamInput }) {
  const why = input.stats?.unplayable ?? ''
  return why === '' ? null : <p className={classes.unplayable}>{why}</p>
}

function viewOf(kind: 'ready' | 'unknown' | 'not ready'): StateView {
  if (kind === 'unknown') return STANDING_BY
  return kind === 'ready' ? READY : NOT_READY
}
