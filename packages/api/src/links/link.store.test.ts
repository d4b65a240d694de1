import { InputConfig } from '@trunkline/contract/contributions/input.schema'
import { Encryption } from '@trunkline/contract/contributions/link.schema'
import { OutputConfig } from '@trunkline/contract/contributions/output.schema'
import { expect, test } from 'vitest'
import type { Connection } from '../db/open.ts'
import { describeOnBothDatabases } from '../testing/databases.ts'
import { addStoredSite, STORED_AT } from '../testing/stored-site.ts'
import * as busGroupStore from './bus/bus-group.store.ts'
import * as inputStore from './inputs/input.store.ts'
import * as linkStore from './link.store.ts'
import * as outputStore from './outputs/output.store.ts'
import * as serverChangeStore from './server-change/server-change.store.ts'

const EVERY = {
  scope: 'all',
  serverId: '',
  groupId: '',
  port: null,
  search: '',
  page: 0,
  rows: 0,
} as const
const clear = Encryption.parse({})

async function addInput(db: Connection, id: string, more: Partial<inputStore.NewInput> = {}) {
  const input: inputStore.NewInput = {
    id,
    name: `${id}-name`,
    title: `Title of ${id}`,
    inputType: 'SRT',
    serverId: 'gateway',
    groupId: 'north',
    isEnabled: true,
    wantedRunning: false,
    config: InputConfig.parse({ port: 6000, multicast: '239.255.0.1', multicastPort: 20_000 }),
    encryption: clear,
    passphraseSealed: null,
    advanced: [{ key: 'mss', value: '1456' }],
    version: 1,
    createdAt: STORED_AT,
    ...more,
  }
  await inputStore.insert(db, input)
  return input
}

async function addOutput(db: Connection, id: string, more: Partial<outputStore.NewOutput> = {}) {
  const output: outputStore.NewOutput = {
    id,
    name: `${id}-name`,
    title: `Title of ${id}`,
    outputType: 'RIST',
    inputId: 'i1',
    destinationId: null,
    isEnabled: false,
    wantedRunning: true,
    config: OutputConfig.parse({ port: 7000, host: '192.0.2.10' }),
    encryption: clear,
    passphraseSealed: 'sealed',
    advanced: [],
    version: 1,
    createdAt: STORED_AT,
    ...more,
  }
  await outputStore.insert(db, output)
  return output
}

describeOnBothDatabases('Inputs by port', (open) => {
  test('Q102 inputs are found by the port that they are saved with', async () => {
    const db = await open()
    await addStoredSite(db)
    const config = InputConfig.parse({ port: 6022 })
    await addInput(db, 'i1')
    await addInput(db, 'i2', { config })
    const found = async (port: number, more: Partial<inputStore.InputFilter> = {}) =>
      (await inputStore.list(db, { ...EVERY, port, ...more })).inputs.map(({ id }) => id)
    expect(await found(6022)).toEqual(['i2'])
    expect(await found(6022, { serverId: 'gateway' })).toEqual(['i2'])
    expect(await found(6022, { serverId: 'other' })).toEqual([])
    const input = await inputStore.find(db, 'i1', 'all')
    if (input === null) throw new Error('The input is gone.')
    await inputStore.update(db, input, { ...input, config })
    expect(await found(6022)).toEqual(['i1', 'i2'])
    expect(await found(6000)).toEqual([])
    const moved = { ...input, version: 2 }
    await serverChangeStore.move(db, moved, 'gateway', InputConfig.parse({ port: 6024 }))
    expect(await found(6022)).toEqual(['i2'])
    expect(await found(6024)).toEqual(['i1'])
  })
})

