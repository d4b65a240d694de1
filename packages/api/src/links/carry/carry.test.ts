import { listAudit } from '@trunkline/contract/audit/audit.calls'
import { carryEncoder } from '@trunkline/contract/contributions/carry.calls'
import { removeInput } from '@trunkline/contract/contributions/input.calls'
import { removeOutput } from '@trunkline/contract/contributions/output.calls'
import { addEncoder, findEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseContent } from '../../testing/database-content.ts'
import type { PersonName } from '../../testing/people.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../../testing/test-site.ts'
import {
  type CarryBody,
  carryBody,
  type CarryChange,
  listeningAt,
  NEW_LEG,
} from './carry.fixture.ts'
import { addAwayServer, addFarEnd, addFeed, storedKey } from '../outputs/output.fixture.ts'

let site: TestSite
let encoderId: string
let version: number
beforeEach(async () => {
  site = await openTestSite()
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.linkHost.port })
  const added = await addTestEncoder(site, 0)
  encoderId = added.id
  version = added.version
})
afterEach(async () => site[Symbol.asyncDispose]())

async function send(body: CarryBody, who: PersonName = 'northManager', id = encoderId) {
  return site.call(who, carryEncoder, { params: { id }, body })
}

async function carry(change: CarryChange = {}, who: PersonName = 'northManager') {
  return send(carryBody(site, change), who)
}

interface Outer {
  outer: { key: { passphrase: string; bits: number } | null; port: number }
}

/** The program as the host last got it. */
function specAt(host: TestSite['linkHost'], programId: string): Outer | undefined {
  const applied = host.paramsOf('applyProgram').findLast((each) => each.programId === programId)
  return applied?.spec as Outer | undefined
}

async function feedersNow() {
  const { data } = (await site.call('admin', findEncoder, { params: { id: encoderId } })).answer
  return data.config?.feeder ?? []
}

test('feeder, input and output are made, fit each other, and nothing is started', async () => {
  const { status, answer, text } = await carry()
  expect([status, text]).toEqual([201, expect.not.stringMatching(/[A-Za-z0-9_-]{32}/)])
  const { feeder, input, output } = answer
  expect(feeder).toMatchObject({
    serverId: site.acantsId,
    input: { title: 'Marathon', addr: '127.0.0.1:5000' },
    output: [
      {
        addr: '127.0.0.1:6000',
        latency: 400,
        max_bw: 2_750_000,
        passphraseSet: true,
        pbkeylen: 256,
      },
    ],
  })
  expect(input).toMatchObject({
    title: 'Marathon',
    inputType: 'aCANFeeder',
    serverId: site.acantsId,
    groupId: site.north,
    outputIds: [output.id],
    config: { mode: 'Listen', port: 6000, latency: 400 },
    encryption: { selection: 'yes', type: 256, passphraseSet: true },
  })
  expect(output).toMatchObject({
    title: 'Marathon',
    inputType: 'SRT',
    contributionId: input.id,
    config: { mode: 'Push', host: '192.0.2.10', port: '7000' },
  })
  const sent = specAt(site.encoderHost, `feeder-${feeder.name}`)
  const received = specAt(site.linkHost, `input-${input.id}`)
  expect(sent?.outer.key).toEqual(received?.outer.key)
  expect(sent?.outer.key?.passphrase).toMatch(/^[A-Za-z0-9_-]{32}$/)
  expect(text).not.toContain(sent?.outer.key?.passphrase)
  expect(specAt(site.linkHost, `output-${output.id}`)?.outer.port).toBe(7000)
  const wanted = await Promise.all(
    (['feeders', 'inputs', 'outputs'] as const).map(async (table) =>
      site.ctx.db.selectFrom(table).select('wanted_running').execute(),
    ),
  )
  expect(wanted.flat().map((row) => Boolean(row.wanted_running))).toEqual([false, false, false])
})

