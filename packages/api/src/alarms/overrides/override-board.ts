/**
 * The overrides of the site in memory, as every API process knows them, and which settings of a rule
 * apply to an object. While there is none of a rule, asking costs nothing.
 */
import {
  defaultSettings,
  moreAlarming,
  withOverride,
  type AppliedSettings,
} from '@trunkline/contract/alarms/overrides/override.rules'
import type { AlarmRule } from '@trunkline/contract/alarms/open-alarms.schema'
import type { ObjectKey } from '../../fleet/object-key.ts'
import type { Place } from '../../fleet/object-place.ts'
import { coveredKey, coversOf } from '../covered.ts'
import type { StoredOverride } from './override.store.ts'

export interface OverrideBoardOptions {
  placeOf: (object: ObjectKey) => Place | null
}

export class OverrideBoard implements Disposable {
  readonly #options: OverrideBoardOptions
  readonly #listeners = new Set<() => void>()
  #overrides: readonly StoredOverride[] = []
  /** By rule and key of what is covered. */
  #byRule: ReadonlyMap<AlarmRule, ReadonlyMap<string, StoredOverride>> = new Map()

  constructor(options: OverrideBoardOptions) {
    this.#options = options
  }

  /** Calls when other settings than before may apply. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  all(): readonly StoredOverride[] {
    return this.#overrides
  }

  replace(overrides: readonly StoredOverride[]): void {
    if (overrides.length === 0 && this.#overrides.length === 0) return
    this.#overrides = overrides
    this.#byRule = new Map(
      [...Map.groupBy(overrides, ({ rule }) => rule)].map(([rule, some]) => [
        rule,
        new Map(some.map((override) => [coveredKey(override.covers), override])),
      ]),
    )
    for (const listener of this.#listeners) listener()
  }

  /** The object's own count before those of its encoder or input, its server and its groups. */
  settingsOf(object: ObjectKey, rule: AlarmRule): AppliedSettings {
    const before = defaultSettings(rule)
    const overrides = this.#byRule.get(rule)
    const place = overrides === undefined ? null : this.#options.placeOf(object)
    if (overrides === undefined || place === null) return before
    const { own, owner, server, groups } = coversOf(object, place)
    const apply = (settings: AppliedSettings, key: string) => {
      const override = overrides.get(key)
      return override === undefined ? settings : withOverride(settings, override)
    }
    const ofGroups = groups.map((key) => apply(before, key))
    const [first = before, ...others] = ofGroups
    return [server, owner, own].reduce(apply, others.reduce(moreAlarming, first))
  }

  [Symbol.dispose](): void {
    this.#listeners.clear()
  }
}
