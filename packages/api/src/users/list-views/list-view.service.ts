/** How the caller has arranged the lists of the console: saved filters and hidden columns. */
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import type { listListViews, saveListView } from '@trunkline/contract/users/list-view.calls'
import type { ArrangedList, ListView } from '@trunkline/contract/users/list-view.schema'
import { isDeepStrictEqual } from 'node:util'
import * as auditService from '../../audit/audit.service.ts'
import type { Context } from '../../context.ts'
import { REVOKED, unauthenticated } from '../../errors.ts'
import { outdated, saveVersioned } from '../../save-versioned.ts'
import type { Actor } from '../../security/actor.ts'
import { actingNow, fullNameOf } from '../user.service.ts'
import * as userStore from '../user.store.ts'
import * as listViewStore from './list-view.store.ts'

export async function list(ctx: Context, actor: Actor): Promise<ReplyOf<typeof listListViews>> {
  return { status: true, data: await listViewStore.list(ctx.db, actor.id) }
}

/** Refused when it was saved since `version`; without a version it is taken as it comes. */
export async function save(
  ctx: Context,
  caller: Actor,
  name: ArrangedList,
  { hidden, saved, version }: BodyOf<typeof saveListView>,
): Promise<ReplyOf<typeof saveListView>> {
  const read = async (): Promise<ListView> =>
    (await listViewStore.find(ctx.db, caller.id, name)) ?? {
      list: name,
      hidden: [],
      saved: [],
      version: 0,
    }
  const before = await saveVersioned({
    version,
    read,
    versionOf: (view) => view.version,
    write: async (view) =>
      ctx.db.transaction().execute(async (trx) => {
        const actor = await actingNow(trx, caller)
        const user = await userStore.find(trx, actor.id)
        if (user === null) throw unauthenticated(REVOKED)
        const next = { list: name, hidden, saved, version: view.version }
        if (!(await listViewStore.save(trx, user.id, next))) return false
        await auditService.record(trx, {
          actor,
          call: 'listViews.save',
          object: { kind: 'user', id: user.id, title: fullNameOf(user) },
        })
        return true
      }),
    outdated: (current) => {
      const changed = [
        ...(isDeepStrictEqual(current.hidden, hidden) ? [] : ['hidden']),
        ...(isDeepStrictEqual(current.saved, saved) ? [] : ['saved']),
      ]
      return outdated('list', current, changed)
    },
  })
  return { status: true, data: { list: name, hidden, saved, version: before.version + 1 } }
}
