/** The link behind a row: what it measured, and whether the other end is there (Q140). */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { findListener } from '@trunkline/contract/contributions/feeder-input.rules'
import { TestLinkButton } from '../../forms/link-test/TestLinkButton.tsx'
import { SignalPathSection } from '../../paths/SignalPathSection.tsx'
import { HistoryChart } from '../../programs/history/HistoryChart.tsx'
import { LatencyAdvice } from '../../programs/latency/LatencyAdvice.tsx'
import type { ProgramView } from '../../programs/status/program-view.hook.ts'
import { ReceivedBy } from '../../programs/status/ReceivedBy.tsx'
import { EncryptionFact, Fact, TargetStatus } from '../../programs/status/TargetStatus.tsx'
import { LinkTiles } from '../../programs/tiles/LinkTiles.tsx'
import { cueOfProgram } from '../../programs/timeline/timeline.rules.ts'
import { TimelineSection } from '../../programs/timeline/TimelineSection.tsx'
import { TRANSPORT_STREAM } from '../../programs/transport/transport-stream.loader.ts'
import { inputsAtPortQuery, serverAtQuery } from '../../shared/choices/server.queries.ts'
import { LaterPart } from '../../shared/page/Later.tsx'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import { linkLogQuery } from '../contribution.queries.ts'
import type { Link } from '../link.rules.ts'
import classes from './LinkDetail.module.css'
import { PathList } from './PathList.tsx'

interface LinkDetailProps {
  link: Link
  shown: ProgramView
}

export function LinkDetail({ link, shown }: LinkDetailProps) {
  const hasProgram = link.type !== 'Local' && link.isEnabled
  const { data } = useQuery({ ...linkLogQuery(link, 'glance'), enabled: hasProgram })
  return (
    <div className={classes.detail}>
      <LinkTiles
        kind={link.kind}
        id={link.id}
        latencyMs={link.config.latency}
        hasHistory={link.type !== 'Local'}
        shown={shown}
      />
      <TargetStatus
        log={data?.results ?? ''}
        shown={shown}
        facts={<Facts link={link} shown={shown} />}
      />
      {link.host !== '' && <OutputReceiver output={link} />}
      {hasProgram && <Latency link={link} />}
      {link.type !== 'Local' && (
        <div className={classes.tools}>
          <TestLinkButton
            ends={
              link.kind === 'input'
                ? { fromKind: 'encoder', fromId: '', toServerId: link.serverId }
                : { fromKind: 'server', fromId: link.serverId, toServerId: '' }
            }
          />
        </div>
      )}
      <PathList reading={shown.reading} />
      <SignalPathSection object={link} />
      {hasProgram && (
        <LaterPart
          part={TRANSPORT_STREAM}
          props={{ kind: link.kind, id: link.id, title: link.title }}
          waiting={<Skeleton kind="row" count={1} height={260} />}
        />
      )}
      {link.type !== 'Local' && <HistoryChart kind={link.kind} id={link.id} title={link.title} />}
      <TimelineSection object={link} cue={cueOfProgram(shown.status)} />
    </div>
  )
}

function Latency({ link }: { link: Link }) {
  const { kind, id, title, type, config, serverId, groupId } = link
  const navigate = useNavigate()
  // RIST takes the latency only where it has no buffer of its own.
  const field = type === 'RIST' && config.bufferMin !== undefined ? 'bufferMin' : 'latency'
  const use = (latencyMs: number) => {
    const search = { [field]: latencyMs }
    if (kind === 'output') {
      const params = { serverId, outputId: id }
      void navigate({ to: '/dashboard/$serverId/output_edit/$outputId', params, search })
    } else {
      const params = { serverId, groupId, id }
      void navigate({ to: '/dashboard/$serverId/$groupId/contribution/$id', params, search })
    }
  }
  return <LatencyAdvice kind={kind} id={id} title={title} onUse={use} />
}

function Facts({ link, shown }: LinkDetailProps) {
  const { selection, type: keyBits } = link.encryption
  return (
    <>
      <Fact name="Type">{link.type}</Fact>
      <EncryptionFact status={shown.status} selection={selection} keyBits={keyBits} />
    </>
  )
}

/** Where an output calls an input of ours: that input, which counts what was lost on the way. */
function OutputReceiver({ output: { type, host, port } }: { output: Link }) {
  const server = useQuery(serverAtQuery(host)).data?.[0]
  const inputs = useQuery(inputsAtPortQuery(server?._id ?? '', port)).data ?? []
  const input = findListener(inputs, type, port)
  if (input === null) return null
  return (
    <p className={classes.receiver}>
      <ReceivedBy input={input} />
    </p>
  )
}
