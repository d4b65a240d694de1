/**
 * A call is a value. Each call of the product is one `route` constant: the API mounts it, the
 * console calls it, the role table is read from it. This file knows no Node and no DOM.
 */
import { z } from 'zod'
import { rolesThat, type Action } from './role-table.ts'
import type { Role } from './roles.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Who may use a call: nobody has to be signed in ('anyone'), or one of these roles. */
type May = 'anyone' | readonly Role[]

export interface Route<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  /** 'feature.verb', unique; what the audit line and the role table call it. */
  readonly name: string
  readonly method: Method
  /** Fastify notation, `:id` for parameters. */
  readonly path: string
  /** Other spellings that foreign clients use; the console never does. */
  readonly aliases: readonly string[]
  /** The row of the role table that decides; 'anyone' needs no session. */
  readonly action: Action | 'anyone'
  /** Read from the role table. */
  readonly may: May
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly reply: R
  readonly successStatus: 200 | 201
  /** Sent again with the same ADDITION_KEY_HEADER, it adds no second object and is answered the first. */
  readonly addsObject: boolean
  /** The largest body taken, in bytes. */
  readonly bodyLimitBytes: number
  /** Where a required field is missing or empty, the answer's sentence; null: the fields' own. */
  readonly requiredText: string | null
}

/** What a client makes up for each object that it adds, and keeps until it has the answer. */
export const ADDITION_KEY_HEADER = 'idempotency-key'
export const ADDITION_KEY_CHARACTERS = 100

/** 64 kB: no call of this console but a configuration needs more (quality.md, T16). */
const DEFAULT_BODY_LIMIT_BYTES = 64 * 1024

const nothing = z.strictObject({})
export type Nothing = typeof nothing
/** A call without a body: absent, null and {} are all taken. */
export const noBody = z
  .union([z.undefined(), z.null(), nothing])
  .transform((): undefined => undefined)
export type NoBody = typeof noBody

interface RouteSpec<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
> {
  name: string
  method: Method
  path: string
  aliases?: readonly string[]
  action: Action | 'anyone'
  params?: P
  query?: Q
  body?: B
  reply: R
  /** 201 where it adds an object, else 200, unless it is given. */
  successStatus?: 200 | 201
  addsObject?: boolean
  bodyLimitBytes?: number
  requiredText?: string
}

export function route<
  R extends z.ZodType,
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = NoBody,
>(spec: RouteSpec<P, Q, B, R>): Route<P, Q, B, R> {
  return {
    aliases: [],
    params: nothing as unknown as P,
    query: nothing as unknown as Q,
    body: noBody as unknown as B,
    successStatus: spec.addsObject === true ? 201 : 200,
    addsObject: false,
    bodyLimitBytes: DEFAULT_BODY_LIMIT_BYTES,
    requiredText: null,
    ...spec,
    may: spec.action === 'anyone' ? 'anyone' : rolesThat(spec.action),
  }
}

export type ParamsOf<T extends Route> = z.output<T['params']>
export type QueryOf<T extends Route> = z.output<T['query']>
export type BodyOf<T extends Route> = z.output<T['body']>
/** What a handler returns; the reply schema then strips every field it does not name. */
export type ReplyOf<T extends Route> = z.input<T['reply']>
export type AnswerOf<T extends Route> = z.output<T['reply']>
