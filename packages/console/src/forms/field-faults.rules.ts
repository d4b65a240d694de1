/** What a schema of the contract finds wrong with a form, as sentences at its fields. */
import { wording } from '@trunkline/contract/wording'
import type { z } from 'zod'
import { ApiError } from '../lib/api-error.ts'

/**
 * The first fault of each field. A sentence of the schema that begins small goes on from the field's
 * label: 'Host must be …'.
 */
export function fieldFaults<const N extends string>(
  schema: z.ZodType,
  values: unknown,
  labels: Readonly<Record<N, string>>,
): Partial<Record<N, string>> {
  const { error } = schema.safeParse(values, { error: wording })
  const faults: Partial<Record<N, string>> = {}
  for (const { path, message } of error?.issues ?? []) {
    const name = (Object.keys(labels) as N[]).find((one) => one === path[0])
    if (name === undefined || name in faults) continue
    faults[name] = /^[a-z]/.test(message) ? `${labels[name]} ${message}` : message
  }
  return faults
}

/** What the API calls a field, and what the form calls it; the first that fits counts. */
export type FieldNames<N extends string> = readonly (readonly [wire: string, form: N])[]

/** Null where the form has no such field. */
export function formFieldOf<N extends string>(names: FieldNames<N>, field: string): N | null {
  const known = names.find(([name]) => field === name || field.startsWith(`${name}.`))
  return known?.[1] ?? null
}

/** The same failure, at the fields of the form. */
export function atFormFields(error: unknown, names: FieldNames<string>): unknown {
  if (!(error instanceof ApiError)) return error
  const { kind, sentence, status, code, current, changed } = error
  const placed = (field: string) => formFieldOf(names, field) ?? field
  return new ApiError({
    kind,
    sentence,
    status,
    code,
    current,
    changed,
    field: error.field === null ? null : placed(error.field),
    issues: error.issues.map((issue) => ({ ...issue, field: placed(issue.field) })),
  })
}
