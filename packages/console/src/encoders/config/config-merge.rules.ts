/** What a configuration is merged by when two operators edit it (shared/merge.rules.ts). */
import {
  merged,
  newsLinesOf,
  type MergeParts,
  type News as NewsOf,
  type NewsLine as NewsLineOf,
  withTheirs,
} from '../../forms/merge.rules.ts'
import { FIELD_NAMES, type FieldName } from './config-field.rules.ts'
import type { ConfigState } from './config-state.rules.ts'
import { targetOf, type ConfigValues } from './config-values.rules.ts'

/** A field, or all outputs as one. */
export type MergedName = FieldName | 'output'
const MERGED_NAMES: readonly MergedName[] = [...FIELD_NAMES, 'output']

export type News = NewsOf<ConfigValues, MergedName>
export type NewsLine = NewsLineOf<MergedName>

const PARTS: MergeParts<ConfigValues, MergedName> = { names: MERGED_NAMES, textAt, take }

export function merge(state: ConfigState, theirs: ConfigValues, version: number): ConfigState {
  return merged(PARTS, state, theirs, version)
}

/** Why those fields had their values is known no longer. */
export function takeTheirs(state: ConfigState): ConfigState {
  const clashes: readonly string[] = state.news?.clashes ?? []
  const reasons = Object.entries(state.reasons).filter(([name]) => !clashes.includes(name))
  return { ...withTheirs(PARTS, state), reasons: Object.fromEntries(reasons) }
}

export function newsLines(state: ConfigState): NewsLine[] {
  return newsLinesOf(PARTS, state)
}

export function textAt({ fields, outputs }: ConfigValues, name: MergedName): string {
  return name === 'output' ? outputs.map(targetOf).join(', ') : fields[name]
}

function take(
  values: ConfigValues,
  from: ConfigValues,
  names: readonly MergedName[],
): ConfigValues {
  const taken = FIELD_NAMES.filter((name) => names.includes(name))
  return {
    fields: {
      ...values.fields,
      ...Object.fromEntries(taken.map((name) => [name, from.fields[name]])),
    },
    outputs: names.includes('output') ? from.outputs : values.outputs,
  }
}
