/** Where the server pushes the stream to; the first two, each with its switch (CHAN-27, CHAN-28). */
import { SHOWN_PUSHES } from '@trunkline/contract/channels/channel.rules'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import { viewOfPush } from '@trunkline/contract/channels/push-view.rules'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { useApiNow } from '../../lib/live/live-hooks.ts'
import { durationText, UNKNOWN } from '../../shared/format.ts'
import { StateChip } from '../../shared/state/StateChip.tsx'
import { Switch } from '../../ui/choice/Switch.tsx'
import { useMayChange } from '../channel.actions.ts'
import { sentText } from '../channel-view.rules.ts'
import { Panel } from './Panel.tsx'
import classes from './PushOutputs.module.css'
import { useStreamSwitch } from '../stream-switch.actions.ts'

interface PushOutputsProps {
  channel: Channel
  stream: StreamDetail | null
}

export function PushOutputs({ channel, stream }: PushOutputsProps) {
  const pushes = stream?.pushes ?? []
  const hidden = pushes.length - SHOWN_PUSHES
  return (
    <Panel title="Push outputs" aside={asideText(pushes.length)}>
      {stream === null || pushes.length === 0 ? (
        <p className={classes.none}>{stream === null ? UNKNOWN : 'No push outputs.'}</p>
      ) : (
        pushes
          .slice(0, SHOWN_PUSHES)
          .map((push, index) => (
            <PushOutput
              key={`${index} ${push.url}`}
              channel={channel}
              stream={stream}
              push={push}
              index={index}
            />
          ))
      )}
      {hidden > 0 && (
        <p className={classes.more}>and {hidden} more, not changed by these switches</p>
      )}
    </Panel>
  )
}

function asideText(count: number): string {
  if (count === 0) return ''
  const shown = Math.min(count, SHOWN_PUSHES)
  return count > SHOWN_PUSHES ? `${shown} of ${count} shown` : `${shown}`
}

interface PushOutputProps {
  channel: Channel
  stream: StreamDetail
  push: StreamDetail['pushes'][number]
  index: number
}

function PushOutput({ channel, stream, push, index }: PushOutputProps) {
  const { mayChange, guard } = useMayChange()
  const turn = useStreamSwitch(channel, stream)
  const view = viewOfPush(push, stream.disabled === true)
  const sent = stream.disabled === true ? '' : sentText(push)
  const isOn = turn.wantedOn ?? view.isOn
  return (
    <div className={classes.push} data-f={view.state.family}>
      <div data-f={view.state.family}>
        <code title={push.url}>{push.url}</code>
        <span className={classes.state}>
          <StateChip view={{ ...view.state, cause: '' }} />
          {view.isOn && <RunningFor sinceMs={push.stats?.opened_at} />}
          {view.isOn && sent !== '' && <small>{sent}</small>}
        </span>
        {view.state.cause !== '' && <p className={classes.cause}>{view.state.cause}</p>}
      </div>
      <Switch
        label={`Push output ${index + 1}`}
        isOn={isOn}
        isBusy={turn.isPending}
        isLocked={!mayChange}
        onToggle={(next) => guard(() => turn.switchPush(index, next))}
      />
    </div>
  )
}

function RunningFor({ sinceMs }: { sinceMs: number | undefined }) {
  const nowMs = useApiNow()
  return sinceMs === undefined ? null : <small>for {durationText(nowMs - sinceMs)}</small>
}
