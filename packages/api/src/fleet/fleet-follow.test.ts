/** What is held of the records in memory follows every save, whoever has made it. */
import { updateEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { expect, onTestFinished, test } from 'vitest'
import { addTestEncoder, openTestSite, type TestSite } from '../testing/test-site.ts'

async function open(): Promise<TestSite> {
  const site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  return site
}

test('decisions 7: a new key of one encoder is the key of every encoder of its host', async () => {
  const site = await open()
  const { id } = await addTestEncoder(site, 0)
  const other = await addTestEncoder(site, 1)
  const apiKey = 'another-key-of-the-host'
  const { status } = await site.call('admin', updateEncoder, { body: { _id: id, apiKey } })
  expect(status).toBe(200)
  expect(site.ctx.hosts.record('encoder', other.id)).toMatchObject({ apiKey })
})

test('an encoder that moves is a record of its new host, and of no other', async () => {
  const site = await open()
  const { id } = await addTestEncoder(site, 0)
  const { port } = site.encoderHost
  await site.call('admin', updateEncoder, { body: { _id: id, ip: 'localhost' } })
  const { hosts } = site.ctx
  expect(hosts.recordsAt({ host: 'localhost', port })).toMatchObject([{ id }])
  expect(hosts.recordsAt({ host: '127.0.0.1', port })).toEqual([])
})

test('after missed notices everything is read again', async () => {
  const site = await open()
  const { id } = await addTestEncoder(site, 0)
  const { db, hosts, programs, notices } = site.ctx
  // As another process does it, of whose notice nothing was heard.
  await db.updateTable('encoders').set({ group_id: site.south }).where('id', '=', id).execute()
  const heard = Promise.withResolvers<void>()
  hosts.listen((event) => {
    if (event.type === 'scope' && event.programIds.length > 0) heard.resolve()
  })
  notices.tell({ kind: 'encoder', id: '', change: 'changed', groupIds: [] })
  await heard.promise
  expect(hosts.record('encoder', id)).toMatchObject({ groupIds: [site.south] })
  expect(programs.wanted(`encoder-${id}`)).toMatchObject({ groupId: site.south })
})
