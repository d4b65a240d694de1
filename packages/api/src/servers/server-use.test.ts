/** Q117: what lives on a server is not pulled out from under anybody. */
import { expect, test } from 'vitest'
import { databaseContent } from '../testing/database-content.ts'
import { addGateway } from '../testing/server.fixture.ts'
import { openTestApp } from '../testing/test-app.ts'
import { deleteServer, PLACE, saveServer } from './server.fixture.ts'

test.each(['input', 'feeder', 'channel'] as const)(
  'Q117 a server with a %s is neither removed nor changed in type',
  async (use) => {
    await using test = await openTestApp()
    const serverType = use === 'channel' ? 'channel' : 'acants'
    const id = await addGateway(test, { serverType })
    await PLACE[use](test, id, test.north, 'u1')
    const before = await databaseContent(test.ctx)
    const removed = await deleteServer(test, id)
    expect([removed.status, removed.failure.error]).toEqual([
      409,
      `Gateway 2 is still used by 1 ${use}. Delete or move it first.`,
    ])
    const other = serverType === 'channel' ? 'acants' : 'channel'
    const changed = await saveServer(test, id, { serverType: other, title: 'Renamed' })
    expect([changed.status, changed.failure.field, changed.failure.error]).toEqual([
      409,
      'serverType',
      `The server type cannot change: Gateway 2 is still used by 1 ${use}. Delete or move it first.`,
    ])
    expect(await databaseContent(test.ctx)).toEqual(before)
    expect((await saveServer(test, id, { serverType, title: 'Renamed' })).status).toBe(200)
  },
)

test('Q117 everything that is on a server is counted', async () => {
  await using test = await openTestApp()
  const id = await addGateway(test)
  for (const name of ['i1', 'i2']) await PLACE.input(test, id, test.north, name)
  await PLACE.feeder(test, id, test.south, 'f1')
  for (const name of ['c1', 'c2', 'c3']) await PLACE.channel(test, id, test.north, name)
  expect((await deleteServer(test, id)).failure.error).toBe(
    'Gateway 2 is still used by 2 inputs, 1 feeder and 3 channels. Delete or move them first.',
  )
})

test('an unused server may change its type', async () => {
  await using test = await openTestApp()
  const id = await addGateway(test)
  const { answer } = await saveServer(test, id, { serverType: 'channel' })
  expect(answer.data.serverType).toBe('channel')
})

test.each(['input', 'feeder', 'channel'] as const)(
  'T3 a group that has a %s on the server is not removed from it',
  async (use) => {
    await using test = await openTestApp()
    const id = await addGateway(test, { groupIds: [test.north, test.south] })
    await PLACE[use](test, id, test.south, 'u1')
    const before = await databaseContent(test.ctx)
    const { status, failure } = await saveServer(test, id, { groupIds: [test.north] })
    expect([status, failure.field, failure.error]).toEqual([
      409,
      'groupIds',
      `Group South cannot be removed from Gateway 2: it still has 1 ${use} there. Delete or move it first.`,
    ])
    expect(await databaseContent(test.ctx)).toEqual(before)
    const kept = await saveServer(test, id, { groupIds: [test.south] })
    expect(kept.answer.data.groupIds).toEqual([test.south])
  },
)
