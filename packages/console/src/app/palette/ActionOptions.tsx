/** What can be done with an object that was found: by the commands, menus, questions and guards of its row. */
import type { ComponentType } from 'react'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import type { ProgramKind } from '@trunkline/contract/fleet/fleet.schema'
import type { ProgramState } from '@trunkline/contract/program-state'
import { useChannelMenu } from '../../channels/list/channel-menu.hook.ts'
import { useRename as useRenameChannel } from '../../channels/channel.actions.ts'
import { useLinkCommand, useRename } from '../../contributions/contribution.actions.ts'
import { linkLogQuery } from '../../contributions/contribution.queries.ts'
import { useLinkView } from '../../contributions/link-view.hook.ts'
import { type Link, rightTo as rightToLink } from '../../contributions/link.rules.ts'
import { useLinkMenu } from '../../contributions/list/link-menu.hook.ts'
import { CLONE_LINK } from '../../contributions/parts.loader.ts'
import { useEncoderCommand } from '../../encoders/encoder.actions.ts'
import { openEncoderLog } from '../../encoders/encoder-log.actions.ts'
import { ENCODER_LOG } from '../../encoders/encoder-log.loader.ts'
import { rightTo as rightToEncoder } from '../../encoders/encoder.rules.ts'
import { useFeederCommand } from '../../encoders/feeders/feeder.actions.ts'
import { useFeederMenu } from '../../encoders/feeders/feeder-menu.hook.ts'
import { LOG_TITLE as FEEDER_LOG } from '../../encoders/feeders/feeder.messages.ts'
import { feederLogQuery } from '../../encoders/feeders/feeder.queries.ts'
import { useFeederView } from '../../encoders/feeders/feeder-view.hook.ts'
import { rightTo as rightToFeeder } from '../../encoders/feeders/feeder.rules.ts'
import { useEncoderMenu } from '../../encoders/manager/encoder-menu.hook.ts'
import { useEncoderRow } from '../../encoders/manager/encoder-row.hook.ts'
import {
  CARRY_DIALOG,
  CLONE_ENCODER,
  SELECT_USERS,
} from '../../encoders/manager/manager-parts.loader.ts'
import { ENCODER_DIALOG } from '../../encoders/record/encoder-dialog.loader.ts'
import type { Later } from '../../lib/later.ts'
import { useRole } from '../../lib/session.ts'
import { usePathAction } from '../../paths/path.actions.ts'
import { useIsBusy } from '../../programs/command/busy.hook.ts'
import {
  ACTION_FAILED,
  COMMAND_WORDS,
  COMMANDED_KINDS,
} from '../../programs/command/command.messages.ts'
import {
  type CommandRight,
  offersStop,
  type ProgramCommand,
} from '../../programs/command/command.rules.ts'
import { LOG_DIALOG } from '../../programs/log/log.loader.ts'
import { ENROLMENT_DIALOG } from '../../shared/enrolment/enrolment.loader.ts'
import { useOnAirActions } from '../../shared/on-air/on-air.actions.ts'
import { AcknowledgeOption } from './AcknowledgeOption.tsx'
import { ChannelCommands } from './ChannelCommands.tsx'
import { FEEDER_DIALOG, RENAME_DIALOG } from './dialogs.loader.ts'
import type { Content, FoundObject } from './found-object.rules.ts'
import { useShowOutputs } from './open-object.hook.tsx'
import { ActionList, Option, type LineOf } from './Option.tsx'
import {
  commandFor,
  commandsOn,
  reasonAgainst,
  type Commanded,
  type Wanted,
} from './palette-action.rules.ts'
import { ASKS_FIRST, INPUT_LOG, logLabel, OUTPUT_LOG } from './palette.messages.ts'
import {
  DestinationActions,
  GroupActions,
  ServerActions,
  TemplateActions,
  UserActions,
} from './PlaceActions.tsx'

type Of<K extends Content['kind']> = Extract<Content, { kind: K }>

/** Shows a dialog in place of the palette, which closes it. */
export type ShowDialog = <P extends { onClose: () => void }>(
  part: Later<ComponentType<P>>,
  props: Omit<P, 'onClose'>,
) => void

export interface ActionsProps {
  object: FoundObject
  wanted: Wanted
  lineOf: LineOf
  onDialog: ShowDialog
}

/** None, one or several lines. */
export function ObjectActions(props: ActionsProps) {
  const { content } = props.object
  switch (content.kind) {
    case 'encoder':
      return <EncoderActions {...props} content={content} />
    case 'feeder':
      return <FeederActions {...props} content={content} />
    case 'input':
    case 'output':
      return <LinkActions {...props} link={content.link} />
    case 'channel':
      return <ChannelActions {...props} channel={content.channel} />
    case 'destination':
      return <DestinationActions {...props} />
    case 'server':
      return <ServerActions {...props} />
    case 'template':
      return <TemplateActions {...props} template={content.template} />
    case 'group':
      return <GroupActions {...props} />
    case 'user':
      return <UserActions {...props} />
  }
}

const ICONS = { start: 'play', stop: 'stop', restart: 'restart' } as const

interface ProgramCommandsProps extends ActionsProps {
  kind: ProgramKind
  state: ProgramState | null
  rightTo: (command: ProgramCommand) => CommandRight
  give: (command: ProgramCommand, right: CommandRight) => Promise<void>
}

function ProgramCommands({ kind, wanted, ...rest }: ProgramCommandsProps) {
  const role = useRole()
  return commandsOn(kind, wanted, role).map((action) => (
    <ProgramCommandOption key={action} {...rest} {...{ kind, wanted, action }} />
  ))
}

