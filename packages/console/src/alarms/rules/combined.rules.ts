/** Where the settings of a rule come from, as a row lists them. */
import type {
  AlarmOverride,
  CombinedRule,
} from '@trunkline/contract/alarms/overrides/override.schema'

export interface RuleSource {
  /** Null: of a group that this person does not see, or deleted a moment ago. */
  override: AlarmOverride | null
  /** What comes from it, as the columns call it. */
  fields: readonly string[]
}

type Field = keyof CombinedRule['from']

const WORDS: Readonly<Record<Field, string>> = {
  isOff: 'on or off',
  severity: 'severity',
  threshold: 'threshold',
  raiseAfterMs: 'raised after',
  clearAfterMs: 'cleared after',
}
const FIELDS = Object.entries(WORDS) as readonly [Field, string][]

/** None where the defaults apply; in the order of the columns. */
export function sourcesOf(
  { from }: Pick<CombinedRule, 'from'>,
  overrides: readonly AlarmOverride[],
): RuleSource[] {
  const overridden = FIELDS.filter(([field]) => from[field] !== '')
  const known = (id: string) => overrides.find((override) => override.id === id) ?? null
  const groups = Map.groupBy(overridden, ([field]) => known(from[field]))
  return [...groups].map(([override, some]) => ({ override, fields: some.map(([, word]) => word) }))
}
