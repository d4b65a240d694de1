/** What a call that failed throws, and the sentence an operator reads about it. */
import type { Failure, FailureCode, FailureIssue } from '@trunkline/contract/failure.schema'

/**
 * - refused: the API answered, and said no
 * - no-answer: it could not be reached
 * - odd-answer: something answered that does not speak our contract
 */
export type ApiErrorKind = 'refused' | 'no-answer' | 'odd-answer'

interface ApiErrorParts {
  kind: ApiErrorKind
  /** The server's own sentence; '' when it gave none. */
  sentence: string
  /** HTTP status, 0 without an answer. */
  status: number
  code: FailureCode | null
  field: string | null
  issues: readonly FailureIssue[]
  /** On a version conflict: the object as it is now, and which fields differ. */
  current: unknown
  changed: readonly string[]
  /** On a version conflict: the name of who has saved it; '' where that is not known. */
  savedBy?: string
  /** Of several objects, each that was refused, and why. */
  failed?: NonNullable<Failure['failed']>
  /** With the code 'on_air', as it came. */
  onAir?: unknown
  /** With the code 'second_factor', as it came. */
  secondFactor?: unknown
  /** With 'no-answer': it was waited for until the limit of the call. */
  isLate?: boolean
}

export class ApiError extends Error {
  readonly kind: ApiErrorKind
  readonly sentence: string
  readonly status: number
  readonly code: FailureCode | null
  readonly field: string | null
  readonly issues: readonly FailureIssue[]
  readonly current: unknown
  readonly changed: readonly string[]
  readonly savedBy: string
  readonly failed: NonNullable<Failure['failed']>
  readonly onAir: unknown
  readonly secondFactor: unknown
  readonly isLate: boolean

  constructor(parts: ApiErrorParts) {
    super(parts.sentence === '' ? `The call failed (${parts.status}).` : parts.sentence)
    this.name = 'ApiError'
    this.kind = parts.kind
    this.sentence = parts.sentence
    this.status = parts.status
    this.code = parts.code
    this.field = parts.field
    this.issues = parts.issues
    this.current = parts.current
    this.changed = parts.changed
    this.savedBy = parts.savedBy ?? ''
    this.failed = parts.failed ?? []
    this.onAir = parts.onAir
    this.secondFactor = parts.secondFactor
    this.isLate = parts.isLate ?? false
  }
}

/** The API did not answer: whether a change was done is not known. */
export function isNoAnswer(error: unknown): error is ApiError {
  return error instanceof ApiError && error.kind === 'no-answer'
}

/** ERR-06, AUTH-11: word for word. */
export const CANNOT_CONTACT = 'Unknown error. Cannot contact the backend server right now.'

/**
 * ERR-02: the server's own sentence first, then the text of the call that failed. Never an object,
 * never a stack (ERR-47).
 */
export function sentenceFor(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback
  if (error.kind === 'no-answer') return CANNOT_CONTACT
  return error.sentence === '' ? fallback : error.sentence
}

/** Why something could not be read, and what to do: the server's own sentence where it gave one. */
export function readFailureText(error: unknown): string {
  if (!(error instanceof ApiError)) return 'The console failed. Reload the page.'
  if (error.kind === 'no-answer') {
    return 'The console server does not answer. Check your network and that the server runs.'
  }
  if (error.kind === 'odd-answer') {
    return 'The answer is not what this page expects. The console may have been updated: reload the page.'
  }
  if (error.sentence !== '') return error.sentence
  return `The console server refused, with status ${error.status} and no reason.`
}
