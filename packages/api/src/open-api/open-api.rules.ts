/** OpenAPI 3.1 from the calls of the contract (ADR 0058). Pure. */
import { Failure } from '@trunkline/contract/failure.schema'
import { LIVE_PATH, WatchedSet } from '@trunkline/contract/fleet/fleet.schema'
import type {
  JsonSchema,
  OpenApiDocument,
  OpenApiOperation,
  OpenApiParameter,
} from '@trunkline/contract/open-api/open-api.schema'
import { PRODUCT_NAME, PRODUCT_VERSION } from '@trunkline/contract/product'
import { roleTable, type Reach } from '@trunkline/contract/role-table'
import { ROLES } from '@trunkline/contract/roles'
import { isChange } from '../http/call-subject.ts'
import {
  ADDITION_KEY_CHARACTERS,
  ADDITION_KEY_HEADER,
  noBody,
  type Route,
} from '@trunkline/contract/route'
import { scopeNeeded } from '@trunkline/contract/users/token-scope.rules'
import { z } from 'zod'
import { CALL_EXAMPLES } from './call-examples.ts'
import { CALL_SUMMARIES } from './call-summaries.ts'
import { failureResponses, failuresOf } from './failure-responses.rules.ts'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
const DESCRIPTION = [
  'Every call needs `Authorization: Bearer <token>`, but for those that say otherwise: an API token, made in the console, or the token that signing in answers.',
  'Numbers may also be sent as text of their digits; an empty text of an optional number means not set.',
  'Fields that an object has in an answer may be sent back with it: those that are read-only are ignored, all other unknown fields are refused.',
  'Later versions may add fields to answers: ignore those that you do not know.',
  'Every failure has the same body, whatever the call: `error` says what happened and what to do.',
].join(' ')

/** Empty of calls; `addCall` fills its paths. */
export function emptyDocument(): OpenApiDocument {
  const responses = failureResponses(schemaOf(Failure, 'output'))
  return {
    openapi: '3.1.0',
    info: { title: `${PRODUCT_NAME} API`, version: PRODUCT_VERSION, description: DESCRIPTION },
    jsonSchemaDialect: DIALECT,
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    paths: { [LIVE_PATH]: { post: liveOperation() } },
    components: { responses, securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  }
}

/** Under its path, and as deprecated under each other spelling of it. */
export function addCall(document: OpenApiDocument, call: Route): void {
  for (const [index, path] of [call.path, ...call.aliases].entries()) {
    const operation = operationOf(call)
    const known = (document.paths[templateOf(path)] ??= {})
    known[call.method.toLowerCase()] =
      index === 0
        ? operation
        : { ...operation, operationId: `${call.name}.${index}`, deprecated: true }
  }
}

/** '/api/encoder/:id' is '/api/encoder/{id}' in OpenAPI. */
export function templateOf(path: string): string {
  return path.replace(/:([A-Za-z]+)/g, '{$1}')
}

function operationOf(call: Route): OpenApiOperation {
  const { name, may, successStatus } = call
  const schema = schemaOf(call.reply, 'output')
  const example = CALL_EXAMPLES[name]
  const done = {
    description: 'Done.',
    content: { 'application/json': { schema, ...exampleIn(example?.answer) } },
  }
  return {
    operationId: name,
    summary: CALL_SUMMARIES[name] ?? name,
    description: describe(call),
    tags: [name.split('.')[0] ?? name],
    parameters: [
      ...parametersIn('path', call.params, example?.params),
      ...parametersIn('query', call.query, example?.query),
      ...(call.addsObject ? [ADDITION_KEY] : []),
    ],
    ...((call.body as unknown) === noBody
      ? {}
      : { requestBody: jsonBody(call.body, example?.body) }),
    responses: { [successStatus]: done, ...failuresOf(call) },
    ...(may === 'anyone' ? { security: [] } : {}),
    'x-token-scope': tokenScopeOf(call),
    'x-roles': may === 'anyone' ? [] : [...may],
  }
}

/** Of every call that adds an object. */
const ADDITION_KEY: OpenApiParameter = {
  name: ADDITION_KEY_HEADER,
  in: 'header',
  required: false,
  description:
    'Made up anew for each object, such as a UUID. The same call sent again with it, after an answer was lost, adds no second object and is answered the first, which is not changed by it.',
  schema: { type: 'string', maxLength: ADDITION_KEY_CHARACTERS },
}

function jsonBody(body: z.ZodType, example: unknown): NonNullable<OpenApiOperation['requestBody']> {
  const content = { schema: schemaOf(body, 'input'), ...exampleIn(example) }
  return { required: true, content: { 'application/json': content } }
}

function exampleIn(example: unknown): { example?: unknown } {
  return example === undefined ? {} : { example }
}

function parametersIn(
  place: 'path' | 'query',
  fields: z.ZodType,
  examples: Readonly<Record<string, unknown>> = {},
): OpenApiParameter[] {
  const { properties = {}, required = [] } = z
    .object({
      properties: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
      required: z.array(z.string()).optional(),
    })
    .parse(schemaOf(fields, 'input'))
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema,
    ...exampleIn(examples[name]),
  }))
}

/** What a client sends (`input`) or is answered (`output`); a check that JSON Schema has no words for is left out. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // A later version may answer with more.
      if (io === 'output' && jsonSchema.additionalProperties === false) {
        delete jsonSchema.additionalProperties
      }
    },
  })
  return made
}

const REACH_WORDS: Readonly<Record<Reach, string>> = {
  all: 'everything',
  notAbove: 'everybody but superadmins',
  group: 'within the own groups',
  whole: 'people all of whose groups are the own ones',
  assigned: 'assigned encoders',
  self: 'the own account',
  view: 'not allowed',
  denied: 'not allowed',
  never: 'not allowed',
}

function describe({ action }: Route): string {
  if (action === 'anyone') return 'Nobody has to be signed in.'
  const { title, reach, note } = roleTable[action]
  const roles = ROLES.map((role) => `${role}: ${REACH_WORDS[reach[role]]}`).join('; ')
  return `Right: ${title}. ${roles}. ${note}`.trim()
}

/** Mounted by hand, as its answer is a stream. */
function liveOperation(): OpenApiOperation {
  const { responses, ...operation } = operationOf(LIVE_CALL)
  const stream = { 'text/event-stream': { schema: { type: 'string' } } }
  return {
    ...operation,
    summary: 'Follow the states of objects as server-sent events',
    description: `${operation.description} The keys in the body say what is followed: \`program encoder <id>\`, \`host server <id>\`, \`alarms open all\`. The first event, \`hello\`, names the connection for \`fleet.watch\`. A \`beat\` comes every 2 s.`,
    responses: {
      ...responses,
      200: { description: 'Events, until the client or the session ends.', content: stream },
    },
  }
}

/** Whoever may call without signing in needs no token. */
function tokenScopeOf(call: Route): OpenApiOperation['x-token-scope'] {
  const isReading = call.may === 'anyone' || call.name === LIVE_CALL.name
  return scopeNeeded(call.name, !isReading && isChange(call, undefined)) ?? 'none'
}

const LIVE_CALL: Route = {
  name: 'fleet.live',
  method: 'POST',
  path: LIVE_PATH,
  aliases: [],
  action: 'openWork',
  may: ROLES,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: WatchedSet,
  reply: z.unknown(),
  successStatus: 200,
  addsObject: false,
  bodyLimitBytes: 0,
  requiredText: null,
}
