/** The local bus is its input's own: no other input names it, and no output sends to it. */
import { addInput, nextMulticast, updateInput } from '@trunkline/contract/contributions/input.calls'
import { addOutput, changeOutputDestination } from '@trunkline/contract/contributions/output.calls'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { databaseContent } from '../../testing/database-content.ts'
import {
  addTestInput,
  testInput,
  type InputBody,
  outputBody,
  type OutputBody,
} from '../../testing/input.fixture.ts'
import { BOTH_DATABASES, openSiteOn } from '../../testing/site-on.ts'
import { makeTestContext } from '../../testing/test-context.ts'
import type { TestSite } from '../../testing/test-site.ts'
import { rangeText } from './bus.rules.ts'
import { addFarEnd, addWay } from '../outputs/output.fixture.ts'

const TARGETS: readonly [string, OutputBody['config'], string][] = [
  ['the group of an input', { port: 7000, host: '239.1.2.3' }, 'config.host'],
  ['a group that an input may be given', { port: 7000, host: '239.255.9.9' }, 'config.host'],
  [
    'the same on its second way',
    {
      port: 7000,
      host: '192.0.2.10',
      secondPath: { host: '239.1.2.3', port: 7002, adapterIp: '' },
    },
    'config.secondPath.host',
  ],
]

test.each(BOTH_DATABASES)(
  'Q159 an installation draws its groups once on %s; one that has inputs already keeps theirs',
  async (kind) => {
    const site = await openSiteOn(kind, { busNetwork: null })
    const first = rangeText(site.ctx.busRange)
    expect(first).toMatch(/^239\.(12[89]|1[3-9]\d|20[0-7])\.\d+\.\d+$/)
    expect((await addTestInput(site, 6000)).config.multicast).toBe(first)
    const { databaseUrl, dataDir, secretFile } = site.ctx.config
    const again = { busNetwork: null, databaseUrl, dataDir, secretFile }
    await using other = await makeTestContext(again)
    expect(other.ctx.busRange).toEqual(site.ctx.busRange)
    await using named = await makeTestContext({ ...again, busNetwork: '239.9' })
    expect(rangeText(named.ctx.busRange)).toBe('239.9.0.1')
  },
)

describe.each(BOTH_DATABASES)('Local inputs and the local bus on %s', (kind) => {
  let site: TestSite
  beforeEach(async () => {
    site = await openSiteOn(kind)
    onTestFinished(async () => site[Symbol.asyncDispose]())
  })

  function local(multicast: string, port: number): InputBody {
    return testInput(site, port, { inputType: 'Local', config: { port, multicast } })
  }

  test('Q179 a Local input cannot be added or saved onto the bus of another input', async () => {
    const { config } = await addTestInput(site, 6000)
    const [group, port] = [config.multicast, config.multicastPort ?? 0]
    const { id } = await addTestInput(site, 5500, local('239.1.2.3', 5500))
    const before = await databaseContent(site.ctx)
    const added = await site.call('admin', addInput, { body: local(group, port) })
    const params = { id }
    const saved = await site.call('admin', updateInput, { params, body: local(group, port) })
    for (const { status, failure } of [added, saved]) {
      expect([status, failure.field]).toEqual([409, 'config.multicast'])
      expect(failure.error).toContain('another input')
    }
    expect(await databaseContent(site.ctx)).toEqual(before)
  })

  test('Q159 its group is offered to no input, picked for none, and refused to one that names it', async () => {
    await addTestInput(site, 5500, local('239.255.0.1', 20_000))
    const query = { serverId: site.acantsId }
    const { answer } = await site.call('admin', nextMulticast, { query })
    expect(answer.multicast).toBe('239.255.0.2')
    const picked = await addTestInput(site, 6000)
    expect(picked.config.multicast).toBe('239.255.0.2')
    const body = testInput(site, 6010, { config: { port: 6010, multicast: '239.255.0.1' } })
    const { status, failure } = await site.call('admin', addInput, { body })
    expect([status, failure.field]).toEqual([409, 'config.multicast'])
    expect(failure.error).toContain('Local input')
  })

  test('Q179 several Local inputs may read one group', async () => {
    await addTestInput(site, 5500, local('239.1.2.3', 5500))
    const second = await addTestInput(site, 5502, local('239.1.2.3', 5502))
    expect(second.config.multicast).toBe('239.1.2.3')
  })

  test('Q177 an input that becomes Local may go on reading its own former group', async () => {
    const { id, config } = await addTestInput(site, 6000)
    const body = local(config.multicast, 6000)
    const { status } = await site.call('admin', updateInput, { params: { id }, body })
    expect(status).toBe(200)
    const back = await site.call('admin', updateInput, {
      params: { id },
      body: testInput(site, 6000),
    })
    expect([back.status, back.answer.data.inputType]).toEqual([200, 'SRT'])
  })

  test.each(TARGETS)('RIST outputs do not go to %s', async (_what, config, field) => {
    const named = { config: { port: 6000, multicast: '239.1.2.3' } }
    const { id } = await addTestInput(site, 6000, named)
    const rist = { inputType: 'RIST' as const, config: { mode: 'Push' as const, ...config } }
    const before = await databaseContent(site.ctx)
    const body = outputBody(id, rist)
    const { status, failure } = await site.call('admin', addOutput, { body })
    expect([status, failure.field]).toEqual([422, field])
    expect(await databaseContent(site.ctx)).toEqual(before)
  })

  test('CON-OUT-18 nor through a destination; another group of the network is allowed', async () => {
    const { id: inputId } = await addTestInput(site, 6000)
    const { id } = await addWay(site, inputId, { inputType: 'RIST' })
    const bus = await addFarEnd(site, { ip: '239.255.0.1' })
    const hall = await addFarEnd(site, { ip: '239.9.9.9', title: 'Hall' })
    const go = async (destinationId: string) =>
      site.call('admin', changeOutputDestination, { body: { destinationId, outputIds: [id] } })
    const before = await databaseContent(site.ctx)
    const refused = await go(bus)
    expect(refused.status).toBe(400)
    expect(refused.failure.error).toContain('local bus')
    expect(await databaseContent(site.ctx)).toEqual(before)
    expect((await go(hall)).answer.updated).toBe(1)
  })
})
