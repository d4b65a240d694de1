/** Failures of the media API in the body that media servers answer: `{errors: [{code, status, title}]}`. */
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { CommandRefused } from '../../commands/refused.ts'
import { isDiskFull } from '../../host/disk.ts'
import { InputUnknown, StreamRefused, StreamUnknown } from '../definition/stream.refusal.ts'

interface ApiFailure {
  status: number
  code: string
  /** An operator's sentence: cause and fix, the field by its name. */
  title: string
}

export function sendFailure(reply: FastifyReply, { status, code, title }: ApiFailure) {
  return reply.code(status).send({ errors: [{ code, status: String(status), title }] })
}

export function apiFailure(error: unknown): ApiFailure {
  if (error instanceof StreamUnknown) return failure(404, 'stream_not_found', error.message)
  if (error instanceof InputUnknown) return failure(400, 'input_not_found', error.message)
  if (error instanceof StreamRefused) return failure(400, 'invalid', error.message)
  if (error instanceof CommandRefused) return failure(400, 'refused', error.message)
  if (error instanceof z.ZodError) return failure(400, 'invalid', sentenceOf(error.issues))
  if (isDiskFull(error)) return failure(500, 'disk_full', DISK_FULL)
  return httpFailure(error)
}

const DISK_FULL =
  'The disk of this host is full, so nothing was changed. Free some space where its agent keeps its data.'

function failure(status: number, code: string, title: string): ApiFailure {
  return { status, code, title }
}

function sentenceOf(issues: readonly z.core.$ZodIssue[]): string {
  return issues.map(issueSentence).join(' ')
}

function issueSentence(issue: z.core.$ZodIssue): string {
  const field = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => `'${key}'`).join(', ')
    return `${field === '' ? 'A stream' : field} has no field ${keys}. Remove it.`
  }
  return `${field === '' ? 'The body' : field} ${issue.message}`
}

const HttpError = z.object({ statusCode: z.number().int().min(400).max(499), code: z.string() })

/** What the HTTP server itself refuses: no JSON, too much of it, another type. */
function httpFailure(error: unknown): ApiFailure {
  const known = HttpError.safeParse(error)
  if (!known.success) {
    return failure(500, 'internal', 'The channel server failed. Check the log of its agent.')
  }
  const { statusCode } = known.data
  if (statusCode === 413) return failure(413, 'too_large', 'The body is too large. Shorten it.')
  if (statusCode === 415) {
    return failure(415, 'unsupported', 'Send JSON, with the header Content-Type: application/json.')
  }
  return failure(statusCode, 'invalid', 'The request cannot be read: the body must be JSON.')
}
