/** Restart, and on or off: the same in the row and in the detail. */
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import { memo } from 'react'
import { BUTTON_KEYS } from '../lib/row-keys.ts'
import { UNKNOWN } from '../shared/format.ts'
import { Button } from '../ui/button/Button.tsx'
import { Switch } from '../ui/choice/Switch.tsx'
import { useMayChange, useRestart } from './channel.actions.ts'
import { STREAM_GONE, STREAM_UNREAD, SWITCHED_OFF } from './channel.messages.ts'
import type { StreamReading } from '@trunkline/contract/channels/stream-view.rules'
import { detailOf } from './channel-view.rules.ts'
import classes from './ChannelControls.module.css'
import { useStreamSwitch } from './stream-switch.actions.ts'

interface ChannelControlsProps {
  channel: Channel
  reading: StreamReading
  /** The detail says 'On' or 'Off' beside the switch. */
  hasWord: boolean
}

/** Drawn again when the reading is another, not every second with the age of what is around it. */
export const ChannelControls = memo(function ChannelControls(props: ChannelControlsProps) {
  const { channel, reading, hasWord } = props
  const { mayChange, guard } = useMayChange()
  const stream = detailOf(reading)
  const restart = useRestart(channel, stream)
  const turn = useStreamSwitch(channel, stream)
  const isOn = turn.wantedOn ?? (stream !== null && stream.disabled !== true)
  const why = disabledReason(reading)
  return (
    <div className={classes.controls}>
      <Button
        size={28}
        className={classes.restart}
        icon={mayChange ? 'restart' : 'lock'}
        aria-label={`Restart ${channel.title}`}
        aria-keyshortcuts={BUTTON_KEYS.restart}
        disabledReason={restart.isPending ? '' : (why ?? (isOn ? null : SWITCHED_OFF))}
        onClick={() => guard(restart.restart)}
      >
        Restart
      </Button>
      <Switch
        label={`${channel.title} on`}
        isOn={isOn}
        isBusy={turn.isPending}
        isLocked={!mayChange}
        disabledReason={why}
        onToggle={(next) => guard(() => turn.switchStream(next))}
      />
      {hasWord && <span className={classes.word}>{wordOf(stream === null, isOn)}</span>}
    </div>
  )
})

/** Of a stream that is not known nobody can say which. */
function wordOf(isUnknown: boolean, isOn: boolean): string {
  if (isUnknown) return UNKNOWN
  return isOn ? 'On' : 'Off'
}

function disabledReason(reading: StreamReading): string | null {
  if (reading === 'gone') return STREAM_GONE
  if (reading === 'silent') return STREAM_UNREAD
  return reading === 'unread' ? '' : null
}
