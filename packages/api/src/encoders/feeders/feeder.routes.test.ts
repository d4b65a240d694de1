import { contributionAction } from '@trunkline/contract/contributions/contribution.calls'
import type { FeederInput, FeederOutput } from '@trunkline/contract/encoders/encoder-config.schema'
import { addEncoder, controlEncoder, findEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { readFeederStatus, saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { z } from 'zod'
import { databaseContent } from '../../testing/database-content.ts'
import { PLANTED_SECRETS } from '../../testing/inject.ts'
import type { PersonName } from '../../testing/people.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../../testing/test-site.ts'

let site: TestSite
let encoderId: string
beforeEach(async () => {
  site = await openTestSite()
  encoderId = (await addTestEncoder(site, 0)).id
})
afterEach(async () => site[Symbol.asyncDispose]())

interface Change {
  name?: string
  serverId?: string
  input?: Partial<z.input<typeof FeederInput>>
  output?: Partial<z.input<typeof FeederOutput>>
}

function feeder(port: number, { input, output, ...more }: Change = {}) {
  return {
    serverId: site.acantsId,
    input: { title: 'to Gateway', addr: `127.0.0.1:${port}`, port, ...input },
    output: [{ addr: '192.0.2.10:6000', port: 6000, ...output }],
    ...more,
  }
}

async function save(who: PersonName, feederPost: ReturnType<typeof feeder>, id = encoderId) {
  return site.call(who, saveFeeder, { params: { product: 'acan' }, body: { _id: id, feederPost } })
}

async function act(who: PersonName, name: string, actionType: 'start' | 'stop' | 'tail') {
  return site.call(who, contributionAction, {
    body: { id: encoderId, type: 10, actionType, feederName: name },
  })
}

test('FEED-04 a feeder is added, with ports out of its addresses and its key kept', async () => {
  const { status, answer } = await save('northManager', {
    ...feeder(5000, { output: { passphrase: PLANTED_SECRETS[1], pbkeylen: 256 } }),
  })
  expect(status).toBe(200)
  expect(answer.feeder).toMatchObject({
    serverId: site.acantsId,
    input: { addr: '127.0.0.1:5000', port: 5000, max_bw: 625_000 },
    output: [
      { addr: '192.0.2.10:6000', port: 6000, latency: 3000, passphrase: '', passphraseSet: true },
    ],
  })
  expect(answer.encoder.config?.feeder).toEqual([answer.feeder])
  const [applied] = site.encoderHost
    .paramsOf('applyProgram')
    .filter(({ programId }) => programId === `feeder-${answer.feeder.name}`)
  expect(applied?.spec).toMatchObject({
    kind: 'sender',
    local: { ip: '127.0.0.1', port: 5000 },
    outer: { mode: 'call', host: '192.0.2.10', key: { passphrase: PLANTED_SECRETS[1], bits: 256 } },
  })
})

test('SRV-08 a feeder calls any port, and reads at one of 1024 or more', async () => {
  const called = await save(
    'admin',
    feeder(5000, { output: { addr: '192.0.2.10:443', port: 443 } }),
  )
  expect([called.status, called.answer.feeder.output[0]?.port]).toEqual([200, 443])
  const read = await save('admin', feeder(443))
  expect([read.status, read.failure.field]).toEqual([400, 'feederPost.input.addr'])
})

test('FEED-26, decisions 17: an edit keeps the name and the key; encryption off clears the key', async () => {
  const { name } = (
    await save('admin', feeder(5000, { output: { passphrase: PLANTED_SECRETS[1] } }))
  ).answer.feeder
  const edited = await save('admin', feeder(5000, { name, output: { latency: 500 } }))
  expect(edited.answer.feeder).toMatchObject({
    name,
    output: [{ latency: 500, passphraseSet: true }],
  })
  expect(edited.answer.encoder.config?.feeder).toHaveLength(1)
  const cleared = await save('admin', feeder(5000, { name, output: { passphraseSet: false } }))
  expect(cleared.answer.feeder.output[0]?.passphraseSet).toBe(false)
})

test('Q92 other feeders in the body are ignored', async () => {
  const first = (await save('admin', feeder(5000))).answer
  const config = { ...first.encoder.config, feeder: [] }
  await site.call('admin', saveFeeder, {
    params: { product: 'acan' },
    body: { _id: encoderId, config: config as never, feederPost: feeder(5002) },
  })
  const { data } = (await site.call('admin', findEncoder, { params: { id: encoderId } })).answer
  expect(data.config?.feeder.map(({ input }) => input.port)).toEqual([5000, 5002])
})

test('FEED-14 a port that another feeder of the encoder has is refused with its number', async () => {
  await save('admin', feeder(5004))
  const { name } = (await save('admin', feeder(5006))).answer.feeder
  const before = await databaseContent(site.ctx)
  for (const draft of [feeder(5004), feeder(5004, { name })]) {
    const { status, failure } = await save('admin', draft)
    expect(status).toBe(409)
    expect(failure.error).toBe('Input port 5004 is already taken')
  }
  expect(await databaseContent(site.ctx)).toEqual(before)
})

test('rule 9: a port that something else on the host has is refused, naming it', async () => {
  const other = await addTestEncoder(site, 1)
  await save('admin', feeder(5010), other.id)
  const { status, failure } = await save('northManager', feeder(5010))
  expect(status).toBe(409)
  expect(failure.error).toContain("a feeder of encoder 'Camera 1'")
})

test('FEED-15 without a configuration there is no feeder', async () => {
  const { answer } = await site.call('admin', addEncoder, {
    body: { title: 'Bare', ip: '127.0.0.1', port: site.encoderHost.port, groupId: site.north },
  })
  const { status, failure } = await save('admin', feeder(5000), answer.id)
  expect(status).toBe(400)
  expect(failure.error).toBe('Please save the encoder config before adding a Feeder')
})

test.each([
  ['an address without port', { input: { addr: '127.0.0.1' } }, 'feederPost.input.addr'],
  ['a port out of range', { output: { addr: '192.0.2.10:99999' } }, 'feederPost.output.0.addr'],
  ['an address that is none', { input: { addr: '999.0.0.1:5000' } }, 'feederPost.input.addr'],
  ['a group that is none', { input: { multicast: '10.0.0.1' } }, 'feederPost.input.multicast'],
  ['a short key', { output: { passphrase: 'short' } }, 'feederPost.output.0.passphrase'],
] as const)('%s is refused, and nothing changes', async (_, change, field) => {
  const before = await databaseContent(site.ctx)
  const { status, failure } = await save('admin', feeder(5000, change))
  expect(status).toBe(400)
  expect(failure.field).toBe(field)
  expect(await databaseContent(site.ctx)).toEqual(before)
})

test('a feeder goes to a server that takes links, and that the person may see', async () => {
  const channel = await save('admin', feeder(5000, { serverId: site.channelServerId }))
  expect(channel.status).toBe(422)
  expect(channel.failure.field).toBe('feederPost.serverId')
  const unknown = await save('admin', feeder(5000, { serverId: 'nowhere' }))
  expect(unknown.status).toBe(404)
})

test('a feeder of another encoder cannot be changed through this one', async () => {
  const other = await addTestEncoder(site, 1)
  const { name } = (await save('admin', feeder(5010), other.id)).answer.feeder
  expect((await save('admin', feeder(5012, { name }))).status).toBe(404)
})

test('Q99 the encoder gets an extra output for a feeder that no output feeds', async () => {
  await save('admin', feeder(5000))
  await save('admin', feeder(5020))
  const legs = site.encoderHost
    .paramsOf('applyProgram')
    .flatMap(({ spec }) => (spec.kind === 'encoder' ? [spec.feederLegs] : []))
  expect(legs.at(-1)).toEqual([{ ip: '127.0.0.1', port: 5020, ttl: 1 }])
})

test('decisions 16: an old version of the encoder is refused', async () => {
  const { answer } = await save('admin', feeder(5000))
  const body = { _id: encoderId, version: answer.data.version - 1, feederPost: feeder(5002) }
  const { status, failure } = await site.call('admin', saveFeeder, {
    params: { product: 'x' },
    body,
  })
  expect(status).toBe(409)
  expect(failure.current).toMatchObject({ version: answer.data.version })
})

test('FEED-05 to FEED-10 a feeder is started, read, tailed and stopped', async () => {
  const { name } = (await save('admin', feeder(5000))).answer.feeder
  const read = async () =>
    (await site.call('admin', readFeederStatus, { params: { encoderId, feederName: name } })).answer
  expect((await read()).results).toBe(`${name} STOPPED`)
  expect((await act('northEditor', name, 'start')).answer).toMatchObject({ status: true })
  expect((await read()).results).toContain('RUNNING')
  site.encoderHost.log = ['SRT target connected']
  expect((await act('northEditor', name, 'tail')).answer.results).toBe('SRT target connected')
  await act('northEditor', name, 'stop')
  expect((await read()).results).toBe(`${name} STOPPED`)
})

test('decisions 11: a feeder whose encoder is stopped says so, and is OK when it runs', async () => {
  const { name } = (await save('admin', feeder(5000))).answer.feeder
  await act('admin', name, 'start')
  const cause = () => site.ctx.board.program(`feeder-${name}`)?.cause
  expect(cause()).toContain('Start the encoder')
  await site.call('admin', controlEncoder, {
    params: { id: encoderId },
    body: { data: { name: 'encoder0', command: 'start' } },
  })
  expect(cause()).toBe('')
})

test('an unknown feeder is a 404, a missing name is named', async () => {
  expect((await act('admin', 'nowhere', 'start')).status).toBe(404)
  const { status, failure } = await site.call('admin', contributionAction, {
    body: { id: encoderId, type: 10, actionType: 'start' },
  })
  expect(status).toBe(400)
  expect(failure.field).toBe('feederName')
})
