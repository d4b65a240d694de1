/** Calls of the contract against an app that does not listen. */
import type { OnAirRefusal } from '@trunkline/contract/on-air/on-air.schema'
import type { AnswerOf, Route } from '@trunkline/contract/route'
import type { SecondFactorAsked } from '@trunkline/contract/users/second-factor.schema'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'

/** Values that tests store as secrets; no answer may hold one. */
export const PLANTED_SECRETS = ['planted-api-key-7Q2x', 'planted.passphrase-9Zk'] as const

export interface Injected<T extends Route> {
  status: number
  /** Of a success; look at `status` first. */
  answer: AnswerOf<T>
  /** Of a failure. */
  failure: {
    status: boolean
    error: string
    msg: string
    code: string
    field?: string
    issues?: { field: string; message: string }[]
    current?: unknown
    changed?: string[]
    savedBy?: string
    onAir?: OnAirRefusal
    secondFactor?: SecondFactorAsked
  }
  text: string
  headers: Record<string, unknown>
}

export interface InjectInput<T extends Route> {
  params?: z.input<T['params']>
  query?: z.input<T['query']>
  body?: z.input<T['body']>
  headers?: Readonly<Record<string, string>>
}

/** `token`: '' for nobody. */
export async function inject<T extends Route>(
  app: FastifyInstance,
  call: T,
  token: string,
  input: InjectInput<T>,
): Promise<Injected<T>> {
  const response = await app.inject({
    method: call.method,
    url: urlOf(call, input.params),
    query: (input.query ?? {}) as Record<string, string>,
    headers: {
      ...input.headers,
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(input.body === undefined ? {} : { payload: JSON.stringify(input.body) }),
  })
  assertNoSecret(call, response.payload)
  const parsed = response.payload === '' ? {} : (JSON.parse(response.payload) as unknown)
  return {
    status: response.statusCode,
    answer: parsed as AnswerOf<T>,
    failure: parsed as Injected<T>['failure'],
    text: response.payload,
    headers: response.headers,
  }
}

export function urlOf(call: Route, params: unknown): string {
  const values = (params ?? {}) as Record<string, string>
  return call.path.replace(/:([A-Za-z]+)/g, (_, name: string) =>
    encodeURIComponent(String(values[name] ?? '')),
  )
}

/** AUTH-24: of every answer that any test gets. */
function assertNoSecret(call: Route, text: string): void {
  for (const secret of ['$argon2', 'passwordHash', 'password_hash', ...PLANTED_SECRETS]) {
    if (text.includes(secret))
      throw new Error(`The answer of ${call.name} holds ${secret}: ${text}`)
  }
}
