import { z } from 'zod'
import { Page, PageSize, SearchText, sortBy } from '../paging.schema.ts'
import { removal } from '../by-id.ts'
import { route } from '../route.ts'
import { ApiToken, ApiTokenDraft, ServiceTokenDraft } from './api-token.schema.ts'
import { success } from '../reply.schema.ts'

const Made = success({
  data: ApiToken,
  /** Shown once; the API keeps only its SHA-256. */
  token: z.string(),
})

/** One's own, the first to expire first; without those that have ended. */
export const listOwnApiTokens = route({
  name: 'apiTokens.own',
  method: 'GET',
  path: '/api/api-token/own',
  action: 'endOwnSession',
  reply: success({ data: z.array(ApiToken) }),
})

export const API_TOKEN_SORTS = ['title', 'scope', 'used', 'expires'] as const

/** Of services and of everybody whose account the caller may change. */
export const listApiTokens = route({
  name: 'apiTokens.list',
  method: 'GET',
  path: '/api/api-token',
  action: 'manageApiTokens',
  query: z.strictObject({
    /** Found in the title and in the first characters of the token. */
    searchText: SearchText,
    page: Page,
    rowsPerPage: PageSize,
    /** '' for the first to expire first; by 'used', those never used are the first. */
    sort: sortBy(API_TOKEN_SORTS),
  }),
  reply: success({ data: z.array(ApiToken), total: z.number() }),
})

export const addApiToken = route({
  name: 'apiTokens.add',
  method: 'POST',
  path: '/api/api-token',
  action: 'endOwnSession',
  body: ApiTokenDraft,
  reply: Made,
  successStatus: 201,
})

export const addServiceToken = route({
  name: 'apiTokens.addService',
  method: 'POST',
  path: '/api/api-token/service',
  action: 'manageApiTokens',
  body: ServiceTokenDraft,
  reply: Made,
  successStatus: 201,
})

/** It is refused everywhere within a second, and live streams that were opened with it end. */
export const revokeApiToken = removal('apiTokens.revoke', '/api/api-token/:id', 'endOwnSession')
