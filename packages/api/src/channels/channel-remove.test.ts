/** Removing a channel from the list, alone and while others work on it. */
import {
  listChannels,
  readPlayback,
  readStreams,
  removeChannel,
  renameChannel,
  saveChannels,
} from '@trunkline/contract/channels/channel.calls'
import { expect, test } from 'vitest'
import type { Notice } from '../notices.ts'
import { databaseContent } from '../testing/database-content.ts'
import { describeOnBothDatabases } from '../testing/databases.ts'
import { inject } from '../testing/inject.ts'
import { expected, NOT_EDITORS, statusByPerson } from '../testing/role-walk/roles-table.ts'
import { openChannelSite, type ChannelSite } from './channel.fixture.ts'

const MANAGERS = { ...NOT_EDITORS, southManager: 404, loneManager: 404 }

async function names(site: ChannelSite, token: string): Promise<string> {
  const { answer } = await inject(site.app, listChannels, token, { body: {} })
  return answer.data.map((item) => item.name).join(' ')
}

const at = (channelId: string) => ({ params: { channelId } })

async function linesOf(site: ChannelSite, call: string) {
  return site.ctx.db.selectFrom('audit').selectAll().where('call', '=', call).execute()
}

test('Q126 which roles remove a channel of North from the list; it is gone after the first', async () => {
  await using site = await openChannelSite()
  const stays = await statusByPerson(site.app, site.people, removeChannel, (person) => {
    const mayRemove = ['superadmin', 'admin', 'northManager'].includes(person)
    return at(mayRemove ? 'nowhere' : site.north1.id)
  })
  expect(stays).toEqual(expected(404, MANAGERS))
  const { token } = site.people.northManager
  expect((await inject(site.app, removeChannel, token, at(site.north1.id))).status).toBe(200)
  const again = await inject(site.app, removeChannel, token, at(site.north1.id))
  expect([again.status, again.failure.error]).toEqual([
    404,
    'There is no such channel. It may have been removed: refresh the list.',
  ])
})

test('Q126 its stream keeps running, viewers are notified, it is audited, and a Sync adds it again', async () => {
  await using site = await openChannelSite()
  const notices: Notice[] = []
  site.ctx.notices.listen((notice) => notices.push(notice))
  const { northManager, northMonitor } = site.people
  const { id } = site.north1
  const asked = site.media.requests.length
  const { answer } = await inject(site.app, removeChannel, northManager.token, at(id))
  expect(answer).toEqual({ status: true })
  expect(notices).toEqual([{ kind: 'channel', id, change: 'removed', groupIds: [site.north] }])
  expect(await names(site, northMonitor.token)).toBe('shared')
  expect((await inject(site.app, readPlayback, northMonitor.token, at(id))).status).toBe(404)
  const query = { serverId: site.serverId, streamName: 'live/north' }
  expect((await inject(site.app, readStreams, northMonitor.token, { query })).status).toBe(404)
  expect(site.media.requests).toHaveLength(asked)
  const [line] = await linesOf(site, 'channels.remove')
  expect(line).toMatchObject({
    result: 'done',
    object_kind: 'channel',
    object_id: id,
    object_title: 'Title live/north',
    after: null,
  })
  const saved = await inject(site.app, saveChannels, northManager.token, {
    body: [{ name: 'live/north', title: 'Back', serverId: site.serverId, groupIds: [site.north] }],
  })
  expect(saved.answer.data).toMatchObject([{ name: 'live/north', title: 'Back', version: 1 }])
  expect(await names(site, northMonitor.token)).toBe('shared live/north')
})

test('T3 a manager removes a shared channel from their own groups, an admin from all', async () => {
  await using site = await openChannelSite()
  const { northManager, southManager, admin } = site.people
  const { id } = site.shared
  expect((await inject(site.app, removeChannel, northManager.token, at(id))).status).toBe(200)
  expect(await names(site, northManager.token)).toBe('live/north')
  expect(await names(site, southManager.token)).toBe('south shared')
  expect((await inject(site.app, removeChannel, northManager.token, at(id))).status).toBe(404)
  const [line] = await linesOf(site, 'channels.remove')
  expect([line?.before, line?.after].map((text) => JSON.parse(text ?? '{}') as object)).toEqual([
    {
      name: 'shared',
      title: 'Title shared',
      serverId: site.serverId,
      groupIds: [site.north, site.south],
    },
    { groupIds: [site.south] },
  ])
  expect((await inject(site.app, removeChannel, admin.token, at(id))).status).toBe(200)
  expect(await names(site, southManager.token)).toBe('south')
})

