/** What goes wrong in an operator's words: a code, a sentence with cause and fix, and the field at fault. */
import type { FailureCode, FailureIssue } from '@trunkline/contract/failure.schema'
import type { OnAirRefusal } from '@trunkline/contract/on-air/on-air.schema'
import type { SecondFactorAsked } from '@trunkline/contract/users/second-factor.schema'
import { NOT_AUTHORIZED } from '@trunkline/contract/roles'
import { CHECK_REQUIRED, IS_MISSING } from '@trunkline/contract/wording'

export interface AppErrorMore {
  /** Dotted path of the field at fault. */
  field?: string
  issues?: readonly FailureIssue[]
  /** On a version conflict: the object as it is now, and the fields that another operator changed. */
  current?: unknown
  changed?: readonly string[]
  /** What it is called that was saved by somebody else: 'encoder'. Who that was is found where it is answered. */
  savedNoun?: string
  /** On a version conflict: the name of who has saved it, where the record of activity knows. */
  savedBy?: string
  /** Of several objects, each that was refused, and why; names that the caller may know. */
  failed?: readonly { name: string; error: string }[]
  /** What is on air and would be interrupted. */
  onAir?: OnAirRefusal
  /** For the second step of a sign-in. */
  secondFactor?: SecondFactorAsked
  /** Where the specification wants another status than the code's own. */
  httpStatus?: number
  /** Seconds until another try makes sense. */
  retryAfterS?: number
  /** Told instead to those who may not read why a host is away (row readFault of the role table). */
  neutral?: string
  /** What really happened, for our own log; never in an answer. */
  cause?: unknown
}

/** Thrown by services; http/error-handler.ts turns it into the one failure body. */
export class AppError extends Error {
  readonly code: FailureCode
  readonly more: AppErrorMore
  constructor(code: FailureCode, message: string, more: AppErrorMore) {
    super(message, more.cause === undefined ? {} : { cause: more.cause })
    this.name = 'AppError'
    this.code = code
    this.more = more
  }
  get field(): string | undefined {
    return this.more.field
  }
  get current(): unknown {
    return this.more.current
  }
  get changed(): readonly string[] | undefined {
    return this.more.changed
  }
}

/**
 * 404. The same words for an object that does not exist and for one of another group, so that an
 * answer never tells which ids exist (quality.md T2). `noun`: 'encoder', 'group' …
 */
export function notFound(noun: string): AppError {
  return new AppError(
    'not_found',
    `There is no such ${noun}. It may have been removed: refresh the list.`,
    {},
  )
}

/** 400. `sentence` begins with a small letter ('must be …') or is a whole sentence of its own. */
export function invalid(field: string, sentence: string): AppError {
  const message = fieldSentence(field, sentence)
  return new AppError('invalid', message, { field, issues: [{ field, message }] })
}

/** 400: required fields that were left out or empty, in the specification's words (ERR-19). */
export function requiredMissing(...fields: readonly string[]): AppError {
  const issues = fields.map((field) => ({ field, message: fieldSentence(field, IS_MISSING) }))
  const [field = ''] = fields
  return new AppError('invalid', CHECK_REQUIRED, { field, issues })
}

/** 422, or the status that the specification lists for this refusal. */
export function refused(
  sentence: string,
  more: Pick<AppErrorMore, 'field' | 'httpStatus' | 'failed'> = {},
): AppError {
  return new AppError('refused', sentence, more)
}

/** 409. */
export function conflict(
  sentence: string,
  more: Pick<AppErrorMore, 'field' | 'current' | 'changed' | 'failed' | 'savedNoun'> = {},
): AppError {
  return new AppError('conflict', sentence, more)
}

/** 403. Without a sentence of its own it is the specification's (ERR-28). */
export function forbidden(sentence: string = NOT_AUTHORIZED): AppError {
  return new AppError('forbidden', sentence, {})
}

/** Signed out, a new password, or the user is gone; a token that is merely old reads otherwise. */
export const REVOKED = 'Your session was ended. Please sign in again.'

/** It never was, has expired, was revoked, or its owner's account has ended it. */
export const TOKEN_REFUSED =
  'This API token is not valid: it has expired or was revoked. Make another in the console.'

/** 401. */
export function unauthenticated(sentence: string): AppError {
  return new AppError('unauthenticated', sentence, {})
}

/** 429. */
export function tooMany(sentence: string, retryAfterS: number): AppError {
  return new AppError('too_many', sentence, { retryAfterS })
}

/** 502: the host refused us or broke off. */
export function hostUnreachable(sentence: string): AppError {
  return new AppError('host_unreachable', sentence, {})
}

/** Why it does not answer is for admins. */
const AWAY = 'The host does not answer. Ask an admin to look after it.'

/**
 * 502: there is no link to the host. `why` may name keys and addresses: not everybody may see it.
 * `outcome`, a sentence after a space, is: what became of a call that was under way.
 */
export function hostAway(why: string, outcome = ''): AppError {
  const neutral = `${AWAY}${outcome}`
  return new AppError('host_unreachable', why + outcome, { neutral })
}

/** 504: the host took the call and stayed silent. */
export function hostTimeout(sentence: string): AppError {
  return new AppError('host_timeout', sentence, {})
}

/** 503: we cannot serve this now, but shall be able to again without a change of the call. */
export function unavailable(sentence: string): AppError {
  return new AppError('unavailable', sentence, {})
}

/** Sentences of the schemas that begin with a small letter lack their subject: the field. */
export function fieldSentence(field: string, sentence: string): string {
  return field !== '' && /^[a-z]/.test(sentence) ? `${field} ${sentence}` : sentence
}
