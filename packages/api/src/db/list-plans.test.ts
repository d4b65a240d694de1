/** What the stores ask for a page of a list, as it was really asked: nothing reads a table from end to end. */
import { expect, test } from 'vitest'
import * as channelStore from '../channels/channel.store.ts'
import * as encoderStore from '../encoders/encoder.store.ts'
import * as destinationStore from '../links/destinations/destination.store.ts'
import * as inputStore from '../links/inputs/input.store.ts'
import * as outputStore from '../links/outputs/output.store.ts'
import { describeOnBothDatabases } from '../testing/databases.ts'
import { addListedRows } from '../testing/listed-rows.ts'
import { plansOf } from './query-plans.fixture.ts'
import * as userStore from '../users/user.store.ts'
import type { Db } from './open.ts'

const COPIES = 40
const ROWS = 12

interface Asked {
  page: number
  rows: number
  search: string
}
type Scope = 'all' | readonly string[]

/** Each list, as somebody of this scope reads it. */
const LISTS: Readonly<
  Record<string, (db: Db, scope: Scope, asked: Asked) => Promise<{ total: number }>>
> = {
  encoders: async (db, scope, asked) =>
    encoderStore.list(db, {
      ...asked,
      scope: scope === 'all' ? { by: 'all' } : { by: 'groups', groupIds: scope },
      groupId: '',
      ids: null,
    }),
  'encoders of an editor': async (db, _, asked) =>
    encoderStore.list(db, {
      ...asked,
      scope: { by: 'editor', userId: 'editor' },
      groupId: '',
      ids: null,
    }),
  'encoders of a group': async (db, _, asked) =>
    encoderStore.list(db, { ...asked, scope: { by: 'all' }, groupId: 'north', ids: null }),
  inputs: async (db, scope, asked) =>
    inputStore.list(db, { ...asked, scope, serverId: '', groupId: '', port: null }),
  'inputs of a group': async (db, scope, asked) =>
    inputStore.list(db, { ...asked, scope, serverId: '', groupId: 'north', port: null }),
  outputs: async (db, scope, asked) =>
    outputStore.list(db, { ...asked, scope, inputId: '', destinationId: '', linkableTo: '' }),
  channels: async (db, scope, asked) =>
    channelStore.list(db, { ...asked, scope, serverId: '', groupId: '', ids: null }),
  destinations: async (db, scope, asked) => destinationStore.list(db, { ...asked, scope, id: '' }),
  users: async (db, scope, asked) =>
    userStore.list(db, {
      ...asked,
      scope: scope === 'all' ? { by: 'all' } : { by: 'groups', groupIds: scope, userId: 'editor' },
      groupId: '',
      role: '',
    }),
}
const TABLES = 'encoders|inputs|outputs|channels|destinations|users|feeders|encoder_users'

describeOnBothDatabases('pages of lists', (open, _openNew, kind) => {
  // PostgreSQL reads a table of few rows as fast without any index: page-order.test.ts has its plans.
  test.each(kind === 'SQLite' ? Object.keys(LISTS) : [])(
    'G2 no query of %s reads a table from end to end',
    async (name) => {
      const db = await open()
      await addListedRows(db, COPIES)
      for (const scope of ['all', ['north'], ['north', 'south']] as const) {
        for (const [page, search] of [
          [0, ''],
          [Math.floor(COPIES / ROWS), ''],
          [0, name === 'users' ? 'editor' : 'row'],
        ] as const) {
          const asked = { page, rows: ROWS, search }
          const plans = await plansOf(db, async (watched) => LISTS[name]?.(watched, scope, asked))
          expect(plans.length).toBeGreaterThan(2)
          expect(plans.filter((step) => new RegExp(`^SCAN (${TABLES})$`).test(step))).toEqual([])
        }
      }
    },
  )

  test.each(Object.keys(LISTS))(
    'every row of %s is on one of its pages, in order',
    async (name) => {
      const db = await open()
      await addListedRows(db, COPIES)
      const list = LISTS[name]
      const idsOn = async (page: number, rows: number) => {
        const answer = await list?.(db, 'all', { page, rows, search: '' })
        const found = Object.values<unknown>(answer ?? {}).find(Array.isArray) as { id: string }[]
        return found.map(({ id }) => id)
      }
      const all = await idsOn(0, 500)
      const pages: string[] = []
      for (let page = 0; page * ROWS < all.length + ROWS; page += 1)
        pages.push(...(await idsOn(page, ROWS)))
      expect(pages).toEqual(all)
    },
  )
})
