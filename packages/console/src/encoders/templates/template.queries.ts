import { listTemplates } from '@trunkline/contract/encoders/template.calls'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

/** Those of the own groups and those of all groups, in order of title. */
export function templatesQuery() {
  return queryOptions({
    queryKey: ['encoderTemplate', 'list'],
    queryFn: async ({ signal }) => (await call(listTemplates, { signal })).data,
  })
}
