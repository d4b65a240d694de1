/** What a schema of the contract finds wrong with a form, as sentences at its fields. */
import { wording } from '@trunkline/contract/wording'
import type { z } from 'zod'

/** A sentence at each field that is at fault, also at a part of one: 'output.0.port'. */
export type Faults = Readonly<Record<string, string>>

/** A sentence of the schema that begins small goes on from the field's label: 'Host must be …'. */
export function sentenceOf(label: string, message: string): string {
  return /^[a-z]/.test(message) ? `${label} ${message}` : message
}

/** The first fault of each field. */
export function fieldFaults<const N extends string>(
  schema: z.ZodType,
  values: unknown,
  labels: Readonly<Record<N, string>>,
): Partial<Record<N, string>> {
  const faults: Partial<Record<N, string>> = {}
  for (const { field, message } of schemaFaults(schema, values)) {
    const name = (Object.keys(labels) as N[]).find((label) => label === field.split('.')[0])
    if (name !== undefined) faults[name] ??= sentenceOf(labels[name], message)
  }
  return faults
}

/** Every fault, at its dotted path. */
export function schemaFaults(
  schema: z.ZodType,
  values: unknown,
): { field: string; message: string }[] {
  const { error } = schema.safeParse(values, { error: wording })
  return (error?.issues ?? []).map(({ path, message }) => ({
    field: path.map(String).join('.'),
    message,
  }))
}

/**
 * The fields that are well by themselves, as the schema reads them, and the defaults of those that are
 * left out. Rules between fields judge these, so that what they find is shown at the same time, and not
 * after the next try to save.
 */
export function wellParts<S extends z.ZodObject>(schema: S, values: object): Partial<z.output<S>> {
  const shape = schema.shape as Readonly<Record<string, z.ZodType>>
  const parts = Object.entries(shape).flatMap(([key, field]) => {
    const { data } = field.safeParse((values as Record<string, unknown>)[key])
    return data === undefined ? [] : [[key, data] as const]
  })
  return Object.fromEntries(parts) as Partial<z.output<S>>
}

/** In the order of the form; what is wrong with a part of a field stands where the field does. */
export function inOrder(names: readonly string[], faults: Faults): Faults {
  const placeOf = (name: string) => {
    const exact = names.indexOf(name)
    const place = exact === -1 ? names.findIndex((field) => name.startsWith(`${field}.`)) : exact
    return place === -1 ? names.length : place
  }
  const sorted = Object.entries(faults).toSorted(([a], [b]) => placeOf(a) - placeOf(b))
  return Object.fromEntries(sorted)
}

/** What the API calls a field, and what the form calls it; the first that fits counts. */
export type FieldNames<N extends string> = readonly (readonly [wire: string, form: N])[]

/** Null where the form has no such field. */
export function formFieldOf<N extends string>(names: FieldNames<N>, field: string): N | null {
  const known = names.find(([name]) => field === name || field.startsWith(`${name}.`))
  return known?.[1] ?? null
}