test('T2 a foreign channel stays, and is answered as not found', async () => {
  await using site = await openChannelSite()
  const before = await databaseContent(site.ctx)
  const { token } = site.people.northManager
  const foreign = await inject(site.app, removeChannel, token, at(site.south1.id))
  const unknown = await inject(site.app, removeChannel, token, at('nowhere'))
  expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
  expect(await databaseContent(site.ctx)).toEqual(before)
})

const ROUNDS = 5

describeOnBothDatabases('At the same moment', (open) => {
  test('two operators remove the same channel: one succeeds, the other gets not found', async () => {
    await using site = await openChannelSite({ db: await open() })
    const { northManager, admin } = site.people
    const answers = await Promise.all(
      [northManager, admin].map(async ({ token }) =>
        inject(site.app, removeChannel, token, at(site.north1.id)),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
    const done = (await linesOf(site, 'channels.remove')).filter((item) => item.result === 'done')
    expect(done).toHaveLength(1)
  })

  test('managers of both groups remove a shared channel: it is deleted', async () => {
    await using site = await openChannelSite({ db: await open() })
    const { northManager, southManager, admin } = site.people
    const answers = await Promise.all(
      [northManager, southManager].map(async ({ token }) =>
        inject(site.app, removeChannel, token, at(site.shared.id)),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await names(site, admin.token)).toBe('live/north south')
  })

  test('one renames a channel that another removes: the title is saved, or the channel is gone', async () => {
    await using site = await openChannelSite({ db: await open() })
    const { northManager, admin } = site.people
    const save = { name: 'free', title: 'F', serverId: site.serverId, groupIds: [site.north] }
    for (let round = 0; round < ROUNDS; round++) {
      const { answer } = await inject(site.app, saveChannels, admin.token, { body: [save] })
      const asked = at(answer.data[0]?.id ?? '')
      const [renamed, removed] = await Promise.all([
        inject(site.app, renameChannel, admin.token, { ...asked, body: { title: 'New' } }),
        inject(site.app, removeChannel, northManager.token, asked),
      ])
      expect(removed.status).toBe(200)
      expect([200, 404]).toContain(renamed.status)
      const lines = (await linesOf(site, 'channels.rename')).filter(
        (item) => item.object_id === asked.params.channelId && item.result === 'done',
      )
      expect(lines).toHaveLength(renamed.status === 200 ? 1 : 0)
    }
    expect(await names(site, admin.token)).toBe('live/north south shared')
  })

  test('one syncs a channel that another removes: it is complete, or gone', async () => {
    await using site = await openChannelSite({ db: await open() })
    const { northManager, admin } = site.people
    const groupIds = [site.north, site.south]
    const body = [{ name: 'free', title: 'Free', serverId: site.serverId, groupIds }]
    for (let round = 0; round < ROUNDS; round++) {
      const { answer } = await inject(site.app, saveChannels, admin.token, {
        body: [
          {
            ...body[0],
            name: 'free',
            title: 'Free',
            serverId: site.serverId,
            groupIds: [site.north],
          },
        ],
      })
      const [saved, removed] = await Promise.all([
        inject(site.app, saveChannels, admin.token, { body }),
        inject(site.app, removeChannel, northManager.token, at(answer.data[0]?.id ?? '')),
      ])
      expect([saved.status, removed.status]).toEqual([200, 200])
      const { answer: left } = await inject(site.app, listChannels, admin.token, {
        body: { searchValue: 'free' },
      })
      const groups = left.data.map((item) => item.groupIds)
      expect([[], [groupIds], [[site.south]]]).toContainEqual(groups)
      for (const { id } of left.data) await inject(site.app, removeChannel, admin.token, at(id))
    }
  })

  test('several new titles at once: each is audited with the previous title, the last one stays', async () => {
    await using site = await openChannelSite({ db: await open() })
    const titles = ['A', 'B', 'C', 'D']
    const answers = await Promise.all(
      titles.map(async (title) =>
        inject(site.app, renameChannel, site.people.admin.token, {
          ...at(site.north1.id),
          body: { title },
        }),
      ),
    )
    expect(answers.map(({ answer }) => answer.data.version).toSorted((a, b) => a - b)).toEqual([
      2, 3, 4, 5,
    ])
    const chain = new Map(
      (await linesOf(site, 'channels.rename')).map((line) => [
        (JSON.parse(line.before ?? '{}') as { title: string }).title,
        (JSON.parse(line.after ?? '{}') as { title: string }).title,
      ]),
    )
    let title = 'Title live/north'
    for (const _each of titles) title = chain.get(title) ?? 'the chain is broken'
    expect(answers.find(({ answer }) => answer.data.version === 5)?.answer.data.title).toBe(title)
  })
})
