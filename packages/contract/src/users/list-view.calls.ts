import { z } from 'zod'
import { route } from '../route.ts'
import { unlessEmpty, wholeNumber } from '../text.schema.ts'
import { ArrangedList, HiddenColumns, ListView, SavedFilters } from './list-view.schema.ts'
import { success } from '../reply.schema.ts'

const ReadVersion = unlessEmpty(
  wholeNumber(0, 2_147_483_647, 'must be the version that was read, 0 for none.').optional(),
)

/** The caller's own; a list that was never arranged is not among them. */
export const listListViews = route({
  name: 'listViews.list',
  method: 'GET',
  path: '/api/users/listViews',
  action: 'arrangeLists',
  reply: success({ data: z.array(ListView) }),
})

/**
 * Takes the place of how the caller has arranged that list. `version`: as it was read, 0 for one that
 * was never arranged; 409 with what is there now when another tab or machine has saved since.
 */
export const saveListView = route({
  name: 'listViews.save',
  method: 'PUT',
  path: '/api/users/listViews/:name',
  action: 'arrangeLists',
  params: z.object({ name: ArrangedList }),
  body: z.strictObject({ hidden: HiddenColumns, saved: SavedFilters, version: ReadVersion }),
  reply: success({ data: ListView }),
})
