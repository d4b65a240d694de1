/** How many things need somebody, of all that this operator may see; one green word when none does and no alarm is open. */
import {
  type Family,
  isStale,
  type Shape as ShapeName,
} from '@trunkline/contract/fleet/state-view.rules'
import type { OpenAlarms } from '@trunkline/contract/alarms/open-alarms.schema'
import { countsKey } from '@trunkline/contract/fleet/watch-key.rules'
import { Link } from '@tanstack/react-router'
import { lookOfHead } from '../alarms/alarm-view.rules.ts'
import { unacknowledgedCount } from '../alarms/alarm.messages.ts'
import { useCounts, useFreshness, useIsCurrent, useOpenAlarms } from '../lib/live/live-hooks.ts'
import { LOCALE } from '../lib/locale/language.ts'
import { Hidden } from '../ui/Hidden.tsx'
import { Shape } from '../ui/symbol/Shape.tsx'
import { paths } from './paths.ts'
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

const ALL_WELL: MarkProps = { family: 'ok', shape: 'disc', text: 'All OK', spoken: '' }
const NOT_CURRENT: MarkProps = {
  family: 'blind',
  shape: 'diamond-question',
  text: 'Not current',
  spoken: '',
}

export function TallyMark() {
  const tally = useFleetTally()
  const isCurrent = useIsCurrent()
  const alarms = useOpenAlarms()
  if (tally === null) return null
  const found = MARKS.filter(({ family }) => tally[family] > 0)
  return (
    <Link to={paths.alarms} title={titleOf(found.map(({ family, word }) => [tally[family], word]))}>
      <div className={classes.tally} role="status">
        {found.length === 0 &&
          (isCurrent ? <NoneFound alarms={alarms} /> : <Mark {...NOT_CURRENT} />)}
        {found.map(({ family, shape, word }) => (
          <Mark
            key={family}
            family={family}
            shape={shape}
            text={tally[family].toLocaleString(LOCALE)}
            spoken={` ${word}`}
          />
        ))}
      </div>
    </Link>
  )
}

/** An alarm stays open for a while after its object is well again: until then not all is. */
function NoneFound({ alarms }: { alarms: OpenAlarms | null }) {
  const worst = alarms?.worst ?? null
  if (alarms === null || worst === null) return <Mark {...ALL_WELL} />
  const count = unacknowledgedCount(alarms)
  const text = count === 1 ? '1 alarm' : `${count.toLocaleString(LOCALE)} alarms`
  return <Mark {...lookOfHead(worst)} text={text} spoken="" />
}

/** Objects are counted here, alarms on their page: a cause and its consequences are one there. */
function titleOf(counts: readonly (readonly [number, string])[]): string {
  const objects = counts
    .map(([count, word]) => `${count.toLocaleString(LOCALE)} ${word}`)
    .join(', ')
  return objects === '' ? OPENS : `Objects that need attention: ${objects}. ${OPENS}`
}

const OPENS = 'Open the alarms'

function Mark(props: MarkProps) {
  return (
    <span data-f={props.family}>
      <Shape shape={props.shape} family={props.family} size={13} />
      {props.text}
      <Hidden>{props.spoken}</Hidden>
    </span>
  )
}

const TALLY_KEYS = [countsKey('all', '')]

/** The whole fleet in three counts, as the API counts what this person may see; null until it has. */
function useFleetTally() {
  const counts = useCounts('all', '')
  const freshness = useFreshness(TALLY_KEYS)
  if (counts === null) return null
  const { families, total } = counts
  // When nothing is heard any more, nothing that should run can be seen.
  if (isStale(freshness)) return { bad: 0, warn: 0, blind: total - families.off }
  return { bad: families.bad, warn: families.warn, blind: families.blind }
}
