/** Groups to choose from, in order of creation (Q39). */
import { listGroups } from '@trunkline/contract/groups/group.calls'
import type { Group } from '@trunkline/contract/groups/group.schema'
import type { GroupRef } from '@trunkline/contract/session/session.schema'
import { call } from '../../lib/call.ts'
import { useSession } from '../../lib/session.ts'
import { CHOOSER_ROWS, type Choices, type ChoiceSource, useChoices } from './choices.hook.ts'

/** The groups this user may see. */
export const GROUPS: ChoiceSource<Group> = {
  kind: 'group',
  name: '',
  idOf: ({ _id }) => _id,
  find: async (searchText, signal) => {
    const query = { searchText, rowsPerPage: CHOOSER_ROWS, people: 'manager' } as const
    const { data, total } = await call(listGroups, { query, signal })
    return { rows: data, total }
  },
  read: async (id, signal) => {
    const { data } = await call(listGroups, { query: { id, people: 'manager' }, signal })
    return data.find(({ _id }) => _id === id) ?? null
  },
}

/** Until the list is there, the groups of the signed-in user stand in for it. */
export function useGroupChoices(chosenId: string, isWanted = true): Choices<GroupRef> {
  const own = useSession()?.user.groups ?? []
  const choices = useChoices(GROUPS, chosenId, isWanted)
  const known = (id: string) => choices.known(id) ?? own.find(({ _id }) => _id === id) ?? null
  const kept = choices.isRead ? {} : { rows: own, total: own.length }
  return { ...choices, ...kept, known }
}
