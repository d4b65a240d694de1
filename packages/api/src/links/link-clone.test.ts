import { cloneDestination } from '@trunkline/contract/contributions/destination.calls'
import { addInput, cloneInput, readInput } from '@trunkline/contract/contributions/input.calls'
import { cloneOutput } from '@trunkline/contract/contributions/output.calls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestSite, type TestSite } from '../testing/test-site.ts'
import { addFarEnd, addFeed, addWay } from './outputs/output.fixture.ts'

let site: TestSite
beforeEach(async () => {
  site = await openTestSite()
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.linkHost.port })
})
afterEach(async () => site[Symbol.asyncDispose]())

const PASSPHRASE = 'a-key-of-the-original'
const encryption = { selection: 'yes', passphrase: PASSPHRASE, type: 256 } as const

/** The program as the host last got it. */
function specOf(programId: string): unknown {
  return site.linkHost.paramsOf('applyProgram').findLast((each) => each.programId === programId)
    ?.spec
}

test('API-45 a copy of an input has its settings and key, a free port, and a group of its own', async () => {
  const id = await addFeed(site, 6000, { encryption, config: { port: 6000, latency: 700 } })
  const original = (await site.call('admin', readInput, { params: { id } })).answer.data
  const body = { title: 'Feed copy' }
  const { status, answer } = await site.call('northManager', cloneInput, { params: { id }, body })
  const copy = answer.data
  expect(status).toBe(201)
  expect(copy).toMatchObject({
    title: 'Feed copy',
    serverId: original.serverId,
    groupId: original.groupId,
    outputIds: [],
    isEnabled: true,
    config: { latency: 700, mode: 'Listen' },
    encryption: { selection: 'yes', passphrase: '', passphraseSet: true, type: 256 },
  })
  expect(copy.config.port).not.toBe(original.config.port)
  expect(copy.config.multicast).not.toBe(original.config.multicast)
  expect(copy.config.multicastPort).not.toBe(original.config.multicastPort)
  expect(specOf(`input-${copy.id}`)).toMatchObject({ outer: { key: { passphrase: PASSPHRASE } } })
  const taken = await site.call('northManager', cloneInput, {
    params: { id },
    body: { title: 'Again', port: 6000 },
  })
  expect([taken.status, taken.failure.field]).toEqual([409, 'config.port'])
})

test('API-45 a copy of a Local input reads the same stream', async () => {
  const body = {
    title: 'Studio',
    inputType: 'Local' as const,
    serverId: site.acantsId,
    groupId: site.north,
    config: { multicast: '239.1.2.3', port: 5004 },
  }
  const { id } = (await site.call('admin', addInput, { body })).answer
  const copy = { params: { id }, body: { title: 'Studio copy' } }
  const { answer } = await site.call('admin', cloneInput, copy)
  expect(answer.data.config).toMatchObject({ multicast: '239.1.2.3', port: 5004 })
})

test('API-68 a copy of an output goes to the same place with the same key', async () => {
  const inputId = await addFeed(site, 6000)
  const destinationId = await addFarEnd(site, { ip: '192.0.2.77' })
  const original = await addWay(site, inputId, {
    destinationId,
    encryption,
    config: { mode: 'Push', host: '192.0.2.77', port: 7000 },
  })
  const params = { id: original.id }
  const body = { title: 'To far end copy' }
  const { status, answer } = await site.call('northManager', cloneOutput, { params, body })
  expect(status).toBe(201)
  expect(answer.data).toMatchObject({
    title: 'To far end copy',
    contributionId: inputId,
    destinationId,
    config: { mode: 'Push', host: '192.0.2.77', port: '7000' },
    encryption: { selection: 'yes', passphrase: '', passphraseSet: true },
  })
  expect(specOf(`output-${answer.id}`)).toMatchObject({
    outer: { key: { passphrase: PASSPHRASE } },
  })
})

test('API-68 a copy of an output that listens gets a free port', async () => {
  const inputId = await addFeed(site, 6000)
  const { id } = await addWay(site, inputId, { config: { mode: 'Listen', host: '', port: 7100 } })
  const body = { title: 'Copy' }
  const { answer } = await site.call('admin', cloneOutput, { params: { id }, body })
  expect(answer.data.config.mode).toBe('Listen')
  expect(answer.data.config.port).not.toBe('7100')
})

test('API-61 a copy of a destination has its address, group and key', async () => {
  const id = await addFarEnd(site, { ip: '192.0.2.77', encryption })
  const body = { title: 'Far copy' }
  const { status, answer } = await site.call('northManager', cloneDestination, {
    params: { id },
    body,
  })
  expect(status).toBe(201)
  expect(answer.data).toMatchObject({
    title: 'Far copy',
    ip: '192.0.2.77',
    groupId: site.north,
    outputs: 0,
    encryption: { selection: 'yes', passphrase: '', passphraseSet: true, type: 256 },
  })
  const taken = await site.call('northManager', cloneDestination, { params: { id }, body })
  expect([taken.status, taken.failure.field]).toEqual([409, 'title'])
})
