/** Lists sorted by each of their columns: in that order on every page, and read off an index. */
import { CHANNEL_SORTS } from '@trunkline/contract/channels/channel.calls'
import { DESTINATION_SORTS } from '@trunkline/contract/contributions/destination.calls'
import { INPUT_SORTS } from '@trunkline/contract/contributions/input.calls'
import { OUTPUT_SORTS } from '@trunkline/contract/contributions/output.calls'
import { ENCODER_SORTS } from '@trunkline/contract/encoders/encoder.calls'
import { USER_SORTS } from '@trunkline/contract/users/user.calls'
import { expect, test } from 'vitest'
import * as channelStore from '../channels/channel.store.ts'
import type { EncoderScope } from '../encoders/encoder-scope.ts'
import * as encoderStore from '../encoders/encoder.store.ts'
import * as destinationStore from '../links/destinations/destination.store.ts'
import * as inputStore from '../links/inputs/input.store.ts'
import * as outputStore from '../links/outputs/output.store.ts'
import { describeOnBothDatabases } from '../testing/databases.ts'
import { addListedRows } from '../testing/listed-rows.ts'
import * as userStore from '../users/user.store.ts'
import type { Db } from './open.ts'
import { plansOf } from './query-plans.fixture.ts'

const COPIES = 12
const ROWS = 5

interface Asked {
  page: number
  rows: number
  isDescending: boolean
}
type Case = [
  name: string,
  list: (db: Db, scope: 'all' | readonly string[], asked: Asked) => Promise<string[]>,
]

function sortOf<C extends string>(column: C, { isDescending }: Asked): C | `-${C}` {
  return isDescending ? `-${column}` : column
}

function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id)
}

const CASES: readonly Case[] = [
  ...ENCODER_SORTS.map((by): Case => [
    `encoders by ${by}`,
    async (db, scope, asked) => {
      const seen: EncoderScope = scope === 'all' ? { by: 'all' } : { by: 'groups', groupIds: scope }
      const filter = { ...asked, scope: seen, groupId: '', search: '', ids: null }
      return idsOf((await encoderStore.list(db, { ...filter, sort: sortOf(by, asked) })).encoders)
    },
  ]),
  ...INPUT_SORTS.map((by): Case => [
    `inputs by ${by}`,
    async (db, scope, asked) => {
      const filter = { ...asked, scope, serverId: '', groupId: '', port: null, search: '' }
      return idsOf((await inputStore.list(db, { ...filter, sort: sortOf(by, asked) })).inputs)
    },
  ]),
  ...OUTPUT_SORTS.map((by): Case => [
    `outputs by ${by}`,
    async (db, scope, asked) => {
      const filter = { ...asked, scope, inputId: '', destinationId: '', linkableTo: '', search: '' }
      return idsOf((await outputStore.list(db, { ...filter, sort: sortOf(by, asked) })).outputs)
    },
  ]),
  ...CHANNEL_SORTS.map((by): Case => [
    `channels by ${by}`,
    async (db, scope, asked) => {
      const filter = { ...asked, scope, serverId: '', groupId: '', ids: null, search: '' }
      const sort = sortOf(by, asked)
      // The site's channels belong to no group.
      return idsOf((await channelStore.list(db, { ...filter, scope: 'all', sort })).channels)
    },
  ]),
  ...DESTINATION_SORTS.map((by): Case => [
    `destinations by ${by}`,
    async (db, scope, asked) => {
      const sort = sortOf(by, asked)
      const filter = { ...asked, scope, search: '', id: '', sort }
      return idsOf((await destinationStore.list(db, filter)).destinations)
    },
  ]),
  ...USER_SORTS.map((by): Case => [
    `users by ${by}`,
    async (db, _, asked) => {
      const filter = { ...asked, scope: { by: 'all' }, groupId: '', role: '', search: '' } as const
      return idsOf((await userStore.list(db, { ...filter, sort: sortOf(by, asked) })).users)
    },
  ]),
]
const TABLES = 'encoders|inputs|outputs|channels|destinations|users'

describeOnBothDatabases('sorted lists', (open, _openNew, kind) => {
  test.each(CASES)(
    '%s: pages join to the whole, and descending is the reverse',
    async (_, list) => {
      const db = await open()
      await addListedRows(db, COPIES)
      const all = await list(db, 'all', { page: 0, rows: 0, isDescending: false })
      expect(all.length).toBeGreaterThan(COPIES)
      expect(await list(db, 'all', { page: 0, rows: 0, isDescending: true })).toEqual(
        all.toReversed(),
      )
      for (const isDescending of [false, true]) {
        const pages: string[] = []
        for (let page = 0; page * ROWS < all.length; page += 1)
          pages.push(...(await list(db, 'all', { page, rows: ROWS, isDescending })))
        expect(pages).toEqual(isDescending ? all.toReversed() : all)
      }
    },
  )

  // PostgreSQL reads a table of few rows as fast without any index: page-order.test.ts has its plans.
  test.each(kind === 'SQLite' ? CASES : [])('G2 %s is read off an index', async (_, list) => {
    const db = await open()
    await addListedRows(db, COPIES)
    for (const scope of ['all', ['north'], ['north', 'south']] as const) {
      for (const isDescending of [false, true]) {
        const asked = { page: 1, rows: ROWS, isDescending }
        const plans = await plansOf(db, async (watched) => list(watched, scope, asked))
        expect(plans.filter((step) => new RegExp(`^SCAN (${TABLES})$`).test(step))).toEqual([])
      }
    }
  })
})
