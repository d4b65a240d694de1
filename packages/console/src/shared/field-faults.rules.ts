/** What a schema of the contract finds wrong with a form, as sentences at its fields. */
import { wording } from '@trunkline/contract/wording'
import type { z } from 'zod'

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
