import {
  addEncoder,
  controlEncoder,
  enableEncoder,
  findEncoder,
  removeEncoder,
  removeEncoderConfig,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import { saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { describe, expect, test } from 'vitest'
import type { Notice } from '../notices.ts'
import { databaseContent } from '../testing/database-content.ts'
import { palConfig } from '../testing/encoder.fixture.ts'
import { addTestFeeder, testFeeder } from '../testing/feeder.fixture.ts'
import type { PersonName } from '../testing/people.ts'
import { BOTH_DATABASES, openSiteOn } from '../testing/site-on.ts'
import { addTestEncoder, type TestSite } from '../testing/test-site.ts'

async function remove(site: TestSite, id: string, who: PersonName = 'northManager') {
  return site.call(who, removeEncoder, { params: { id } })
}

async function removeConfig(site: TestSite, id: string) {
  return site.call('northManager', removeEncoderConfig, { params: { id } })
}

async function find(site: TestSite, id: string) {
  return (await site.call('admin', findEncoder, { params: { id } })).answer.data
}

async function addRunning(site: TestSite, cardIdx = 0): Promise<string> {
  const { id } = await addTestEncoder(site, cardIdx)
  const body = { data: { name: `encoder${cardIdx}`, command: 'start' as const } }
  await site.call('admin', controlEncoder, { params: { id }, body })
  return id
}

/** The calls about programs that the host gets during this. */
async function callsDuring(site: TestSite, work: () => Promise<unknown>) {
  const before = site.encoderHost.calls.length
  await work()
  return site.encoderHost.calls.slice(before).map(({ call, params }) => [call, params])
}

async function auditOf(site: TestSite, call: string, result = 'done') {
  const lines = await site.ctx.db.selectFrom('audit').selectAll().where('call', '=', call).execute()
  return lines.filter((line) => line.result === result)
}

function hear(site: TestSite): Notice[] {
  const heard: Notice[] = []
  site.ctx.notices.listen((notice) => heard.push(notice))
  return heard
}

describe.each(BOTH_DATABASES)('removing an encoder on %s', (kind) => {
  test('Q69 its programs are ended on the host, then the record is deleted completely', async () => {
    const site = await openSiteOn(kind)
    const id = await addRunning(site)
    const other = await addTestEncoder(site, 1)
    const heard = hear(site)
    const programId = `encoder-${id}`
    const calls = await callsDuring(site, async () => {
      const { status, answer } = await remove(site, id)
      expect([status, answer]).toEqual([200, { status: true, id }])
    })
    expect(calls).toEqual([['removeProgram', { programId }]])
    expect([...site.encoderHost.programs.keys()]).toEqual([`encoder-${other.id}`])
    expect(site.ctx.board.program(programId)).toBeNull()
    expect(heard).toEqual([{ kind: 'encoder', id, change: 'removed', groupIds: [site.north] }])
    const content = await databaseContent(site.ctx)
    const { encoders, encoder_users, port_claims, left_hosts } = content
    expect([encoders?.length, encoder_users?.length, left_hosts]).toEqual([1, 1, []])
    expect(port_claims?.join()).not.toContain(id)
    expect((await remove(site, id)).status).toBe(404)
  })

  test('ENC-17 an encoder with feeders stays, keeps running, and says what to remove first', async () => {
    const site = await openSiteOn(kind)
    const id = await addRunning(site)
    await addTestFeeder(site, id, 5000)
    const before = await databaseContent(site.ctx)
    const calls = await callsDuring(site, async () => {
      const { status, failure } = await remove(site, id)
      expect([status, failure.error]).toEqual([409, 'Please remove first feeder.'])
    })
    expect(calls).toEqual([])
    expect(await databaseContent(site.ctx)).toEqual(before)
  })

  test('of two operators who remove it at once one succeeds, the other gets not found', async () => {
    const site = await openSiteOn(kind)
    const id = await addRunning(site)
    const answers = await Promise.all([remove(site, id), remove(site, id, 'admin')])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
    expect(await auditOf(site, 'encoders.remove')).toHaveLength(1)
  })

  test('of a removal and a feeder added at once exactly one wins', async () => {
    const site = await openSiteOn(kind)
    // It keeps the key of the host, whoever wins.
    await addTestEncoder(site, 0)
    for (let round = 1; round <= 6; round++) {
      const id = await addRunning(site, round)
      const feederPost = testFeeder(site, 5100 + round)
      const add = async () =>
        site.call('admin', saveFeeder, {
          params: { product: 'acan' },
          body: { _id: id, feederPost },
        })
      const works = [async () => remove(site, id), add] as const
      const [removed, added] = await Promise.all(works.map(async (work) => work()))
      const left = await site.ctx.db
        .selectFrom('encoders')
        .select('id')
        .where('id', '=', id)
        .execute()
      const feeders = await site.ctx.db
        .selectFrom('feeders')
        .select('id')
        .where('encoder_id', '=', id)
        .execute()
      const outcome = [removed?.status, added?.status, left.length, feeders.length]
      expect([
        [200, 404, 0, 0],
        [409, 200, 1, 1],
      ]).toContainEqual(outcome)
      await site.ctx.programs.refresh({ by: 'encoder', id })
      const program = site.encoderHost.programs.get(`encoder-${id}`)
      expect(program?.state).toBe(left.length === 1 ? 'running' : undefined)
    }
  })

  test('a removal and a save at once leave nothing behind', async () => {
    const site = await openSiteOn(kind)
    const id = await addRunning(site)
    const [removed, saved] = await Promise.all([
      remove(site, id),
      site.call('admin', updateEncoder, {
        body: { _id: id, config: palConfig(3, 'udp://127.0.0.1:5300?ttl=1') },
      }),
    ])
    expect(removed.status).toBe(200)
    expect([200, 404]).toContain(saved.status)
    const { encoders, port_claims } = await databaseContent(site.ctx)
    expect([encoders, port_claims]).toEqual([[], []])
    expect(site.encoderHost.programs.size).toBe(0)
  })
})

describe.each(BOTH_DATABASES)('deleting a configuration on %s', (kind) => {
  test('Q67 its programs are ended, the configuration is deleted, and the card is free', async () => {
    const site = await openSiteOn(kind)
    const id = await addRunning(site)
    const before = await find(site, id)
    const heard = hear(site)
    const calls = await callsDuring(site, async () => {
      const { answer } = await removeConfig(site, id)
      expect(answer.data).toEqual({ ...before, config: null, version: before.version + 1 })
    })
    expect(calls).toEqual([['removeProgram', { programId: `encoder-${id}` }]])
    expect(heard).toEqual([{ kind: 'encoder', id, change: 'changed', groupIds: [site.north] }])
    const { answer } = await site.call('admin', addEncoder, {
      body: {
        title: 'Second',
        ip: '127.0.0.1',
        port: site.encoderHost.port,
        groupId: site.north,
      },
    })
    const taken = await site.call('admin', updateEncoder, {
      body: { _id: answer.id, config: palConfig(0) },
    })
    expect(taken.status).toBe(200)
    const again = await site.call('admin', updateEncoder, {
      body: { _id: id, config: palConfig(2) },
    })
    expect(again.status).toBe(200)
    expect(site.encoderHost.programs.get(`encoder-${id}`)?.state).toBe('stopped')
  })

  test('Q67 with feeders it stays, and says what to remove first', async () => {
    const site = await openSiteOn(kind)
    const id = await addRunning(site)
    await addTestFeeder(site, id, 5000)
    const before = await databaseContent(site.ctx)
    const calls = await callsDuring(site, async () => {
      const { status, failure } = await removeConfig(site, id)
      expect(status).toBe(409)
      expect(failure.error).toContain('Remove its feeders first')
    })
    expect(calls).toEqual([])
    expect(await databaseContent(site.ctx)).toEqual(before)
  })

  test('of a deletion and a feeder added at once exactly one wins', async () => {
    const site = await openSiteOn(kind)
    for (let round = 0; round < 6; round++) {
      const { id } = await addTestEncoder(site, round)
      const [cleared, added] = await Promise.all([
        removeConfig(site, id),
        site.call('admin', saveFeeder, {
          params: { product: 'acan' },
          body: { _id: id, feederPost: testFeeder(site, 5100 + round) },
        }),
      ])
      expect([cleared.status, added.status].filter((status) => status === 200)).toHaveLength(1)
      const { config } = await find(site, id)
      expect(config?.feeder.length ?? null).toBe(cleared.status === 200 ? null : 1)
    }
  })

  test('a configuration saved while the host is asked is not deleted unseen', async () => {
    const site = await openSiteOn(kind)
    const id = await addRunning(site)
    site.encoderHost.silentOn.add('removeProgram')
    const clearing = removeConfig(site, id)
    await site.encoderHost.asked('removeProgram')
    const { promise: stored, resolve } = Promise.withResolvers<void>()
    site.ctx.notices.listen((notice) => {
      if (notice.kind === 'encoder' && notice.id === id) resolve()
    })
    const saving = site.call('admin', updateEncoder, {
      body: { _id: id, config: palConfig(4) },
    })
    // Told of when it is stored; its answer waits for the host, as the deletion does.
    await stored
    site.encoderHost.silentOn.clear()
    site.encoderHost.cut()
    const [saved, cleared] = await Promise.all([saving, clearing])
    expect([saved.status, cleared.status]).toEqual([200, 409])
    expect(cleared.failure.current).toMatchObject({ config: { name: 'encoder4' } })
    expect(cleared.failure.changed).toContain('config.card-idx')
    expect((await find(site, id)).config?.name).toBe('encoder4')
    expect(site.encoderHost.programs.get(`encoder-${id}`)?.state).toBe('running')
  })
})

test('a host that cannot end the program keeps the encoder, and its message is shown', async () => {
  const site = await openSiteOn('SQLite')
  const id = await addRunning(site)
  site.encoderHost.refusals.set('removeProgram', 'supervisord does not answer.')
  const before = await databaseContent(site.ctx)
  for (const answer of [await remove(site, id), await removeConfig(site, id)]) {
    expect(answer.status).toBe(502)
    expect(answer.failure.error).toContain('supervisord does not answer.')
  }
  expect(await databaseContent(site.ctx)).toEqual(before)
  expect(site.encoderHost.programs.get(`encoder-${id}`)?.state).toBe('running')
  const lines = await auditOf(site, 'encoders.remove', 'failed')
  expect(lines.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('supervisord does not answer.'),
  ])
})

test('a removal that cannot be stored restores the program', async () => {
  const site = await openSiteOn('SQLite')
  const id = await addRunning(site)
  const programId = `encoder-${id}`
  const place = { address: { host: '127.0.0.1', port: site.encoderHost.port }, programId }
  const before = site.encoderHost.paramsOf('applyProgram').length
  const removal = site.ctx.programs.withdraw(place, async () => {
    throw new Error('the database is full')
  })
  await expect(removal).rejects.toThrow('the database is full')
  await site.encoderHost.asked('applyProgram', before + 1)
  expect(site.encoderHost.programs.get(programId)?.state).toBe('running')
})

test('an encoder that never ran, is not configured or disabled is removed without a call to the host', async () => {
  const site = await openSiteOn('SQLite')
  const { id } = await addTestEncoder(site, 0)
  await site.call('admin', enableEncoder, { params: { id }, body: { isEnabled: false } })
  const bare = (await addTestEncoder(site, 1)).id
  await removeConfig(site, bare)
  const calls = await callsDuring(site, async () => {
    expect((await remove(site, id)).status).toBe(200)
    expect((await remove(site, bare)).status).toBe(200)
  })
  expect(calls).toEqual([])
})

test('Q67 deleting it twice is done once', async () => {
  const site = await openSiteOn('SQLite')
  const { id, version } = await addTestEncoder(site, 0)
  const statuses = [await removeConfig(site, id), await removeConfig(site, id)]
  expect(statuses.map(({ status }) => status)).toEqual([200, 200])
  expect((await find(site, id)).version).toBe(version + 1)
  expect(await auditOf(site, 'encoders.removeConfig')).toHaveLength(1)
})

test.each([
  ['an unknown id', 'nowhere', 404],
  ['an id of shell characters', '$(reboot)', 404],
  ['an endless id', 'x'.repeat(65), 400],
])('API-27, API-28 %s removes nothing', async (_, id, status) => {
  const site = await openSiteOn('SQLite')
  await addTestEncoder(site, 0)
  const before = await databaseContent(site.ctx)
  expect((await remove(site, id, 'admin')).status).toBe(status)
  expect((await removeConfig(site, id)).status).toBe(status)
  expect(await databaseContent(site.ctx)).toEqual(before)
})
