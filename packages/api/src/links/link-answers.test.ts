/** What the calls for inputs and outputs answer, field by field: whole objects, with nothing beside. */
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import {
  listInputs,
  readInput,
  readInputStatus,
} from '@trunkline/contract/contributions/input.calls'
import { InputConfig } from '@trunkline/contract/contributions/input.schema'
import {
  listOutputs,
  readOutput,
  readOutputStatus,
} from '@trunkline/contract/contributions/output.calls'
import { OutputConfig } from '@trunkline/contract/contributions/output.schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addTestInput, addTestOutput } from '../testing/input.fixture.ts'
import { openTestSite, type TestSite } from '../testing/test-site.ts'

let site: TestSite
let inputId: string
let outputId: string
beforeAll(async () => {
  site = await openTestSite()
  const advanced = [{ key: 'mss', value: '1400' }]
  inputId = (await addTestInput(site, 6000, { title: 'Feed', advanced })).id
  const config = { port: 7000, reorderBuffer: 25, rtl: 40 }
  outputId = await addTestOutput(site, inputId, { inputType: 'RIST', config })
  // Both run and their host has reported it: the reports must not get into these answers.
  for (const [id, type] of [
    [inputId, ACTION_TYPE.input],
    [outputId, ACTION_TYPE.output],
  ] as const) {
    const body = { id, type, actionType: 'start' } as const
    await site.call('admin', contributionAction, { body })
  }
})
afterAll(async () => site[Symbol.asyncDispose]())

const NO_KEY = { selection: 'no', passphrase: '', type: 128, passphraseSet: false }

test('API-84 the programs of both run while the answers below are read', async () => {
  const input = await site.call('admin', readInputStatus, { params: { id: inputId } })
  const output = await site.call('admin', readOutputStatus, {
    params: { contributionId: inputId, name: outputId },
  })
  for (const { answer } of [input, output]) expect(answer.results).toContain('RUNNING')
})

test('API-41 API-42 API-81 API-84 an input has these fields, and no state of its program', async () => {
  const { answer } = await site.call('admin', readInput, { params: { id: inputId } })
  const { name, config } = answer.data
  expect(answer.data).toEqual({
    _id: inputId,
    id: inputId,
    name,
    title: 'Feed',
    inputType: 'SRT',
    serverId: site.acantsId,
    groupId: site.north,
    serverInfo: { _id: site.acantsId, title: 'Server acants', host: '127.0.0.1' },
    outputIds: [outputId],
    isEnabled: true,
    // What each is by default: link.schema.test.ts.
    config: {
      ...InputConfig.parse({ port: 6000 }),
      port: '6000',
      multicast: config.multicast,
      multicastPort: config.multicastPort,
    },
    encryption: NO_KEY,
    advanced: [{ key: 'mss', value: '1400' }],
    version: 1,
  })
  expect(answer.contribution).toEqual(answer.data)
  const list = await site.call('admin', listInputs, {})
  expect(list.answer).toEqual({ status: true, contributions: [answer.data], total: 1 })
})

test('API-64 API-65 API-82 API-84 an output has these fields, and no state of its program', async () => {
  const input = (await site.call('admin', readInput, { params: { id: inputId } })).answer.data
  const { answer } = await site.call('admin', readOutput, { params: { id: outputId } })
  expect(answer.data).toEqual({
    _id: outputId,
    id: outputId,
    name: answer.data.name,
    title: 'To far end',
    inputType: 'RIST',
    contributionId: inputId,
    contributionInfo: {
      _id: inputId,
      title: 'Feed',
      serverId: site.acantsId,
      config: { multicast: input.config.multicast, port: '6000' },
    },
    destinationId: null,
    destinationInfo: null,
    isEnabled: true,
    config: OutputConfig.parse({ host: '192.0.2.10', port: 7000, reorderBuffer: 25, rtl: 40 }),
    encryption: NO_KEY,
    advanced: [],
    version: 1,
  })
  const list = await site.call('admin', listOutputs, {})
  expect(list.answer).toEqual({ status: true, outputs: [answer.data], total: 1 })
})
