/** A feeder opened: whether its target is there, what it measures, and what to mend first. */
import { useQuery } from '@tanstack/react-query'
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { mayDo } from '@trunkline/contract/role-table'
import { useProgram } from '../../lib/live/live-hooks.ts'
import { TestLinkButton } from '../../forms/link-test/TestLinkButton.tsx'
import { SignalPathSection } from '../../paths/SignalPathSection.tsx'
import { useRole } from '../../lib/session.ts'
import { LATENCY_ADVICE } from '../../programs/latency/latency-advice.loader.ts'
import type { ProgramView } from '../../programs/status/program-view.hook.ts'
import { HistoryChart } from '../../programs/history/HistoryChart.tsx'
import { LinkTiles } from '../../programs/tiles/LinkTiles.tsx'
import { cueOfProgram } from '../../programs/timeline/timeline.rules.ts'
import { TimelineSection } from '../../programs/timeline/TimelineSection.tsx'
import { EncryptionFact, Fact, TargetStatus } from '../../programs/status/TargetStatus.tsx'
import { TRANSPORT_STREAM } from '../../programs/transport/transport-stream.loader.ts'
import { OnAirButtons } from '../../shared/on-air/OnAirButtons.tsx'
import { LaterPart } from '../../shared/page/Later.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { Skeleton } from '../../ui/notice/Skeleton.tsx'
import { Shape } from '../../ui/symbol/Shape.tsx'
import { useEncoderCommand } from '../encoder.actions.ts'
import { rightTo as rightToEncoder } from '../encoder.rules.ts'
import { useFeederCommand } from './feeder.actions.ts'
import { feederLogQuery, feederServerQuery } from './feeder.queries.ts'
import { rightTo, targetOf, troubleOf, type FeederTrouble } from './feeder.rules.ts'
import { bandwidthText } from '../../shared/link-settings/link-rate.rules.ts'
import { MatchingInput } from './MatchingInput.tsx'
import classes from './FeederDetail.module.css'

interface FeederDetailProps {
  encoder: Encoder
  feeder: Feeder
  shown: ProgramView
  onEdit: () => void
  /** Edits it with this latency filled in. */
  onUseLatency: (latencyMs: number) => void
}

export function FeederDetail(props: FeederDetailProps) {
  const { encoder, feeder, shown, onUseLatency } = props
  const mayEdit = mayDo(useRole(), 'editFeeders')
  const log = feederLogQuery(encoder._id, feeder.name, 'glance')
  const { data } = useQuery({ ...log, enabled: encoder.isEnabled })
  const serverTitle = useQuery(feederServerQuery(feeder.serverId)).data?.title ?? 'the server'
  const encoderStatus = useProgram('encoder', encoder._id)
  const trouble = troubleOf({ feeder, serverTitle, status: shown.status, encoder: encoderStatus })
  const latencyMs = feeder.output[0]?.latency ?? 0
  return (
    <div className={classes.detail}>
      {trouble !== null && <Trouble {...props} trouble={trouble} />}
      <TargetStatus
        log={data?.results ?? ''}
        shown={shown}
        facts={<Facts feeder={feeder} shown={shown} serverTitle={serverTitle} />}
      />
      <div className={classes.tools}>
        <TestLinkButton
          ends={{ fromKind: 'encoder', fromId: encoder._id, toServerId: feeder.serverId }}
        />
        <OnAirButtons object={{ kind: 'feeder', id: feeder.name, title: feeder.input.title }} />
      </div>
      <MatchingInput encoder={encoder} feeder={feeder} />
      {encoder.isEnabled && (
        <LaterPart
          part={LATENCY_ADVICE}
          props={{
            kind: 'feeder',
            id: feeder.name,
            title: feeder.input.title,
            onUse: mayEdit ? onUseLatency : null,
          }}
          waiting={<Skeleton kind="row" count={1} height={72} />}
        />
      )}
      <SignalPathSection object={{ kind: 'feeder', id: feeder.name }} />
      {encoder.isEnabled && (
        <LaterPart
          part={TRANSPORT_STREAM}
          props={{ kind: 'feeder', id: feeder.name, title: feeder.input.title }}
          waiting={<Skeleton kind="row" count={1} height={260} />}
        />
      )}
      <LinkTiles kind="feeder" id={feeder.name} latencyMs={latencyMs} hasHistory shown={shown} />
      <HistoryChart kind="feeder" id={feeder.name} title={feeder.input.title} />
      <TimelineSection
        object={{ kind: 'feeder', id: feeder.name, title: feeder.input.title }}
        cue={cueOfProgram(shown.status)}
      />
    </div>
  )
}

interface FactsProps extends Pick<FeederDetailProps, 'feeder' | 'shown'> {
  serverTitle: string
}

function Facts({ feeder, shown, serverTitle }: FactsProps) {
  const [target] = feeder.output
  if (target === undefined) return null
  const { passphraseSet, pbkeylen } = target
  return (
    <>
      <Fact name="Target">
        {targetOf(feeder)} ({serverTitle})
      </Fact>
      <EncryptionFact
        status={shown.status}
        selection={passphraseSet === true ? 'yes' : 'no'}
        keyBits={pbkeylen}
      />
      <Fact name="Max bandwidth">{bandwidthText(target.max_bw)}</Fact>
    </>
  )
}

function Trouble({
  encoder,
  feeder,
  shown,
  onEdit,
  trouble,
}: FeederDetailProps & { trouble: FeederTrouble }) {
  const role = useRole()
  const state = useProgram('encoder', encoder._id)?.state ?? null
  const giveEncoder = useEncoderCommand(encoder)
  const giveFeeder = useFeederCommand(encoder, feeder)
  const { offer } = trouble
  return (
    <div className={classes.trouble} role="group" aria-label="What to correct">
      <Shape shape="triangle" family="warn" size={16} />
      <div>
        <b>{trouble.title}</b>
        <p>{trouble.fix}</p>
      </div>
      {offer === 'restart-encoder' && mayDo(role, 'controlEncoder') && (
        <Button
          size={28}
          icon="restart"
          onClick={() =>
            void giveEncoder('restart', rightToEncoder('restart', encoder, state, role))
          }
        >
          Restart encoder
        </Button>
      )}
      {offer === 'restart-feeder' && mayDo(role, 'controlFeeder') && (
        <Button
          size={28}
          icon="restart"
          onClick={() =>
            void giveFeeder(
              'restart',
              rightTo('restart', encoder, shown.status?.state ?? null, role),
            )
          }
        >
          Restart feeder
        </Button>
      )}
      {offer === 'edit' && mayDo(role, 'editFeeders') && (
        <Button size={28} icon="pencil" onClick={onEdit}>
          Edit feeder
        </Button>
      )}
    </div>
  )
}
