import { route } from '../route.ts'
import { OpenApiDocument } from './open-api.schema.ts'

/** The description of all calls, this one included; it changes only with the version of the API. */
export const readOpenApi = route({
  name: 'openApi.read',
  method: 'GET',
  path: '/api/openapi.json',
  action: 'openAccess',
  reply: OpenApiDocument,
})
