/** Between what a column holds and what a noun holds: JSON as text, flags as 0 and 1. */
import type { z } from 'zod'
import type { Flag } from './schema.ts'

export function encodeJson(value: unknown): string {
  return JSON.stringify(value)
}

/** Parsed by the schema of what was stored, so that a damaged row is found here and not in a host. */
export function decodeJson<T extends z.ZodType>(schema: T, text: string): z.output<T> {
  return schema.parse(JSON.parse(text))
}

export function encodeFlag(flag: boolean): Flag {
  return flag ? 1 : 0
}

export function decodeFlag(flag: number): boolean {
  return flag === 1
}
