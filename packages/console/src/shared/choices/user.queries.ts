/** People of one role to choose from, in order of full name. */
import type { Role } from '@trunkline/contract/roles'
import { findUser, listUsers } from '@trunkline/contract/users/user.calls'
import type { User } from '@trunkline/contract/users/user.schema'
import { call } from '../../lib/call.ts'
import { CHOOSER_ROWS, type ChoiceSource, orNone } from './choices.hook.ts'

/** GRP-09: who may lead a group. */
export const MANAGERS = peopleOf('manager')
/** Q49: who may be assigned to an encoder. */
export const EDITORS = peopleOf('editor')

function peopleOf(mode: Role): ChoiceSource<User> {
  return {
    kind: 'user',
    name: mode,
    idOf: ({ _id }) => _id,
    find: async (searchText, signal) => {
      const query = { mode, searchText, rowsPerPage: CHOOSER_ROWS }
      const { data, total } = await call(listUsers, { query, signal })
      return { rows: data, total }
    },
    read: async (id, signal) => {
      const user = await orNone(async () => call(findUser, { params: { id }, signal }))
      return user?.mode === mode ? user : null
    },
  }
}
