/** Objects with the state that their own rows show, each read and pushed as there. */
import { viewOfStream } from '@trunkline/contract/channels/stream-view.rules'
import type { Channel } from '@trunkline/contract/channels/channel.schema'
import type { StateView } from '@trunkline/contract/fleet/state-view.rules'
import type { FoundKind } from '@trunkline/contract/search/found-key.rules'
import { useStreamReading } from '../../channels/stream-reading.ts'
import { useLinkView } from '../../contributions/link-view.hook.ts'
import type { Link } from '../../contributions/link.rules.ts'
import { useEncoderView } from '../../encoders/encoder-view.hook.ts'
import { useFeederView } from '../../encoders/feeders/feeder-view.hook.ts'
import { useHost } from '../../lib/live/live-hooks.ts'
import { useServerState } from '../../servers/server-state.hook.ts'
import { StateChip } from '../../shared/state/StateChip.tsx'
import type { IconName } from '../../ui/symbol/Icon.tsx'
import type { ShowDialog } from './ActionOptions.tsx'
import type { Content, FoundObject } from './found-object.rules.ts'
import { useOpenObject } from './open-object.hook.tsx'
import { Option, type LineProps } from './Option.tsx'
import { KIND_WORDS } from './palette.messages.ts'
import { rememberOpened } from './recent.ts'
import { useSession } from '../../lib/session.ts'

type Of<K extends Content['kind']> = Extract<Content, { kind: K }>

interface ObjectProps extends LineProps {
  object: FoundObject
  onDialog: ShowDialog
}

export function ObjectOption(props: ObjectProps) {
  const { content } = props.object
  switch (content.kind) {
    case 'encoder':
      return <EncoderOption {...props} content={content} />
    case 'feeder':
      return <FeederOption {...props} content={content} />
    case 'input':
    case 'output':
      return <LinkOption {...props} link={content.link} />
    case 'channel':
      return <ChannelOption {...props} channel={content.channel} />
    case 'server':
      return <ServerOption {...props} content={content} />
    case 'destination':
    case 'template':
    case 'group':
    case 'user':
      return <StatedOption {...props} view={null} />
  }
}

const ICONS: Readonly<Record<FoundKind, IconName>> = {
  encoder: 'encoder',
  feeder: 'move',
  input: 'contribution',
  output: 'contribution',
  channel: 'channel',
  destination: 'out',
  server: 'server',
  template: 'copy',
  group: 'group',
  user: 'person',
}

function StatedOption(props: ObjectProps & { view: StateView | null }) {
  const { object, view, onDialog, ...line } = props
  const open = useOpenObject(onDialog)
  const userId = useSession()?.user._id ?? ''
  const { kind, title, detail, key } = object
  const word = KIND_WORDS[kind]
  return (
    <Option
      {...line}
      icon={ICONS[kind]}
      title={title}
      detail={detail === '' ? word : `${word} · ${detail}`}
      aside={view !== null && <StateChip view={view} />}
      onChoose={() => {
        rememberOpened(userId, key)
        open(object)
      }}
    />
  )
}

function EncoderOption({ content, ...rest }: ObjectProps & { content: Of<'encoder'> }) {
  return <StatedOption {...rest} view={useEncoderView(content.encoder).view} />
}

function FeederOption({ content, ...rest }: ObjectProps & { content: Of<'feeder'> }) {
  return <StatedOption {...rest} view={useFeederView(content.encoder, content.feeder).view} />
}

function LinkOption({ link, ...rest }: ObjectProps & { link: Link }) {
  return <StatedOption {...rest} view={useLinkView(link).view} />
}

function ChannelOption({ channel, ...rest }: ObjectProps & { channel: Channel }) {
  const { reading, freshness } = useStreamReading(channel, 'row')
  const host = useHost('server', channel.serverId)
  return <StatedOption {...rest} view={viewOfStream(reading, freshness, host)} />
}

function ServerOption({ content, ...rest }: ObjectProps & { content: Of<'server'> }) {
  return <StatedOption {...rest} view={useServerState(content.server).view} />
}
