/** One sentence about a signal path: where it breaks first, why, and what to do. */
import type { Family, Shape, StateView } from '../fleet/state-view.rules.ts'
import { CAUSES, STATE_WORDS } from '../fleet/state-words.ts'
import { PathGraph, type PathTrouble } from './first-bad-hop.rules.ts'
import {
  capital,
  isOff,
  type JudgedHop,
  KEY_REASONS,
  nameOf,
  type Neighbours,
  quietOffText,
  reasonOf,
  type Shown,
} from './hop-reason.rules.ts'
import { troubleOfHop, unsettledOf } from './hop-state.rules.ts'
import type { HiddenHop, HopEdge } from './path.schema.ts'

export interface Verdict {
  family: Family
  shape: Shape
  text: string
  /** In the order of the path. */
  troubles: readonly PathTrouble[]
  /** Hops that only wait for something that is being set up: nobody is to blame yet. */
  waiting: readonly PathTrouble[]
}

export function graphOf(hops: readonly JudgedHop[], edges: readonly HopEdge[]): PathGraph {
  return new PathGraph(hops.map(pathHop), edges)
}

function pathHop(hop: JudgedHop) {
  if (hop.isShown) {
    const { key, state, hostKey, kind } = hop
    const isReceiver = kind === 'input' || kind === 'channel'
    const trouble = troubleOfHop(state, kind)
    const unsettled = unsettledOf(state)
    const mayWait = mayBeOverSoon(state)
    const isLosing = state.cause === CAUSES.losing
    return { key, trouble, unsettled, mayWait, isLosing, shape: state.shape, isReceiver, hostKey }
  }
  const { key, family } = hop
  const isDown = family === 'bad' || family === 'blind'
  const trouble = isDown ? ('process' as const) : family === 'warn' ? ('media' as const) : null
  const unsettled = family === 'move' ? ('itself' as const) : null
  const unknown = { mayWait: false, isLosing: false, isReceiver: true, hostKey: '' }
  return { key, trouble, unsettled, shape: 'octagon' as const, ...unknown }
}

/** No peer or no media, and not for a reason that a peer that comes back would not change. */
function mayBeOverSoon({ shape, cause }: StateView): boolean {
  if (shape === 'half-disc') return !Object.hasOwn(KEY_REASONS, cause)
  return shape === 'ring' || cause === CAUSES.noMedia
}

export function verdictOf(hops: readonly JudgedHop[], graph: PathGraph): Verdict {
  const byKey = new Map(hops.map((hop) => [hop.key, hop]))
  const found = graph.troubles()
  const troubles = found.filter(({ isSettled }) => isSettled)
  const waiting = found.filter(({ isSettled }) => !isSettled)
  const [first] = troubles
  const bad = first === undefined ? undefined : byKey.get(first.first)
  if (first === undefined || bad === undefined) {
    const awaited = waiting[0] === undefined ? undefined : byKey.get(waiting[0].first)
    const says = awaited === undefined ? quietVerdict(hops) : awaitedVerdict(awaited, byKey, graph)
    return { ...says, troubles, waiting }
  }
  const more = troubles.length - 1
  const others = moreText(more)
  if (!bad.isShown) {
    const text = `First bad hop: ${HIDDEN_TEXTS[bad.why]}${others}`
    return { family: bad.family, shape: 'octagon', text, troubles, waiting }
  }
  const { family, shape } = bad.state
  const reason = reasonOf(bad, neighboursOf(bad, byKey, graph))
  const text = `First bad hop: ${nameOf(bad)}. ${reason}${others}`
  return { family, shape, text, troubles, waiting }
}

type Says = Omit<Verdict, 'troubles' | 'waiting'>

function awaitedVerdict(
  hop: JudgedHop,
  byKey: ReadonlyMap<string, JudgedHop>,
  graph: PathGraph,
): Says {
  const look = { family: 'move', shape: 'arc' } as const
  if (!hop.isShown) return { ...look, text: 'A hop that you do not see is starting.' }
  const { before, behind } = neighboursOf(hop, byKey, graph)
  const others = pathHop(hop).isReceiver ? before : behind
  const other = others.find(({ state, kind }) => troubleOfHop(state, kind) === 'link')
  const isOfBoth = other !== undefined && unsettledOf(hop.state) === 'peer'
  const text = isOfBoth
    ? `${capital(nameOf(other))} and ${nameOf(hop)} are connecting to each other.`
    : unsettledText(hop)
  return { ...look, text }
}

function unsettledText(hop: Shown): string {
  const name = capital(nameOf(hop))
  switch (unsettledOf(hop.state)) {
    case 'peer':
      return `${name} is connecting.`
    case 'media':
      return `${name} is running and waits for media.`
    case 'itself':
    case null:
      return hop.state.word === STATE_WORDS.stopping
        ? `${name} is stopping.`
        : `${name} is starting.`
  }
}

function moreText(more: number): string {
  if (more === 0) return ''
  return more === 1 ? ' 1 more hop has trouble.' : ` ${more} more hops have trouble.`
}

const HIDDEN_TEXTS: Readonly<Record<HiddenHop['why'], string>> = {
  group: 'a hop in another group. Ask those who manage that group.',
  role: 'a hop that your role does not see. Ask a manager of the group.',
}

/** Each a whole text, as other languages order them otherwise. */
const IDLE_TEXTS: Readonly<Record<string, (name: string) => string>> = {
  [CAUSES.channelOff]: (name) => `${name} runs. The channel that it sends to is off.`,
  [CAUSES.inputOff]: (name) => `${name} runs. The input that it sends to is off.`,
}

function quietVerdict(hops: readonly JudgedHop[]): Says {
  const shown = hops.filter((hop) => hop.isShown)
  const allOff = shown.filter(({ kind, state }) => kind !== 'destination' && isOff(state))
  // What is off behind the object takes nothing from it.
  const off = allOff.find(({ side }) => side !== 'behind')
  if (off !== undefined) {
    return { family: 'off', shape: off.state.shape, text: quietOffText(off) }
  }
  const idle = shown.find(({ state }) => Object.hasOwn(IDLE_TEXTS, state.cause))
  const idleText = IDLE_TEXTS[idle?.state.cause ?? '']
  if (idle !== undefined && idleText !== undefined) {
    return { family: 'off', shape: idle.state.shape, text: idleText(capital(nameOf(idle))) }
  }
  const unsettled = shown.find(({ state }) => unsettledOf(state) !== null)
  if (unsettled !== undefined) {
    return { family: 'move', shape: 'arc', text: unsettledText(unsettled) }
  }
  if (shown.some(({ state }) => state.family === 'move')) {
    return { family: 'move', shape: 'arc', text: 'Not every hop is known yet.' }
  }
  return { family: 'ok', shape: 'disc', text: `Every hop is well.${behindText(allOff.length)}` }
}

function behindText(off: number): string {
  if (off === 0) return ''
  return off === 1 ? ' 1 behind it is not set to run.' : ` ${off} behind it are not set to run.`
}

function neighboursOf(
  { key }: Shown,
  byKey: ReadonlyMap<string, JudgedHop>,
  graph: PathGraph,
): Neighbours {
  const shown = (keys: readonly string[]) =>
    keys.flatMap((each) => {
      const hop = byKey.get(each)
      return hop === undefined || !hop.isShown ? [] : [hop]
    })
  return { before: shown(graph.before(key)), behind: shown(graph.behind(key)) }
}
