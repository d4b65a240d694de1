/** The failures of calls as the API reference lists them: by status, with codes and an example each. */
import type { Failure, FailureCode } from '@trunkline/contract/failure.schema'
import type { JsonSchema, OpenApiDocument } from '@trunkline/contract/open-api/open-api.schema'
import { NOT_AUTHORIZED } from '@trunkline/contract/roles'
import { noBody, type Route } from '@trunkline/contract/route'
import { login } from '@trunkline/contract/session/session.calls'
import { CHECK_REQUIRED } from '@trunkline/contract/wording'
import { HTTP_STATUS } from '../http/error-handler.ts'

interface Explained {
  /** When a call is answered so. */
  when: string
  /** A sentence as the API writes it. */
  example: string
}

const EXPLAINED: Readonly<Record<FailureCode, Explained>> = {
  invalid: {
    when: 'A field is missing or not valid: `field` is the first, `issues` are all.',
    example: CHECK_REQUIRED,
  },
  unauthenticated: { when: 'No token, or one that has ended.', example: 'Please sign in.' },
  second_factor: {
    when: 'The password was right, and the account has a second factor: send a code, or the answer of a passkey, with `secondFactor.challenge` to the second step.',
    example: 'Enter the code of your authenticator app, or a recovery code.',
  },
  forbidden: {
    when: 'The role, or the scope of an API token, does not allow it.',
    example: NOT_AUTHORIZED,
  },
  not_found: {
    when: 'There is no such object, or it is in a group that the caller does not have.',
    example: 'There is no such encoder. It may have been removed: refresh the list.',
  },
  conflict: {
    when: 'A newer version was saved meanwhile: `current` is the object as it is, `changed` are the fields. Or a name, address or port is in use.',
    example: 'Somebody else has saved a newer version meanwhile.',
  },
  on_air: {
    when: 'It would interrupt what is on air: `onAir` lists that. Send the title along to do it.',
    example: 'This interrupts an encoder that is on air.',
  },
  too_large: { when: 'The body is too large.', example: 'The request is too large.' },
  refused: {
    when: 'A rule forbids it; the sentence says which, and what to do.',
    example: 'A group that is still in use cannot be deleted.',
  },
  too_many: {
    when: 'Too many calls. Wait for as many seconds as the header Retry-After says.',
    example: 'Too many calls: the limit is 200 a second. Try again in 1 s.',
  },
  internal: {
    when: 'A fault of the API. Its log has the cause.',
    example: 'Something went wrong on our side. It was noted. Please try again.',
  },
  host_unreachable: {
    when: 'The host, or its media server, is not connected or refused.',
    example: 'The host does not answer. Ask an admin to look after it.',
  },
  unavailable: {
    when: 'Not possible for the moment, such as while the disk is full.',
    example: 'The client disconnected.',
  },
  host_timeout: {
    when: 'The host took the call and did not answer in time.',
    example: 'The host did not answer within 5 s.',
  },
}

type Responses = OpenApiDocument['components']['responses']

const codesByStatus = Map.groupBy(
  Object.keys(EXPLAINED) as FailureCode[],
  (code) => HTTP_STATUS[code],
)

/** Shared by all calls: `Failure404` and so on. `schemaOf`: JSON Schema of the failure body. */
export function failureResponses(failureSchema: JsonSchema): Responses {
  const made = [...codesByStatus].map(([status, codes]) => {
    const description = codes.map((code) => `\`${code}\`: ${EXPLAINED[code].when}`).join(' ')
    const examples = Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }]))
    const content = { 'application/json': { schema: failureSchema, examples } }
    return [`Failure${status}`, { description, content }] as const
  })
  return Object.fromEntries(made)
}

function exampleOf(code: FailureCode): Failure {
  const { example } = EXPLAINED[code]
  return { status: false, error: example, msg: example, code }
}

/** Those that this call can be answered with, as references to the shared ones. */
export function failuresOf(call: Route): Responses {
  const codes = (Object.keys(EXPLAINED) as FailureCode[]).filter((code) => mayFailWith(call, code))
  const statuses = [...new Set(codes.map((code) => HTTP_STATUS[code]))].toSorted((a, b) => a - b)
  return Object.fromEntries(
    statuses.map((status) => [String(status), { $ref: `#/components/responses/Failure${status}` }]),
  )
}

function mayFailWith({ name, method, may, path, body }: Route, code: FailureCode): boolean {
  const reads = method === 'GET'
  switch (code) {
    case 'unauthenticated':
      return may !== 'anyone' || !reads
    case 'second_factor':
      return name === login.name
    case 'forbidden':
      return may !== 'anyone'
    case 'not_found':
      return !reads || path.includes(':')
    case 'too_large':
      return (body as unknown) !== noBody
    case 'conflict':
    case 'on_air':
    case 'refused':
      return !reads
    case 'invalid':
    case 'too_many':
    case 'internal':
    case 'host_unreachable':
    case 'unavailable':
    case 'host_timeout':
      return true
  }
}
