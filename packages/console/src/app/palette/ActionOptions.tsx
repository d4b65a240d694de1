/** What can be done with an object that was found: by the commands, questions and guards of its row. */
import { editOnAir } from '../../lib/on-air.ts'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import type { OnAirKind } from '@trunkline/contract/on-air/on-air.schema'
import type { PathKind } from '@trunkline/contract/paths/path.calls'
import type { ProgramKind } from '@trunkline/contract/fleet/fleet.schema'
import type { ProgramState } from '@trunkline/contract/program-state'
import { useRestart } from '../../channels/channel.actions.ts'
import { STREAM_GONE, STREAM_UNREAD, SWITCHED_OFF } from '../../channels/channel.messages.ts'
import { detailOf } from '../../channels/channel-view.rules.ts'
import { useStreamReading } from '../../channels/stream-reading.ts'
import { useStreamSwitch } from '../../channels/stream-switch.actions.ts'
import { useLinkCommand } from '../../contributions/contribution.actions.ts'
import { useLinkView } from '../../contributions/link-view.hook.ts'
import { type Link, rightTo as rightToLink } from '../../contributions/link.rules.ts'
import { useEncoderCommand } from '../../encoders/encoder.actions.ts'
import { useEncoderView } from '../../encoders/encoder-view.hook.ts'
import { rightTo as rightToEncoder } from '../../encoders/encoder.rules.ts'
import { useFeederCommand } from '../../encoders/feeders/feeder.actions.ts'
import { useFeederView } from '../../encoders/feeders/feeder-view.hook.ts'
import { rightTo as rightToFeeder } from '../../encoders/feeders/feeder.rules.ts'
import { useOnAir } from '../../lib/live/live-hooks.ts'
import { useRole } from '../../lib/session.ts'
import { usePathAction } from '../../paths/path.actions.ts'
import { useIsBusy } from '../../programs/command/busy.hook.ts'
import { COMMAND_WORDS } from '../../programs/command/command.messages.ts'
import type { CommandRight, ProgramCommand } from '../../programs/command/command.rules.ts'
import type { Content, FoundObject } from './found-object.rules.ts'
import { Option, type LineProps } from './Option.tsx'
import { commandFor, reasonAgainst, type ObjectAction } from './palette-action.rules.ts'
import { ALREADY_OFF, ALREADY_ON, ASKS_FIRST, COMMANDED_WORDS } from './palette.messages.ts'

type Of<K extends Content['kind']> = Extract<Content, { kind: K }>
type Commanded = ProgramCommand | 'turn'

interface ActionProps extends LineProps {
  object: FoundObject
}

export function ActionOption({ action, ...props }: ActionProps & { action: ObjectAction }) {
  const { content } = props.object
  if (hasNoActions(content)) return null
  if (action === 'path') return <PathOption {...props} kind={content.kind} />
  if (action === 'on air') return <OnAirOption {...props} kind={content.kind} />
  switch (content.kind) {
    case 'encoder':
      return <EncoderCommand {...props} action={action} content={content} />
    case 'feeder':
      return <FeederCommand {...props} action={action} content={content} />
    case 'input':
    case 'output':
      return <LinkCommand {...props} action={action} link={content.link} />
    case 'channel':
      return <ChannelCommand {...props} action={action} channel={content.channel} />
  }
}

function hasNoActions(
  content: Content,
): content is Of<'server'> | Of<'destination' | 'group' | 'user'> {
  return ['server', 'destination', 'group', 'user'].includes(content.kind)
}

const ICONS = { start: 'play', stop: 'stop', restart: 'restart' } as const

interface ProgramCommandProps extends ActionProps {
  kind: ProgramKind
  action: Commanded
  state: ProgramState | null
  rightTo: (command: ProgramCommand) => CommandRight
  give: (command: ProgramCommand, right: CommandRight) => Promise<void>
}

function ProgramCommandOption(props: ProgramCommandProps) {
  const { object, kind, action, state, rightTo, give, ...line } = props
  const isBusy = useIsBusy(kind, object.id)
  const command = commandFor(action, state)
  const right = rightTo(command)
  return (
    <Option
      {...line}
      icon={ICONS[command]}
      title={`${COMMAND_WORDS[command]} ${COMMANDED_WORDS[kind]} ${object.title}`}
      aside={command === 'start' ? '' : ASKS_FIRST}
      disabledReason={reasonAgainst(command, state, right, isBusy)}
      onChoose={() => void give(command, right)}
    />
  )
}

interface OfProgram extends ActionProps {
  action: Commanded
}

function EncoderCommand({ content, ...rest }: OfProgram & { content: Of<'encoder'> }) {
  const { encoder } = content
  const role = useRole()
  const state = useEncoderView(encoder).status?.state ?? null
  const rightTo = (command: ProgramCommand) => rightToEncoder(command, encoder, state, role)
  const give = useEncoderCommand(encoder)
  return <ProgramCommandOption {...rest} {...{ state, rightTo, give }} kind="encoder" />
}

function FeederCommand({ content, ...rest }: OfProgram & { content: Of<'feeder'> }) {
  const { encoder, feeder } = content
  const role = useRole()
  const state = useFeederView(encoder, feeder).status?.state ?? null
  const rightTo = (command: ProgramCommand) => rightToFeeder(command, encoder, state, role)
  const give = useFeederCommand(encoder, feeder)
  return <ProgramCommandOption {...rest} {...{ state, rightTo, give }} kind="feeder" />
}

function LinkCommand({ link, ...rest }: OfProgram & { link: Link }) {
  const state = useLinkView(link).status?.state ?? null
  const rightTo = (command: ProgramCommand) => rightToLink(command, link, state)
  const give = useLinkCommand(link)
  return <ProgramCommandOption {...rest} {...{ state, rightTo, give }} kind={link.kind} />
}

/** A channel is switched on and off, and restarted while it is on. */
function ChannelCommand({ action, channel, object, ...line }: OfProgram & { channel: Channel }) {
  const { reading } = useStreamReading(channel, 'row')
  const stream = detailOf(reading)
  const restart = useRestart(channel, stream)
  const turn = useStreamSwitch(channel, stream)
  const isOn = stream !== null && stream.disabled !== true
  const unread = stream !== null ? null : reading === 'gone' ? STREAM_GONE : STREAM_UNREAD
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

function OnAirOption({ kind, object, ...line }: ActionProps & { kind: OnAirKind }) {
  const { id, title } = object
  const isMarked = useOnAir(kind, id) !== null
  return (
    <Option
      {...line}
      icon="lock"
      title={isMarked ? `On air times of ${title}…` : `Put ${title} on air…`}
      onChoose={() => editOnAir({ kind, id, title })}
    />
  )
}

function PathOption({ kind, object, ...line }: ActionProps & { kind: PathKind }) {
  const path = usePathAction({ kind, id: object.id })
  return (
    <Option
      {...line}
      icon="path"
      title={`Signal path of ${object.title}`}
      onChoose={() => path.does()}
    />
  )
}
