import { expect, test } from 'vitest'
import { createPostgresDatabase } from '../databases.ts'
import { BOTH_DATABASES } from '../site-on.ts'
import { openTestApp } from '../test-app.ts'
import { changedTables, openStoredState } from './stored-state.ts'

test.each(BOTH_DATABASES)(
  'T3 each table that a commit changed is named, and none after a rollback: %s',
  async (database) => {
    await using stack = new AsyncDisposableStack()
    const databaseUrl = database === 'SQLite' ? null : stack.use(await createPostgresDatabase()).url
    const { ctx, north } = stack.use(await openTestApp({ databaseUrl }))
    const stored = stack.use(await openStoredState(ctx.config))
    const first = await stored.read()
    expect(changedTables(first, await stored.read())).toEqual([])

    const rename = async (title: string, isKept: boolean) =>
      ctx.db.transaction().execute(async (db) => {
        await db.updateTable('groups').set({ title }).where('id', '=', north).execute()
        await db.deleteFrom('group_users').where('group_id', '=', north).execute()
        if (!isKept) throw new Error('rolled back')
      })
    await expect(rename('Norway', false)).rejects.toThrow('rolled back')
    expect(changedTables(first, await stored.read())).toEqual([])

    await rename('Norway', true)
    const changed = changedTables(first, await stored.read())
    expect(changed.toSorted()).toEqual(['group_users', 'groups'])
  },
)
