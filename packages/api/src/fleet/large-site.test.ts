/** Lists of a statement end at 32,766 variables on SQLite and at 65,535 on PostgreSQL. */
import { InputConfig } from '@trunkline/contract/contributions/input.schema'
import { Encryption } from '@trunkline/contract/contributions/link.schema'
import { OutputConfig } from '@trunkline/contract/contributions/output.schema'
import { EncoderConfig, FeederInput } from '@trunkline/contract/encoders/encoder-config.schema'
import { expect, test } from 'vitest'
import * as inputStore from '../links/inputs/input.store.ts'
import * as outputStore from '../links/outputs/output.store.ts'
import * as encoderStore from '../encoders/encoder.store.ts'
import * as feederStore from '../encoders/feeders/feeder.store.ts'
import { copyRow } from '../testing/copied-rows.ts'
import { describeOnBothDatabases } from '../testing/databases.ts'
import { palConfig } from '../testing/encoder.fixture.ts'
import { addStoredSite, STORED_AT } from '../testing/stored-site.ts'

const SITE_SIZE = { SQLite: 33_000, PostgreSQL: 66_000 }
const STAMPS = { isEnabled: true, wantedRunning: false, version: 1, createdAt: STORED_AT }
const SEALED = { passphraseSealed: null, encryption: Encryption.parse({}), advanced: [] }

describeOnBothDatabases('A site larger than the lists of a statement', (open, _, kind) => {
  const count = SITE_SIZE[kind]

  test('API-22 reads every encoder with its group, editors and feeders', async () => {
    const db = await open()
    await addStoredSite(db)
    const { feeder: __, ...config } = EncoderConfig.parse(palConfig(0))
    const texts = { description: '', location: '', physicalAddress: '', contactNumber: '' }
    await encoderStore.insert(db, {
      id: 'e',
      name: 'e',
      title: 'Camera',
      ...texts,
      email: '',
      groupId: 'north',
      ip: 'camera',
      port: 8000,
      apiKeySealed: 'sealed',
      ...STAMPS,
      config: encoderStore.StoredConfig.parse(config),
    })
    await copyRow(db, 'encoders', 'e', count, ['id', 'name', 'ip'])
    const last = `e-${count}`
    await encoderStore.setUsers(db, last, ['editor'])
    const feeder = {
      encoderId: last,
      passphraseSealed: null,
      wantedRunning: false,
      position: 0,
      feeder: {
        name: 'f',
        serverId: 'gateway',
        output: [],
        input: FeederInput.parse({ title: 'F', addr: '127.0.0.1:5000', port: 5000 }),
      },
    }
    await feederStore.insert(db, feeder, STORED_AT)
    const encoders = await encoderStore.listConfigured(db, '', count + 1)
    const found = encoders.find(({ id }) => id === last)
    expect(found).toMatchObject({ group: { _id: 'north', title: 'north' }, userIds: ['editor'] })
    expect(encoders).toHaveLength(count + 1)
    const ids = encoders.map(({ id }) => id)
    expect(await feederStore.listByEncoders(db, ids)).toEqual([feeder])
  })

  test('API-41 reads every input and the inputs of all outputs', async () => {
    const db = await open()
    await addStoredSite(db)
    const names = { name: 'i', title: 'Input', serverId: 'gateway', groupId: 'north' }
    const config = InputConfig.parse({
      port: 6000,
      multicast: '239.255.0.1',
      multicastPort: 20_000,
    })
    const input = { id: 'i', ...names, ...STAMPS, ...SEALED, inputType: 'SRT', config } as const
    await inputStore.insert(db, input)
    await copyRow(db, 'inputs', 'i', count, ['id', 'name'])
    const last = `i-${count}`
    await outputStore.insert(db, {
      id: 'o',
      name: 'o',
      title: 'Output',
      ...STAMPS,
      ...SEALED,
      outputType: 'SRT',
      inputId: last,
      destinationId: null,
      config: OutputConfig.parse({ port: 7000, host: '192.0.2.10' }),
    })
    const inputs = await inputStore.listForFleet(db, {})
    expect(inputs).toHaveLength(count + 1)
    expect(inputs.find(({ id }) => id === last)).toMatchObject({ outputIds: ['o'] })
    const ids = inputs.map(({ id }) => id)
    expect(await inputStore.listByIds(db, ids)).toHaveLength(count + 1)
  })
})
