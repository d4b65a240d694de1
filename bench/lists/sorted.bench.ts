/**
 * The first, the middle and the last page of each long list of 10,000 rows in 50 groups, sorted by
 * each column, beside the same page in the list's own order: what the queries take, without HTTP.
 * With `BENCH_DATABASE=postgres` in PostgreSQL.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as channelStore from '@trunkline/api/channels/channel.store'
import { openDatabase, type Db } from '@trunkline/api/db/open'
import * as encoderStore from '@trunkline/api/encoders/encoder.store'
import * as inputStore from '@trunkline/api/links/inputs/input.store'
import * as outputStore from '@trunkline/api/links/outputs/output.store'
import * as userStore from '@trunkline/api/users/user.store'
import { CHANNEL_SORTS } from '@trunkline/contract/channels/channel.calls'
import { INPUT_SORTS } from '@trunkline/contract/contributions/input.calls'
import { OUTPUT_SORTS } from '@trunkline/contract/contributions/output.calls'
import { ENCODER_SORTS } from '@trunkline/contract/encoders/encoder.calls'
import { USER_SORTS } from '@trunkline/contract/users/user.calls'
import { openDatabases } from '../kit/database.ts'
import { atMost, printFigure, round } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'
import { fillLists, GROUP_ID } from './list-site.ts'

const SITE = settingOf('ROWS', 10_000)
const ROUNDS = settingOf('ROUNDS', 41)
const ROWS = 12
/** A page in the list's own order takes 0.3 to 1 ms; what is sorted may take a little longer. */
const MOST_MS = 5

type Groups = 'all' | readonly string[]
type Read = (db: Db, groups: Groups, asked: { page: number; rows: number }) => Promise<unknown>
const ANY = { search: '', groupId: '' }

const LISTS: Readonly<Record<string, Read>> = {
  ...each('encoders', ENCODER_SORTS, async (db, groups, asked, sort) => {
    const scope = groups === 'all' ? { by: groups } : { by: 'groups' as const, groupIds: groups }
    return encoderStore.list(db, { ...asked, ...ANY, scope, ids: null, sort })
  }),
  ...each('inputs', INPUT_SORTS, async (db, scope, asked, sort) =>
    inputStore.list(db, { ...asked, ...ANY, scope, serverId: '', port: null, sort }),
  ),
  ...each('outputs', OUTPUT_SORTS, async (db, scope, asked, sort) => {
    const filter = { inputId: '', destinationId: '', linkableTo: '', search: '' }
    return outputStore.list(db, { ...asked, ...filter, scope, sort })
  }),
  ...each('channels', CHANNEL_SORTS, async (db, scope, asked, sort) =>
    channelStore.list(db, { ...asked, ...ANY, scope, serverId: '', ids: null, sort }),
  ),
  ...each('users', USER_SORTS, async (db, groups, asked, sort) => {
    const scope =
      groups === 'all'
        ? { by: groups }
        : { by: 'groups' as const, groupIds: groups, userId: 'user-1' }
    return userStore.list(db, { ...asked, ...ANY, role: '', scope, sort })
  }),
}

/** The list in its own order, and by each column both ways. */
function each<C extends string>(
  name: string,
  columns: readonly C[],
  read: (
    db: Db,
    groups: Groups,
    asked: { page: number; rows: number },
    sort: '' | C | `-${C}`,
  ) => Promise<unknown>,
): Record<string, Read> {
  const sorts = ['' as const, ...columns.flatMap((column) => [column, `-${column}`] as const)]
  return Object.fromEntries(
    sorts.map((sort): [string, Read] => [
      `${name} ${sort}`.trim(),
      async (db, groups, asked) => read(db, groups, asked, sort),
    ]),
  )
}

const isSqlite = (process.env['BENCH_DATABASE'] ?? 'sqlite') === 'sqlite'
const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-sorted-'))
try {
  await using databases = await openDatabases('BENCH_DATABASE')
  const url = await databases.open('site')
  await fillLists(folder, SITE, url)
  await databases.analyze(url)
  const file = join(folder, 'trunkline.db')
  const db = await openDatabase(url === null ? { kind: 'sqlite', file } : { kind: 'postgres', url })
  const last = Math.ceil(SITE / ROWS) - 1
  const ours: Record<string, number> = {}
  for (const [name, read] of Object.entries(LISTS)) {
    for (const [who, groups] of [
      ['all', 'all'],
      ['3 groups', [GROUP_ID, 'group-8', 'group-9']],
    ] as const) {
      const end = groups === 'all' ? last : Math.ceil((SITE * 3) / 50 / ROWS) - 1
      for (const [place, page] of [
        ['first', 0],
        ['middle', Math.floor(end / 2)],
        ['last', end],
      ] as const) {
        const took = await timed(async () => read(db, groups, { page, rows: ROWS }))
        ours[`${name}, ${who}, ${place}`] = round(took)
      }
    }
  }
  await db.destroy()
  const slowest = Math.max(...Object.values(ours))
  const goals = [atMost('the slowest page', slowest, MOST_MS, 'ms')]
  printFigure({ bench: `sorted ${databases.kind}`, rounds: ROUNDS, ours, limit: {}, goals })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The quickest of all rounds, in milliseconds: what others do on the machine is not in it. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  let least = Infinity
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = now()
    await work()
    least = Math.min(least, now() - before)
  }
  return least
}

/** In milliseconds: the CPU of this process, which has SQLite in it; a clock where PostgreSQL works. */
function now(): number {
  const { user, system } = process.cpuUsage()
  return isSqlite ? (user + system) / 1000 : performance.now()
}