describeOnBothDatabases('Inputs and outputs', (open) => {
  test('an input comes back as it went in, with its server and outputs', async () => {
    const db = await open()
    await addStoredSite(db)
    const { serverId, ...input } = await addInput(db, 'i1')
    for (const id of ['o1', 'o2']) await addOutput(db, id)
    expect(await inputStore.find(db, 'i1', 'all')).toEqual({
      ...input,
      server: {
        _id: serverId,
        title: 'gateway',
        host: 'HTTP://Media.example.org',
        hostKey: 'media.example.org',
        port: 9000,
      },
      outputIds: ['o1', 'o2'],
    })
  })

  test('an output comes back as it went in, and is found by name or id of its input', async () => {
    const db = await open()
    await addStoredSite(db)
    await addInput(db, 'i1')
    await addInput(db, 'i2')
    const output = await addOutput(db, 'o1')
    expect(await outputStore.find(db, 'o1', 'all')).toEqual({ ...output, destination: null })
    expect(await outputStore.findOfInput(db, 'i1', 'o1-name')).toEqual({
      ...output,
      destination: null,
    })
    expect(await outputStore.findOfInput(db, 'i1', 'o1')).toEqual({ ...output, destination: null })
    expect(await outputStore.findOfInput(db, 'i2', 'o1')).toBeNull()
  })

  test('ROLE-09 both are cut by the input’s group', async () => {
    const db = await open()
    await addStoredSite(db)
    await addInput(db, 'i1')
    await addInput(db, 'i2', { groupId: 'south' })
    await addOutput(db, 'o1')
    await addOutput(db, 'o2', { inputId: 'i2' })
    const filter = { inputId: '', destinationId: '', linkableTo: '', search: '', page: 0, rows: 0 }
    for (const [scope, count] of [
      ['all', 2],
      [['north'], 1],
      [[], 0],
    ] as const) {
      expect((await inputStore.list(db, { ...EVERY, scope })).total).toBe(count)
      expect((await outputStore.list(db, { ...filter, scope })).total).toBe(count)
    }
    expect(await outputStore.find(db, 'o2', ['north'])).toBeNull()
    expect(await inputStore.find(db, 'i2', ['north'])).toBeNull()
  })

  test('a search finds title, server and group', async () => {
    const db = await open()
    await addStoredSite(db)
    await addInput(db, 'i1', { title: 'Été' })
    await addInput(db, 'i2', { groupId: 'south' })
    const found = async (search: string) =>
      (await inputStore.list(db, { ...EVERY, search })).inputs.map(({ id }) => id)
    expect(await found('ETE')).toEqual(['i1'])
    expect(await found('gateway')).toEqual(['i1', 'i2'])
    expect(await found('south')).toEqual(['i2'])
    expect(await found('%')).toEqual([])
  })

  test('the fleet reads all, those of a server, of an input, or one', async () => {
    const db = await open()
    await addStoredSite(db)
    await addInput(db, 'i1')
    await addInput(db, 'i2')
    await addOutput(db, 'o1')
    await addOutput(db, 'o2', { inputId: 'i2' })
    const inputs = async (only: Parameters<typeof inputStore.listForFleet>[1]) =>
      (await inputStore.listForFleet(db, only)).map(({ id }) => id).toSorted()
    const outputs = async (only: Parameters<typeof outputStore.listForFleet>[1]) =>
      (await outputStore.listForFleet(db, only)).map(({ id }) => id).toSorted()
    expect(await inputs({})).toEqual(['i1', 'i2'])
    expect(await inputs({ serverId: 'streams' })).toEqual([])
    expect(await inputs({ id: 'i2' })).toEqual(['i2'])
    expect(await outputs({ serverId: 'gateway' })).toEqual(['o1', 'o2'])
    expect(await outputs({ inputId: 'i2' })).toEqual(['o2'])
    expect(await outputs({ id: 'o1' })).toEqual(['o1'])
    expect((await inputStore.listByIds(db, ['i2', 'nowhere'])).map(({ id }) => id)).toEqual(['i2'])
    expect(await outputStore.countOfInput(db, 'i1')).toBe(1)
  })

  test('what is wanted is written down', async () => {
    const db = await open()
    await addStoredSite(db)
    await addInput(db, 'i1')
    await addOutput(db, 'o1', { isEnabled: true })
    await linkStore.setWantedRunning(db, 'input', 'i1', true)
    await linkStore.setWantedRunning(db, 'output', 'o1', false)
    expect((await inputStore.find(db, 'i1', 'all'))?.wantedRunning).toBe(true)
    expect((await outputStore.find(db, 'o1', 'all'))?.wantedRunning).toBe(false)
  })

  test('a reference to a missing object is refused by field', async () => {
    const db = await open()
    await addStoredSite(db)
    await expect(addInput(db, 'i1', { serverId: 'nowhere' })).rejects.toThrow('serverId')
    await expect(addOutput(db, 'o1')).rejects.toThrow('contributionId')
  })

  test('Q159 a group of the bus is one input’s', async () => {
    const db = await open()
    await addStoredSite(db)
    await addInput(db, 'i1')
    await addInput(db, 'i2')
    expect(await busGroupStore.take(db, '239.255.0.1', 'i1')).toBe(true)
    expect(await busGroupStore.take(db, '239.255.0.1', 'i2')).toBe(false)
    expect(await busGroupStore.ownerOf(db, '239.255.0.1')).toBe('i1')
    expect(await busGroupStore.ownerOf(db, '239.255.0.2')).toBeNull()
    expect(await busGroupStore.taken(db)).toEqual(new Set(['239.255.0.1']))
  })
})

describeOnBothDatabases('Commands that came too late', (open) => {
  test('nothing is wanted running of an input that is disabled, Local or gone', async () => {
    const db = await open()
    await addStoredSite(db)
    await addInput(db, 'i1', { isEnabled: false })
    await addInput(db, 'i2', { inputType: 'Local' })
    for (const id of ['i1', 'i2', 'nowhere']) {
      expect([id, await linkStore.setWantedRunning(db, 'input', id, true)]).toEqual([id, false])
    }
    expect((await inputStore.find(db, 'i1', 'all'))?.wantedRunning).toBe(false)
  })
})
