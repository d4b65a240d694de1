/**
 * The overrides of the site in memory, as every API process knows them, and which settings of a rule
 * apply to an object. While there is none of a rule, asking costs nothing.
 */
import {
  defaultSettings,
  tracedDefault,
  tracedMoreAlarming,
  tracedOverride,
  type AppliedSettings,
  type TracedSettings,
} from '@trunkline/contract/alarms/overrides/override.rules'
import type { AlarmRule } from '@trunkline/contract/alarms/open-alarms.schema'
import { defaultThreshold } from '@trunkline/contract/alarms/threshold.rules'
import type { ObjectKey } from '../../fleet/object-key.ts'
import type { ThresholdChange } from '../../fleet/judge-again.ts'
import type { Place } from '../../fleet/object-place.ts'
import { coveredKey, coversOf } from '../covered.ts'
import type { StoredOverride } from './override.store.ts'

export interface OverrideBoardOptions {
  placeOf: (object: ObjectKey) => Place | null
}

export class OverrideBoard implements Disposable {
  readonly #options: OverrideBoardOptions
  readonly #listeners = new Set<(changed: readonly ThresholdChange[]) => void>()
  #overrides: readonly StoredOverride[] = []
  /** By rule and key of what is covered. */
  #byRule: ReadonlyMap<AlarmRule, ReadonlyMap<string, StoredOverride>> = new Map()

  constructor(options: OverrideBoardOptions) {
    this.#options = options
  }

  /** Calls when other settings than before may apply, with which thresholds may be others. */
  listen(listener: (changed: readonly ThresholdChange[]) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  all(): readonly StoredOverride[] {
    return this.#overrides
  }

  replace(overrides: readonly StoredOverride[]): void {
    if (overrides.length === 0 && this.#overrides.length === 0) return
    const changed = thresholdChanges(this.#overrides, overrides)
    this.#overrides = overrides
    this.#byRule = new Map(
      [...Map.groupBy(overrides, ({ rule }) => rule)].map(([rule, some]) => [
        rule,
        new Map(some.map((override) => [coveredKey(override.covers), override])),
      ]),
    )
    for (const listener of this.#listeners) listener(changed)
  }

  settingsOf(object: ObjectKey, rule: AlarmRule): AppliedSettings {
    return this.#byRule.has(rule) ? this.tracedOf(object, rule).settings : defaultSettings(rule)
  }

  /** The object's own count before those of its encoder or input, its server and its groups. */
  tracedOf(object: ObjectKey, rule: AlarmRule): TracedSettings {
    const before = tracedDefault(rule)
    const overrides = this.#byRule.get(rule)
    const place = overrides === undefined ? null : this.#options.placeOf(object)
    if (overrides === undefined || place === null) return before
    const { own, owner, server, groups } = coversOf(object, place)
    const apply = (settings: TracedSettings, key: string) => {
      const override = overrides.get(key)
      return override === undefined ? settings : tracedOverride(settings, override)
    }
    const ofGroups = groups.map((key) => apply(before, key))
    const [first = before, ...others] = ofGroups
    const ofAllGroups = others.reduce((a, b) => tracedMoreAlarming(rule, a, b), first)
    return [server, owner, own].reduce(apply, ofAllGroups)
  }

  [Symbol.dispose](): void {
    this.#listeners.clear()
  }
}

function thresholdChanges(
  before: readonly StoredOverride[],
  after: readonly StoredOverride[],
): ThresholdChange[] {
  const keyOf = ({ id, rule, threshold }: StoredOverride) => `${id} ${rule} ${threshold}`
  const [old, now] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))]
  const changed = [
    ...before.filter((override) => !now.has(keyOf(override))),
    ...after.filter((override) => !old.has(keyOf(override))),
  ]
  return [...Map.groupBy(changed, ({ rule }) => rule)].flatMap(([rule, some]) => {
    const isConcerned = some.some(({ threshold }) => threshold !== null)
    const standard = defaultThreshold(rule)
    if (standard === null || !isConcerned) return []
    const all = [...before, ...after].filter((override) => override.rule === rule)
    const thresholds = [standard, ...all.flatMap(({ threshold }) => threshold ?? [])]
    return [{ rule, lowest: Math.min(...thresholds), highest: Math.max(...thresholds) }]
  })
}
