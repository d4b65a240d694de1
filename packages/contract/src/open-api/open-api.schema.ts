/** What a reader of /api/openapi.json, such as the console, needs of it; the document has more. */
import { z } from 'zod'
import { TOKEN_SCOPES } from '../users/token-scope.rules.ts'

/** JSON Schema 2020-12, as OpenAPI 3.1 has it. */
export const JsonSchema = z.record(z.string(), z.unknown())
export type JsonSchema = z.infer<typeof JsonSchema>

/** `example`: as a call of a test sent it, or was answered. */
const Content = z.record(
  z.string(),
  z.looseObject({ schema: JsonSchema, example: z.unknown().optional() }),
)

export const OpenApiParameter = z.looseObject({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean(),
  schema: JsonSchema,
})
export type OpenApiParameter = z.infer<typeof OpenApiParameter>

/** Of a success its own; a failure with status 404 is `components.responses.Failure404` for every call. */
const OpenApiResponse = z.looseObject({
  description: z.string().optional(),
  content: Content.optional(),
})

export const OpenApiOperation = z.looseObject({
  /** The name of the call: 'encoders.control'; of another spelling of its path with a number behind. */
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  /** The feature: 'encoders'. */
  tags: z.array(z.string()),
  deprecated: z.boolean().optional(),
  parameters: z.array(OpenApiParameter),
  requestBody: z.looseObject({ required: z.boolean(), content: Content }).optional(),
  responses: z.record(z.string(), OpenApiResponse),
  /** The least scope of an API token that may call it; 'none': no API token may. */
  'x-token-scope': z.enum([...TOKEN_SCOPES, 'none']),
  /** Roles that may call it; empty: nobody has to be signed in. */
  'x-roles': z.array(z.string()),
})
export type OpenApiOperation = z.infer<typeof OpenApiOperation>

export const OpenApiDocument = z.looseObject({
  openapi: z.literal('3.1.0'),
  info: z.looseObject({ title: z.string(), version: z.string(), description: z.string() }),
  /** By path, then by method in small letters. */
  paths: z.record(z.string(), z.record(z.string(), OpenApiOperation)),
  components: z.looseObject({ responses: z.record(z.string(), OpenApiResponse) }),
})
export type OpenApiDocument = z.infer<typeof OpenApiDocument>
