/** Every failure in its one shape: {status: false, error, msg, code, field, issues} and its HTTP status. */
import type { Failure, FailureCode } from '@trunkline/contract/failure.schema'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { EVERY_ANSWER } from './security-headers.ts'
import { storageFault } from './storage-fault.ts'

export const HTTP_STATUS: Readonly<Record<FailureCode, number>> = {
  invalid: 400,
  unauthenticated: 401,
  second_factor: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  on_air: 409,
  refused: 422,
  too_large: 413,
  too_many: 429,
  host_unreachable: 502,
  host_timeout: 504,
  unavailable: 503,
  internal: 500,
}

const NEUTRAL = 'Something went wrong on our side. It was noted. Please try again.'

export function installErrorHandler(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    sendFailure(request, reply, error)
  })
}

/** Also for errors that Fastify finds before a route is known. */
export function sendFailure(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
  const failure = error instanceof AppError ? error : fromFastify(error)
  const status = failure.more.httpStatus ?? HTTP_STATUS[failure.code]
  const call = `${request.method} ${pathOf(request)}`
  if (failure.code === 'internal') {
    request.log.error({ err: failure.cause ?? failure, call }, failure.message)
  } else if (failure.code === 'unavailable' && failure.cause !== undefined) {
    // The answer names no address of ours, and no reason that only an admin can mend.
    request.log.warn({ err: failure.cause, call }, failure.message)
  }
  if (failure.more.retryAfterS !== undefined) reply.header('retry-after', failure.more.retryAfterS)
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  // An address that cannot be read fails before the hook that sets these.
  reply.headers({ ...EVERY_ANSWER, 'cache-control': 'no-store', 'x-request-id': request.id })
  reply.code(status).send(bodyOf(failure))
}

/** Without the query, which may hold what a log should not. */
function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] ?? ''
}

function bodyOf(failure: AppError): Failure {
  const { field, issues, current, changed, savedBy, failed, onAir, secondFactor } = failure.more
  return {
    status: false,
    error: failure.message,
    msg: failure.message,
    code: failure.code,
    ...(field === undefined ? {} : { field }),
    ...(issues === undefined ? {} : { issues: [...issues] }),
    ...(current === undefined ? {} : { current }),
    ...(changed === undefined ? {} : { changed: [...changed] }),
    ...(savedBy === undefined ? {} : { savedBy }),
    ...(failed === undefined ? {} : { failed: [...failed] }),
    ...(onAir === undefined ? {} : { onAir }),
    ...(secondFactor === undefined ? {} : { secondFactor }),
  }
}

/** What Fastify itself refuses, in our words; everything else is ours to mend and named neutrally. */
function fromFastify(error: unknown): AppError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('too_large', 'The body is too large for this call. Send less.', {})
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError(
        'invalid',
        'The body must be JSON. Send it with the header content-type: application/json.',
        { httpStatus: 415 },
      )
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalidRequest('The body is not as long as its content-length header says.')
    case 'FST_ERR_BAD_URL':
      return invalidRequest('The address is not valid. Check its % signs.')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new AppError('not_found', 'The address is too long.', {})
  }
  const storage = storageFault(error)
  if (storage !== null) return storage
  if (isClientFault(error)) return invalidRequest('The call could not be read. Check its format.')
  return new AppError('internal', NEUTRAL, { cause: error })
}

function isClientFault(error: unknown): error is FastifyError {
  if (!(error instanceof Error) || !('statusCode' in error)) return false
  return typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500
}

function invalidRequest(sentence: string): AppError {
  return new AppError('invalid', sentence, {})
}
