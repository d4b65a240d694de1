/** One hop: what it is, where it runs, its state with its age, and its facts. */
import type { HopFact } from '@trunkline/contract/paths/path.schema'
import type { CSSProperties, ReactNode } from 'react'
import { useApiNow } from '../lib/live/live-hooks.ts'
import { OnAirTag } from '../shared/on-air/OnAirTag.tsx'
import { ObjectLink } from '../shared/page/ObjectLink.tsx'
import { Age } from '../shared/state/Age.tsx'
import { StateChip } from '../shared/state/StateChip.tsx'
import { Hidden } from '../ui/Hidden.tsx'
import { Tip } from '../ui/hint/Tip.tsx'
import { Shape } from '../ui/symbol/Shape.tsx'
import {
  evidenceText,
  FACT_WORDS,
  FIRST_BAD,
  HEALTH_SHAPES,
  HEALTH_WORDS,
  HIDDEN_WORDS,
  KIND_WORDS,
} from './path.messages.ts'
import type { LiveHop } from './signal-path.hook.ts'
import classes from './SignalPath.module.css'

/** Where the hops stand that feed it, drawn or folded. */
export type HopFeeds = 'own lane' | 'other lane' | 'none'

interface HopBoxProps {
  hop: LiveHop
  /** Its row, from 0, where stages stand side by side. */
  lane: number
  feeds: HopFeeds
  hasFacts: boolean
  isFirstBad: boolean
  /** It stands behind a bad hop: its own state stays, without emphasis. */
  isQuiet: boolean
  /** What is folded under it. */
  children: ReactNode
}

export function HopBox(props: HopBoxProps) {
  const { hop, lane, feeds, hasFacts, isFirstBad, isQuiet, children } = props
  const family = hop.isShown ? hop.state.family : hop.family
  return (
    <div
      className={classes.hop}
      data-f={family}
      data-bad={isFirstBad || undefined}
      data-quiet={(isQuiet && !isFirstBad) || undefined}
      data-self={hop.side === 'self' || undefined}
      data-feeds={feeds}
      style={{ '--lane': lane + 1 } as CSSProperties}
    >
      {isFirstBad && <span className={classes.mark}>{FIRST_BAD}</span>}
      {hop.isShown ? <ShownBox hop={hop} hasFacts={hasFacts} /> : <HiddenBox hop={hop} />}
      {children}
    </div>
  )
}

function HiddenBox({ hop }: { hop: Exclude<LiveHop, { isShown: true }> }) {
  return (
    <>
      <span className={classes.kind}>{HIDDEN_WORDS[hop.why]}</span>
      <span className={classes.state}>
        <Shape shape={HEALTH_SHAPES[hop.family]} family={hop.family} />
        {HEALTH_WORDS[hop.family]}
      </span>
    </>
  )
}

interface ShownBoxProps {
  hop: Extract<LiveHop, { isShown: true }>
  hasFacts: boolean
}

function ShownBox({ hop, hasFacts }: ShownBoxProps) {
  const { kind, state, server, groups, facts } = hop
  return (
    <>
      <span className={classes.kind}>
        {KIND_WORDS[kind]}
        {server !== '' && <span title={groups.join(', ')}> on {server}</span>}
      </span>
      <ObjectLink object={hop} className={classes.title} />
      <span className={classes.state}>
        <StateChip view={state} />
        {state.sinceMs !== null && <Age sinceMs={state.sinceMs} />}
        {kind !== 'destination' && kind !== 'push' && <OnAirTag kind={kind} id={hop.id} />}
      </span>
      {hasFacts && facts.length > 0 && <Facts title={hop.title} facts={facts} />}
    </>
  )
}

interface FactsProps {
  /** Of the hop. */
  title: string
  facts: readonly HopFact[]
}

/** A single button for all facts of a hop: few stops for the keyboard, a large target for a finger. */
function Facts({ title, facts }: FactsProps) {
  const nowMs = useApiNow()
  return (
    <div className={classes.facts}>
      <Tip text={facts.map((fact) => evidenceText(fact, nowMs)).join('\n')}>
        <Hidden>Evidence of {title}: </Hidden>
        {facts.map(({ name, shape, family, text }) => (
          <span key={name} className={classes.fact}>
            <Shape shape={shape} family={family} size={11} />
            <span className={classes.factName}>{FACT_WORDS[name]} </span>
            <span className={classes.factText}>{text}</span>
            <Hidden>. </Hidden>
          </span>
        ))}
      </Tip>
    </div>
  )
}
