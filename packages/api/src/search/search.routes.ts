import { searchObjects } from '@trunkline/contract/search/search.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mount } from '../http/mount.ts'
import * as searchService from './search.service.ts'

export function searchRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, searchObjects, async ({ query }, actor) =>
    searchService.search(ctx, actor, query),
  )
}
