/** How many things need somebody, of all that this operator may see; one green word when none does. */
import type { ProgramStatus, StreamStatus } from '@trunkline/contract/fleet/fleet.schema'
import {
  type Family,
  type Shape as ShapeName,
  isStale,
  stateView,
  tallyOf,
  type Freshness,
  type Tally,
} from '@trunkline/contract/fleet/state-view.rules'
import { useIsCurrent, useFreshness, useHosts, usePrograms, useStreams } from '../lib/live-hooks.ts'
import { familyOfHost } from '../shared/state/host-family.rules.ts'
import { Shape } from '../ui/symbol/Shape.tsx'
import classes from './TallyMark.module.css'

const MARKS: readonly { family: 'bad' | 'warn' | 'blind'; shape: ShapeName; word: string }[] = [
  { family: 'bad', shape: 'octagon', word: 'critical' },
  { family: 'warn', shape: 'triangle', word: 'warning' },
  { family: 'blind', shape: 'diamond-x', word: 'unreachable' },
]

interface MarkProps {
  family: Family
  shape: ShapeName
  text: string
  spoken: string
}

const ALL_WELL: MarkProps = { family: 'ok', shape: 'disc', text: 'All well', spoken: '' }
const NOT_CURRENT: MarkProps = {
  family: 'blind',
  shape: 'diamond-question',
  text: 'Not current',
  spoken: '',
}

export function TallyMark() {
  const tally = useFleetTally()
  const isCurrent = useIsCurrent()
  if (tally === null) return null
  const found = MARKS.filter(({ family }) => tally[family] > 0)
  return (
    <div className={classes.tally} role="status">
      {found.length === 0 && (isCurrent ? <Mark {...ALL_WELL} /> : <Mark {...NOT_CURRENT} />)}
      {found.map(({ family, shape, word }) => (
        <Mark
          key={family}
          family={family}
          shape={shape}
          text={String(tally[family])}
          spoken={` ${word}`}
        />
      ))}
    </div>
  )
}

function Mark(props: MarkProps) {
  return (
    <span data-f={props.family}>
      <Shape shape={props.shape} family={props.family} size={13} />
      {props.text}
      <i className={classes.spoken}>{props.spoken}</i>
    </span>
  )
}

/** The whole fleet in three counts; null until the first picture of it is there. */
function useFleetTally(): Tally | null {
  const programs = usePrograms()
  const streams = useStreams()
  const hosts = useHosts()
  const freshness = useFreshness()
  if (!freshness.isLoaded) return null
  return tallyOf([
    ...[...programs.values()].map((program) => familyOfProgram(program, freshness)),
    ...[...streams.values()].map((stream) => familyOfStream(stream, freshness)),
    // An encoder's host is not counted beside its encoder, which may be off on purpose.
    ...[...hosts.values()]
      .filter(({ kind }) => kind === 'server')
      .map((host) => familyOfHost(host, freshness)),
  ])
}

/** What nobody wants to run cannot be in trouble: a switched-off thing on a silent host is off. */
function familyOfProgram(status: ProgramStatus, freshness: Freshness): Family {
  if (status.wanted === 'stopped' && status.state !== 'running') return 'off'
  const known = { isEnabled: true, isConfigured: true, inputType: null }
  return stateView({ ...known, kind: status.kind, status, freshness }).family
}

function familyOfStream({ stream }: StreamStatus, freshness: Freshness): Family {
  if (isStale(freshness)) return 'blind'
  if (stream === null) return 'blind'
  if (stream.disabled === true) return 'off'
  return stream.stats.alive === true ? 'ok' : 'bad'
}
