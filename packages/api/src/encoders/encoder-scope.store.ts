/** The encoders that somebody may see, as the beginning of a query. */
import { idList } from '../db/id-list.ts'
import type { Db } from '../db/open.ts'
import type { EncoderScope } from './encoder-scope.ts'

export function scoped(db: Db, scope: EncoderScope) {
  const all = db.selectFrom('encoders')
  switch (scope.by) {
    case 'all':
      return all
    case 'groups':
      return all.where('encoders.group_id', 'in', idList(scope.groupIds))
    case 'editor':
      return all.where((eb) =>
        eb.exists(
          eb
            .selectFrom('encoder_users')
            .select('user_id')
            .whereRef('encoder_users.encoder_id', '=', 'encoders.id')
            .where('user_id', '=', scope.userId),
        ),
      )
  }
}
