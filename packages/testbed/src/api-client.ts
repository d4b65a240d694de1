/** Calls the API as an operator's client would; the testbed's only fetch. */
import type { AnswerOf, Route } from '@trunkline/contract/route'
import { Failure } from '@trunkline/contract/failure.schema'
import type { z } from 'zod'

export class CallFailed extends Error {
  readonly httpStatus: number
  readonly failure: Failure
  constructor(call: string, httpStatus: number, failure: Failure) {
    super(`${call} answered ${httpStatus}: ${failure.error}`)
    this.httpStatus = httpStatus
    this.failure = failure
  }
}

export interface Client {
  readonly baseUrl: string
  readonly token: string
}

interface CallInput<T extends Route> {
  params?: z.input<T['params']>
  query?: z.input<T['query']>
  body?: z.input<T['body']>
}

/** Throws CallFailed with the API's own sentence on any other answer than success. */
export async function callApi<T extends Route>(
  client: Client,
  call: T,
  input: CallInput<T>,
): Promise<AnswerOf<T>> {
  const response = await fetch(urlOf(client.baseUrl, call, input), {
    method: call.method,
    headers: {
      ...(client.token === '' ? {} : { authorization: `Bearer ${client.token}` }),
      ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
  })
  const answer: unknown = await response.json()
  if (!response.ok) throw new CallFailed(call.name, response.status, Failure.parse(answer))
  return call.reply.parse(answer) as AnswerOf<T>
}

function urlOf<T extends Route>(baseUrl: string, call: T, input: CallInput<T>): string {
  const params = (input.params ?? {}) as Record<string, string>
  const path = call.path.replace(/:([A-Za-z]+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  )
  const query = Object.entries((input.query ?? {}) as Record<string, unknown>)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, String(value)])
  return `${baseUrl}${path}${query.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`}`
}
