/** Between what a column holds and what a noun holds: JSON as text, flags as 0 and 1. */
import type { z } from 'zod'
import { knownFields } from '../known-fields.ts'
import type { Flag } from './schema.ts'

export function encodeJson(value: unknown): string {
  return JSON.stringify(value)
}

/**
 * It was checked when it was written. A field that came later has its default; one that the schema
 * does not have any more is left out.
 */
export function decodeJson<T extends z.ZodType>(schema: T, text: string): z.output<T> {
  return knownFields(schema, JSON.parse(text))
}

export function encodeFlag(flag: boolean): Flag {
  return flag ? 1 : 0
}

export function decodeFlag(flag: number): boolean {
  return flag === 1
}
