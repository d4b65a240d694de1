/** Which open alarm is the first cause of another: one cause, one alarm. Pure. */
import {
  explains,
  explainsSender,
  lacksPeer,
  needsReceivers,
} from '@trunkline/contract/alarms/alarm.rules'
import type { AlarmRule } from '@trunkline/contract/alarms/open-alarms.schema'
import { shortReason } from '@trunkline/contract/fleet/state-view.rules'
import { KEY_REASONS } from '@trunkline/contract/paths/hop-reason.rules'
import { keyOf, type ObjectKey } from '../fleet/object-key.ts'
import type { Finding } from './finding.rules.ts'

interface Open extends ObjectKey, Finding {}

export interface CauseHop extends ObjectKey {
  /** It is what the object sends to, or the host of that. */
  isReceiver?: true
  /** It ended with the object, for the same reason, and stands for all that did. */
  isTogether?: true
}

/** Whatever an object gets its stream from, runs on and sends to, the nearest first. */
export type HopsOf = (key: string) => readonly CauseHop[]

const ENDS_TOGETHER: readonly AlarmRule[] = ['program-down', 'supervisor-down']

/** Whether an alarm with that finding at that hop is the reason of this alarm. */
export function isCause(hop: CauseHop, found: Finding, alarm: Open): boolean {
  const { kind, isReceiver, isTogether } = hop
  const { rule } = found
  if (isTogether === true) return ENDS_TOGETHER.includes(rule) && alarm.rule === 'program-down'
  if (isReceiver === true) {
    return explainsSender(rule, alarm) || knowsReason({ kind, ...found }, alarm)
  }
  return explains({ kind, rule }, alarm) && !knowsReason(alarm, { kind, ...found })
}

type End = Finding & Pick<ObjectKey, 'kind'>

/** RIST tells only the receiver that the two ends have different secrets: its alarm is the first then. */
function knowsReason(receiver: End, sender: End): boolean {
  const isLink = receiver.kind === 'input' && lacksPeer(receiver) && needsReceivers(sender)
  return isLink && namesKeys(receiver) && !namesKeys(sender)
}

/** Of an alarm whose sentence says that the keys of its two ends differ. */
export function namesKeys({ sentence }: Pick<Finding, 'sentence'>): boolean {
  return Object.hasOwn(KEY_REASONS, shortReason(sentence))
}

/**
 * The first cause of an alarm: that of the nearest hop before it that explains it, or the
 * first cause of that one in turn. Null: it is a first cause itself. Of links that feed each other in a
 * circle one is the first cause of all.
 */
export function firstCauseOf<A extends Open>(
  alarm: Open,
  hopsOf: HopsOf,
  alarmAt: (key: string) => A | undefined,
): A | null {
  const way: (A | null)[] = [null]
  const keys = [keyOf(alarm)]
  for (let at = alarm; ;) {
    const cause = causeBefore(at, hopsOf, alarmAt)
    if (cause === null) return way.at(-1) ?? null
    const known = keys.indexOf(keyOf(cause))
    if (known !== -1) {
      const first = keys.slice(known).toSorted()[0] ?? ''
      return way[keys.indexOf(first)] ?? null
    }
    keys.push(keyOf(cause))
    way.push(cause)
    at = cause
  }
}

function causeBefore<A extends Open>(
  caused: Open,
  hopsOf: HopsOf,
  alarmAt: (key: string) => A | undefined,
): A | null {
  for (const hop of hopsOf(keyOf(caused))) {
    const alarm = alarmAt(keyOf(hop))
    if (alarm !== undefined && isCause(hop, alarm, caused)) return alarm
  }
  return null
}

/** Which objects with an open alarm are downstream of an object: found without a walk over all alarms. */
export class CauseIndex {
  readonly #hops = new Map<string, readonly CauseHop[]>()
  readonly #downstream = new Map<string, Set<string>>()

  /** Of an object with an open alarm. */
  hopsOf(key: string): readonly CauseHop[] {
    return this.#hops.get(key) ?? []
  }

  has(key: string): boolean {
    return this.#hops.has(key)
  }

  put(key: string, hops: readonly CauseHop[]): void {
    this.remove(key)
    this.#hops.set(key, hops)
    for (const hop of hops) {
      const keys = this.#downstream.get(keyOf(hop)) ?? new Set<string>()
      keys.add(key)
      this.#downstream.set(keyOf(hop), keys)
    }
  }

  remove(key: string): void {
    for (const hop of this.#hops.get(key) ?? []) {
      const keys = this.#downstream.get(keyOf(hop))
      keys?.delete(key)
      if (keys?.size === 0) this.#downstream.delete(keyOf(hop))
    }
    this.#hops.delete(key)
  }

  downstreamOf(key: string): readonly string[] {
    return [...(this.#downstream.get(key) ?? [])]
  }
}