test('the three are in the activity, in words, without a key', async () => {
  await carry()
  const { data } = (await site.call('admin', listAudit, { query: { rowsPerPage: 4 } })).answer
  const lines = data.map(({ call, object }) => `${call}: ${object?.kind} ${object?.title}`)
  expect(lines.toSorted()).toEqual([
    'encoders.carry: encoder Camera 0',
    'feeders.save: encoder Camera 0',
    'inputs.add: input Marathon',
    'outputs.add: output Marathon',
  ])
  expect(data.find(({ call }) => call === 'encoders.carry')?.reason).toBe(
    "To Server acants: feeder added, input and output 'Marathon' added",
  )
  expect(JSON.stringify(data)).not.toMatch(/[A-Za-z0-9_-]{32}"/)
})

test('an output goes to a destination, with the key of that', async () => {
  const key = 'a-key-of-the-far-end'
  const destinationId = await addFarEnd(site, {
    ip: '192.0.2.77',
    encryption: { selection: 'yes', passphrase: key, type: 128 },
  })
  const { answer } = await carry({
    output: { destinationId, encryption: { selection: 'yes' } },
    config: { host: '' },
  })
  expect(answer.output).toMatchObject({ destinationId, config: { host: '192.0.2.77' } })
  expect(await storedKey(site, answer.output.id)).toBe(key)
})

const TAKEN_BY_FEED = "Port 6000 of host 127.0.0.1 is taken by input 'Feed 6000'."

test.each<[string, CarryChange, string, RegExp]>([
  [
    'the port where the feeder reads is taken',
    { feeder: { use: 'new', ...NEW_LEG, inputPort: 5004, port: 6004 } },
    'feeder.input.addr',
    /^Feeder: Input port 5004 is already taken$/,
  ],
  [
    'the port of the input is taken',
    {},
    'input.config.port',
    new RegExp(`^Input: ${TAKEN_BY_FEED}`),
  ],
  [
    'the port of the output is taken by another',
    { feeder: { use: 'new', ...NEW_LEG, port: 6004 }, config: listeningAt(6000) },
    'output.config.port',
    new RegExp(`^Output: ${TAKEN_BY_FEED}`),
  ],
  [
    'the port of the output is that of the new input',
    { feeder: { use: 'new', ...NEW_LEG, port: 6004 }, config: listeningAt(6004) },
    'output.config.port',
    /^Output: Port 6004 of host 127.0.0.1 is taken by input 'Marathon'/,
  ],
  [
    'the output has no far end',
    { feeder: { use: 'new', ...NEW_LEG, port: 6004 }, config: { host: '' } },
    'output.config.host',
    /^Output: A link in mode Push needs a host/,
  ],
  [
    'the output encrypts without a key',
    {
      feeder: { use: 'new', ...NEW_LEG, port: 6004 },
      output: { encryption: { selection: 'yes' } },
    },
    'output.encryption.passphrase',
    /^Output: encryption.passphrase must not be empty/,
  ],
])('all or nothing: %s', async (_, change, field, sentence) => {
  await addFeed(site, 6000)
  const taken = { use: 'new', ...NEW_LEG, inputPort: 5004, port: 6020 } as const
  expect((await carry({ feeder: taken, title: 'First' })).status).toBe(201)
  const before = await databaseContent(site.ctx)
  const applyCount = site.linkHost.paramsOf('applyProgram').length
  const { status, failure } = await carry(change)
  expect([400, 409, 422]).toContain(status)
  expect(failure.field).toBe(field)
  expect(failure.error).toMatch(sentence)
  expect(await databaseContent(site.ctx)).toEqual(before)
  expect(site.linkHost.paramsOf('applyProgram')).toHaveLength(applyCount)
})

test('a feeder is used as it is: the input takes its port, latency and key', async () => {
  const first = await carry()
  const { feeder, input, output } = first.answer
  await site.call('admin', removeOutput, { params: { id: output.id } })
  await site.call('admin', removeInput, { params: { id: input.id } })
  const before = await feedersNow()
  const kept = { use: 'keep', name: feeder.name } as const
  const { status, answer } = await carry({ feeder: kept, title: 'Again' })
  expect(status).toBe(201)
  expect(await feedersNow()).toEqual(before)
  expect(answer.input).toMatchObject({ title: 'Again', config: { port: 6000, latency: 400 } })
  expect(specAt(site.linkHost, `input-${answer.input.id}`)?.outer.key).toEqual(
    specAt(site.encoderHost, `feeder-${feeder.name}`)?.outer.key,
  )
})

test('a feeder that is used as it is must go to that server', async () => {
  const { feeder } = (await carry()).answer
  const serverId = await addAwayServer(site)
  const kept = { use: 'keep', name: feeder.name } as const
  const { status, failure } = await carry({ feeder: kept, serverId })
  expect([status, failure.field]).toEqual([422, 'serverId'])
  const unknown = await carry({ feeder: { use: 'keep', name: 'nowhere' } })
  expect(unknown.status).toBe(404)
})

test('a feeder is replaced: it keeps its name and goes to the new place', async () => {
  const { feeder } = (await carry()).answer
  const replaced = { use: 'replace', name: feeder.name, ...NEW_LEG, port: 6004 } as const
  const { answer } = await carry({ feeder: replaced, title: 'Moved' })
  expect(await feedersNow()).toEqual([answer.feeder])
  expect(answer.feeder).toMatchObject({
    name: feeder.name,
    input: { title: 'Moved' },
    output: [{ addr: '127.0.0.1:6004' }],
  })
  const key = specAt(site.encoderHost, `feeder-${feeder.name}`)?.outer.key
  expect(specAt(site.linkHost, `input-${answer.input.id}`)?.outer.key).toEqual(key)
})

test('decisions 16 changes of the encoder by others are not overwritten', async () => {
  const { feeder } = (await carry({ version })).answer
  const before = await databaseContent(site.ctx)
  for (const use of ['keep', 'replace'] as const) {
    const leg = { ...NEW_LEG, port: 6004 }
    const asked = use === 'keep' ? { use, name: feeder.name } : { use, name: feeder.name, ...leg }
    const { status, failure } = await carry({ feeder: asked, version })
    expect([status, failure.error]).toEqual([
      409,
      expect.stringMatching(/^Feeder: Test northManager has saved this encoder/),
    ])
  }
  expect(await databaseContent(site.ctx)).toEqual(before)
})

test('an encoder without a configuration has nothing to carry', async () => {
  const { answer } = await site.call('admin', addEncoder, {
    body: { title: 'Bare', ip: '127.0.0.1', port: site.encoderHost.port, groupId: site.north },
  })
  const { status, failure } = await send(carryBody(site), 'admin', answer.id)
  expect([status, failure.error]).toEqual([
    400,
    'Feeder: Please save the encoder config before adding a Feeder',
  ])
})

test('a manager cannot carry to a server or a destination of another group', async () => {
  const serverId = await addAwayServer(site, [site.south])
  expect((await carry({ serverId })).status).toBe(404)
  const destinationId = await addFarEnd(site, { groupId: site.south })
  const { status, failure } = await carry({ output: { destinationId }, config: { host: '' } })
  expect([status, failure.error]).toEqual([404, expect.stringMatching(/^Output: There is no such/)])
  expect(await feedersNow()).toEqual([])
})
