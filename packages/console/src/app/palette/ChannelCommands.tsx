/** A channel is switched on and off, and restarted while it is on. */
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import { useRestart } from '../../channels/channel.actions.ts'
import { STREAM_GONE, STREAM_UNREAD, SWITCHED_OFF } from '../../channels/channel.messages.ts'
import { detailOf } from '../../channels/channel-view.rules.ts'
import { useStreamReading } from '../../channels/stream-reading.ts'
import { useStreamSwitch } from '../../channels/stream-switch.actions.ts'
import { useRole } from '../../lib/session.ts'
import type { ActionsProps } from './ActionOptions.tsx'
import { Option } from './Option.tsx'
import { commandsOn, type Commanded } from './palette-action.rules.ts'
import { ALREADY_OFF, ALREADY_ON, ASKS_FIRST } from './palette.messages.ts'

interface ChannelCommandsProps extends ActionsProps {
  channel: Channel
}

export function ChannelCommands(props: ChannelCommandsProps) {
  return commandsOn('channel', props.wanted, useRole()).map((action) => (
    <ChannelCommand key={action} {...props} action={action} />
  ))
}

function ChannelCommand(props: ChannelCommandsProps & { action: Commanded }) {
  const { action, channel, object, lineOf } = props
  const { reading } = useStreamReading(channel, 'row')
  const stream = detailOf(reading)
  const restart = useRestart(channel, stream)
  const turn = useStreamSwitch(channel, stream)
  const isOn = stream !== null && stream.disabled !== true
  const unread = stream !== null ? null : reading === 'gone' ? STREAM_GONE : STREAM_UNREAD
  const line = lineOf(`${action} ${object.key}`)
  if (action === 'restart') {
    return (
      <Option
        {...line}
        icon="restart"
        title={`Restart channel ${object.title}`}
        aside={ASKS_FIRST}
        disabledReason={unread ?? (isOn ? null : SWITCHED_OFF)}
        onChoose={restart.restart}
      />
    )
  }
  const isTurnedOn = action === 'turn' ? !isOn : action === 'start'
  const already = isTurnedOn === isOn ? (isOn ? ALREADY_ON : ALREADY_OFF) : null
  return (
    <Option
      {...line}
      icon={isTurnedOn ? 'play' : 'stop'}
      title={`Switch ${isTurnedOn ? 'on' : 'off'} channel ${object.title}`}
      disabledReason={unread ?? already}
      onChoose={() => turn.switchStream(isTurnedOn)}
    />
  )
}
