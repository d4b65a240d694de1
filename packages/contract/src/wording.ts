/** Our words for what a schema did not word itself: the end of a sentence that begins with the field's name. */
import type { z } from 'zod'

/** Of a client's own text in our sentence. */
const ECHO_CHARACTERS = 40

/** ERR-19; which fields, the issues beside it name. */
export const CHECK_REQUIRED = 'Please check required fields'
/** Of one field: what it says goes on from its name. */
export const IS_MISSING = 'is missing. Add it.'

type RawIssue = Parameters<z.core.$ZodErrorMap>[0]

/** Our words for what a schema did not word itself; its own sentences win over these. */
export function wording(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue.expected, issue.input)
    case 'invalid_value':
      return issue.input === undefined ? IS_MISSING : `must be ${choice(issue.values.map(String))}.`
    case 'invalid_union':
      return unionWording(issue)
    case 'too_big':
      return tooBig(issue.origin, String(issue.maximum))
    case 'too_small':
      return tooSmall(issue.origin, String(issue.minimum))
    case 'invalid_format':
      return `is not a valid ${issue.format}.`
    case 'unrecognized_keys':
      return unknownFields(issue.keys)
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return 'is not valid.'
  }
}

function unionWording(issue: Extract<RawIssue, { code: 'invalid_union' }>): string {
  if ('options' in issue && Array.isArray(issue.options)) {
    return `must be ${choice(issue.options.map(String))}.`
  }
  const errors = issue.errors.flat()
  const values = errors.flatMap((error) => (error.code === 'invalid_value' ? error.values : []))
  if (issue.input === undefined) return IS_MISSING
  if (values.length > 0 && errors.every((error) => error.code === 'invalid_value')) {
    return `must be ${choice(values.map(String))}.`
  }
  const types = errors.flatMap((error) => (error.code === 'invalid_type' ? [error.expected] : []))
  const named = [...new Set(types)].filter((type) => type !== 'undefined' && type !== 'null')
  if (named.length > 0) return wrongType(named[0] ?? '', issue.input)
  return 'is not valid.'
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object with fields',
  record: 'an object with fields',
  null: 'null',
  undefined: 'left out',
}

function wrongType(expected: string, input: unknown): string {
  if (input === undefined) return IS_MISSING
  const wanted = TYPE_WORDS[expected] ?? expected
  if (expected === 'int' && typeof input === 'number') return `must be ${wanted}.`
  return `must be ${wanted}, not ${TYPE_WORDS[typeName(input)] ?? typeName(input)}.`
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}

function tooBig(origin: string, most: string): string {
  if (origin === 'string') return `must be at most ${most} characters long. Shorten it.`
  if (origin === 'array' || origin === 'set') return `must hold at most ${most} entries.`
  return `must be at most ${most}.`
}

function tooSmall(origin: string, least: string): string {
  if (origin === 'string') return `must be at least ${least} characters long. Lengthen it.`
  if (origin === 'array' || origin === 'set') return `must hold at least ${least} entries.`
  return `must be at least ${least}.`
}

export function unknownFields(keys: readonly string[]): string {
  return keys.map((key) => `There is no field '${shortened(key)}' here. Remove it.`).join(' ')
}

function choice(values: readonly string[]): string {
  const texts = values.map((value) => (value === '' ? "''" : value))
  if (texts.length <= 1) return texts.join('')
  return `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`
}

/** A client's field name may be anything: one line, and not much of it. */
export function shortened(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const line = text.replace(/[\u0000-\u001f\u007f\u2028\u2029]/g, ' ')
  return line.length > ECHO_CHARACTERS ? `${line.slice(0, ECHO_CHARACTERS)}…` : line
}
