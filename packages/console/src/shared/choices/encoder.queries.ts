import { findEncoder, listAllEncoders } from '@trunkline/contract/encoders/encoder.calls'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { call } from '../../lib/call.ts'
import { CHOOSER_ROWS, type ChoiceSource, orNone } from './choices.hook.ts'

/** The encoders this user may see. */
export const ENCODERS: ChoiceSource<Encoder> = {
  kind: 'encoder',
  name: '',
  idOf: ({ _id }) => _id,
  find: async (search, signal) => {
    const body = { page: 0, rows: CHOOSER_ROWS, search }
    const { result, total } = await call(listAllEncoders, { body, signal })
    return { rows: result, total }
  },
  read: async (id, signal) => orNone(async () => call(findEncoder, { params: { id }, signal })),
}
