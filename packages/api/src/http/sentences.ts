/** What a schema found, in an operator's words: every issue one sentence that names its field and the fix. */
import type { FailureIssue } from '@trunkline/contract/failure.schema'
import { shortened, unknownFields } from '@trunkline/contract/wording'
import type { z } from 'zod'
import { AppError, fieldSentence } from '../errors.ts'

/** A body of a thousand wrong fields is answered by the first ones. */
const ISSUES_LIMIT = 20
/** Thrown as one 400 with every fault found. */
export function invalidInput(error: z.core.$ZodError): AppError {
  const issues = withoutEchoes(error.issues)
    .flatMap((issue) => issuesOf(issue, []))
    .slice(0, ISSUES_LIMIT)
  const message = issues.map((issue) => ended(issue.message, issues.length)).join(' ')
  const field = issues[0]?.field
  return new AppError('invalid', message, { issues, ...(field ? { field } : {}) })
}

/**
 * The same failure, said by `sentence` when a required field of the body is missing or empty: such
 * fields come first, and the issues name each (API-24).
 */
export function withRequired(failure: AppError, body: unknown, sentence: string): AppError {
  const issues = failure.more.issues ?? []
  const isMissing = ({ field }: FailureIssue) => field !== '' && isUnset(valueAt(body, field))
  const missing = issues.filter(isMissing)
  const [first] = missing
  if (first === undefined) return failure
  const others = issues.filter((issue) => !missing.includes(issue))
  const more = { ...failure.more, field: first.field, issues: [...missing, ...others] }
  return new AppError(failure.code, sentence, more)
}

function isUnset(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '')
}

function valueAt(body: unknown, field: string): unknown {
  return field
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], body)
}

/** One field's fault once: schemas go on to limits of size where the type is wrong already. */
function withoutEchoes(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  return issues.filter(
    (issue, at) =>
      !issues
        .slice(0, at)
        .some(
          (earlier) =>
            dotted(earlier.path) === dotted(issue.path) &&
            issue.code !== 'unrecognized_keys' &&
            (earlier.code === 'invalid_type' || earlier.message === issue.message),
        ),
  )
}

/** Some sentences are given without a full stop; alone they stay verbatim. */
function ended(sentence: string, count: number): string {
  return count > 1 && !/[.!?]$/.test(sentence) ? `${sentence}.` : sentence
}

function issuesOf(issue: z.core.$ZodIssue, above: readonly PropertyKey[]): FailureIssue[] {
  const path = [...above, ...issue.path]
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: dotted([...path, key]),
      message: unknownFields([dotted([...path, key])]),
    }))
  }
  if (issue.code === 'invalid_union') {
    const inner = closest(issue.errors)
    if (inner !== undefined) return inner.flatMap((item) => issuesOf(item, path))
  }
  const field = dotted(path)
  return [{ field, message: fieldSentence(field === '' ? 'The body' : field, issue.message) }]
}

/**
 * Of a union's alternatives the intended one: it got as far as a field, or as a rule of
 * its own beyond type and choice, and has the fewest fields that the schema does not know. None: the
 * union's own sentence is the better one.
 */
function closest(
  errors: readonly (readonly z.core.$ZodIssue[])[],
): readonly z.core.$ZodIssue[] | undefined {
  const meant = errors.filter((issues) =>
    issues.every((issue) => issue.path.length > 0 || !isMismatch(issue)),
  )
  const strange = (issues: readonly z.core.$ZodIssue[]) =>
    issues.filter((issue) => issue.code === 'unrecognized_keys').length
  return meant
    .map(withoutEchoes)
    .toSorted((a, b) => strange(a) - strange(b) || a.length - b.length)[0]
}

function isMismatch(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' || issue.code === 'invalid_value'
}

function dotted(path: readonly PropertyKey[]): string {
  return path.map((part) => shortened(String(part))).join('.')
}
