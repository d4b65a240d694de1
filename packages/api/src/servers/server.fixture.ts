/** Changes to servers through the API, and what lives on them straight in the database, for tests. */
import { removeServer, updateServer } from '@trunkline/contract/servers/server.calls'
import type { TestApp } from '../testing/test-app.ts'
import { encoderRow } from '../testing/stored-site.ts'

export async function saveServer(test: TestApp, id: string, body: object) {
  return test.call('admin', updateServer, { params: { id }, body })
}

export async function deleteServer(test: TestApp, id: string) {
  return test.call('admin', removeServer, { params: { id } })
}

const AT = '2026-11-20T10:00:00.000Z'

/** What may live on a server, put straight into the database. */
export const PLACE = {
  async input(test: TestApp, serverId: string, groupId: string, id: string): Promise<void> {
    await test.ctx.db
      .insertInto('inputs')
      .values({
        ...named(id),
        input_type: 'SRT',
        port: 6000,
        server_id: serverId,
        group_id: groupId,
      })
      .execute()
  },
  async feeder(test: TestApp, serverId: string, groupId: string, id: string): Promise<void> {
    const row = encoderRow(`encoder of ${id}`, groupId)
    await test.ctx.db.insertInto('encoders').values(row).execute()
    await test.ctx.db
      .insertInto('feeders')
      .values({
        id,
        encoder_id: `encoder of ${id}`,
        server_id: serverId,
        position: 0,
        spec: '{}',
        passphrase_sealed: null,
        wanted_running: 0,
        created_at: AT,
      })
      .execute()
  },
  async channel(test: TestApp, serverId: string, groupId: string, id: string): Promise<void> {
    await test.ctx.db
      .insertInto('channels')
      .values({ ...stamp(id), server_id: serverId, name: id, title: id })
      .execute()
    await test.ctx.db
      .insertInto('channel_groups')
      .values({ channel_id: id, group_id: groupId })
      .execute()
  },
}

function stamp(id: string) {
  return { id, version: 1, created_at: AT, search: id }
}

function named(id: string) {
  return {
    ...stamp(id),
    name: id,
    title: id,
    is_enabled: 1 as const,
    wanted_running: 0 as const,
    config: '{}',
    encryption: '{}',
    passphrase_sealed: null,
    advanced: '[]',
  }
}
