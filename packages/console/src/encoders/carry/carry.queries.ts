/** What only the carry form asks for. */
import { listDestinations } from '@trunkline/contract/contributions/destination.calls'
import type { Destination } from '@trunkline/contract/contributions/destination.schema'
import { call } from '../../lib/call.ts'
import { CHOOSER_ROWS, type ChoiceSource } from '../../shared/choices/choices.hook.ts'

export const CARRY_DESTINATIONS: ChoiceSource<Destination> = {
  kind: 'destination',
  name: 'carry',
  idOf: ({ id }) => id,
  find: async (searchValue, signal) => {
    const query = { page: 0, rowsPerPage: CHOOSER_ROWS, searchValue }
    const { destinations, total } = await call(listDestinations, { query, signal })
    return { rows: destinations, total }
  },
  read: async (id, signal) => {
    const { destinations } = await call(listDestinations, { query: { id }, signal })
    return destinations.find((destination) => destination.id === id) ?? null
  },
}