function ProgramCommandOption(props: ProgramCommandsProps & { action: Commanded }) {
  const { object, kind, action, state, rightTo, give, lineOf } = props
  const isBusy = useIsBusy(kind, object.id)
  const command = commandFor(action, state)
  const right = rightTo(command)
  return (
    <Option
      {...lineOf(`${action} ${object.key}`)}
      icon={ICONS[command]}
      title={`${COMMAND_WORDS[command]} ${COMMANDED_KINDS[kind]} ${object.title}`}
      aside={command === 'start' ? '' : ASKS_FIRST}
      disabledReason={reasonAgainst(command, state, right, isBusy)}
      onChoose={() => void give(command, right)}
    />
  )
}

function EncoderActions({ content, ...props }: ActionsProps & { content: Of<'encoder'> }) {
  const { encoder } = content
  const { _id: id, title } = encoder
  const { onDialog } = props
  const role = useRole()
  const row = useEncoderRow(encoder)
  const give = useEncoderCommand(encoder)
  const rightTo = (command: ProgramCommand) => rightToEncoder(command, encoder, row.state, role)
  const menu = useEncoderMenu(encoder, row, {
    onEdit: () => onDialog(ENCODER_DIALOG, { encoder }),
    onUsers: () => onDialog(SELECT_USERS, { encoder }),
    onClone: () => onDialog(CLONE_ENCODER, { encoder }),
    onCarry: () => onDialog(CARRY_DIALOG, { encoder }),
    onSecure: () => onDialog(ENROLMENT_DIALOG, { object: { kind: 'encoder', id, title } }),
  })
  const showLog = () => onDialog(ENCODER_LOG, { encoder })
  const log = {
    label: logLabel(title),
    icon: 'log',
    tone: 'plain',
    does: () => openEncoderLog(encoder, showLog),
  } as const
  return (
    <>
      <ProgramCommands {...props} {...{ rightTo, give }} kind="encoder" state={row.state} />
      <AcknowledgeOption {...props} kind="encoder" />
      <ActionList {...props} actions={[log, ...menu.flat()]} />
    </>
  )
}

function FeederActions({ content, ...props }: ActionsProps & { content: Of<'feeder'> }) {
  const { encoder, feeder } = content
  const { object, onDialog } = props
  const role = useRole()
  const state = useFeederView(encoder, feeder).status?.state ?? null
  const rightTo = (command: ProgramCommand) => rightToFeeder(command, encoder, state, role)
  const give = useFeederCommand(encoder, feeder)
  const { log, edits } = useFeederMenu(encoder, feeder, {
    isUp: offersStop(state),
    isBusy: useIsBusy('feeder', feeder.name),
    onLog: () =>
      onDialog(LOG_DIALOG, {
        title: FEEDER_LOG,
        subtitle: object.title,
        level: 3,
        queryFor: (use) => feederLogQuery(encoder._id, feeder.name, use),
        failedText: ACTION_FAILED,
      }),
    onEdit: () => onDialog(FEEDER_DIALOG, { encoder, feeder, latencyMs: null }),
  })
  const place = { kind: 'feeder', id: object.id, title: object.title } as const
  const path = usePathAction(place)
  const onAir = useOnAirActions(place)
  return (
    <>
      <ProgramCommands {...props} {...{ state, rightTo, give }} kind="feeder" />
      <AcknowledgeOption {...props} kind="feeder" />
      <ActionList
        {...props}
        actions={[log, ...edits.slice(0, 1), path, ...onAir, ...edits.slice(1)]}
      />
    </>
  )
}

function LinkActions({ link: read, ...props }: ActionsProps & { link: Link }) {
  const { onDialog } = props
  const shown = useLinkView(read)
  const state = shown.status?.state ?? null
  const link = { ...read, isEnabled: shown.isEnabled }
  const { kind, title } = link
  const rightTo = (command: ProgramCommand) => rightToLink(command, link, state)
  const give = useLinkCommand(link)
  const rename = useRename(link)
  const showOutputs = useShowOutputs()
  const { log, groups } = useLinkMenu(link, offersStop(state), {
    onLog: () =>
      onDialog(LOG_DIALOG, {
        title: kind === 'input' ? INPUT_LOG : OUTPUT_LOG,
        subtitle: title,
        level: link.logLevel,
        queryFor: (use) => linkLogQuery(link, use),
        failedText: ACTION_FAILED,
      }),
    onRename: () => onDialog(RENAME_DIALOG, { object: link, title, rename }),
    onClone: () => onDialog(CLONE_LINK, { link }),
    onShowOutputs: (input) => showOutputs({ input }),
  })
  return (
    <>
      <ProgramCommands {...props} {...{ state, rightTo, give, kind }} />
      <AcknowledgeOption {...props} kind={kind} />
      <ActionList {...props} actions={[...(log === null ? [] : [log]), ...groups.flat()]} />
    </>
  )
}

function ChannelActions({ channel, ...props }: ActionsProps & { channel: Channel }) {
  const { mutateAsync } = useRenameChannel(channel)
  const { title } = channel
  const rename = async (wanted: string) => mutateAsync(wanted)
  const menu = useChannelMenu(channel, () =>
    props.onDialog(RENAME_DIALOG, { object: { kind: 'channel', id: channel.id }, title, rename }),
  )
  return (
    <>
      <ChannelCommands {...props} channel={channel} />
      <AcknowledgeOption {...props} kind="channel" />
      <ActionList {...props} actions={menu.flat()} />
    </>
  )
}
