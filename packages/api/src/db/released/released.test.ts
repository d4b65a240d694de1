/**
 * Databases of released versions, kept by tools/keep-database.ts: each is brought forward, and every list
 * and every object in it is read, on SQLite and, restored there, on PostgreSQL.
 */
import { join } from 'node:path'
import { listAlarms } from '@trunkline/contract/alarms/alarm.calls'
import { listAudit } from '@trunkline/contract/audit/audit.calls'
import { listChannels } from '@trunkline/contract/channels/channel.calls'
import { listDestinations } from '@trunkline/contract/contributions/destination.calls'
import { listInputs, readInput } from '@trunkline/contract/contributions/input.calls'
import { listOutputs, readOutput } from '@trunkline/contract/contributions/output.calls'
import { findEncoder, listEncoders } from '@trunkline/contract/encoders/encoder.calls'
import { listGroups } from '@trunkline/contract/groups/group.calls'
import { findServer, listServers } from '@trunkline/contract/servers/server.calls'
import { listUsers } from '@trunkline/contract/users/user.calls'
import type { Route } from '@trunkline/contract/route'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { restore } from '../backup/restore.ts'
import { createNewDatabase } from '../../testing/databases.ts'
import { inject, type InjectInput } from '../../testing/inject.ts'
import { keptSchemas, writeKept } from './kept-databases.fixture.ts'
import { signInAs } from '../../testing/people.ts'
import { makeTestContext } from '../../testing/test-context.ts'
import type { Database } from '../schema.ts'
import { targetOf } from '../open.ts'

/** The kept database as a file, and where it is to go. */
async function siteOn(kept: string, kind: 'SQLite' | 'PostgreSQL') {
  const created = kind === 'PostgreSQL' ? await createNewDatabase() : null
  if (created !== null) onTestFinished(async () => created[Symbol.asyncDispose]())
  const site = await makeTestContext({ databaseUrl: created?.url ?? null }, {}, async (config) => {
    const file = join(config.dataDir, 'kept.db')
    writeKept(kept, file)
    const { secretFile } = config
    await restore({
      file,
      to: targetOf(config),
      secretId: '',
      secretFile,
      keepReplacedAs: null,
    })
  })
  onTestFinished(async () => site[Symbol.asyncDispose]())
  const app = await buildApp(site.ctx)
  onTestFinished(async () => app.close())
  const { id } = await site.ctx.db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'superadmin')
    .limit(1)
    .executeTakeFirstOrThrow()
  const token = await signInAs(site.ctx, id)
  const read = async <T extends Route>(call: T, input: InjectInput<T> = {}) => {
    const { status, answer, text } = await inject(app, call, token, input)
    expect(status, `${call.name}: ${text.slice(0, 300)}`).toBe(200)
    return answer
  }
  const count = async (table: keyof Database) => {
    const { rows } = await site.ctx.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .executeTakeFirstOrThrow()
    return Number(rows)
  }
  return { read, count }
}

test('a database of some released version is kept', () => {
  expect(keptSchemas().length).toBeGreaterThan(0)
})

const CASES = keptSchemas().flatMap((kept) =>
  (['SQLite', 'PostgreSQL'] as const).map((kind) => [kept, kind] as const),
)

test.each(CASES)('%s is brought forward and read whole, on %s', async (kept, kind) => {
  const { read, count } = await siteOn(kept, kind)
  const all = { page: 0, rowsPerPage: 0 }
  const encoders = await read(listEncoders, { query: all })
  expect(encoders.total).toBe(await count('encoders'))
  for (const { _id: id } of encoders.encoders) await read(findEncoder, { params: { id } })
  const inputs = await read(listInputs, { query: all })
  expect(inputs.total).toBe(await count('inputs'))
  for (const { id } of inputs.contributions) await read(readInput, { params: { id } })
  const outputs = await read(listOutputs, { query: all })
  expect(outputs.total).toBe(await count('outputs'))
  for (const { id } of outputs.outputs) await read(readOutput, { params: { id } })
  const servers = await read(listServers, { query: all })
  expect(servers.total).toBe(await count('servers'))
  for (const { id } of servers.data) await read(findServer, { params: { id } })
  expect((await read(listChannels, { body: { rowsPerPage: 0 } })).total).toBe(
    await count('channels'),
  )
  expect((await read(listUsers, { query: all })).total).toBe(await count('users'))
  expect((await read(listGroups, { query: all })).total).toBe(await count('groups'))
  expect((await read(listDestinations, { query: all })).total).toBe(await count('destinations'))
  expect((await read(listAudit, { query: { page: 0, rowsPerPage: 24 } })).total).toBe(
    await count('audit'),
  )
  await read(listAlarms, { query: {} })
  expect(encoders.total).toBeGreaterThan(0)
})
