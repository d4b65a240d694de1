/** Where an output goes, and with which key: its own, or its destination's (decisions.md 17, Q150, Q151). */
import { updateDestination } from '@trunkline/contract/contributions/destination.calls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseContent } from '../../testing/database-content.ts'
import { PLANTED_SECRETS } from '../../testing/inject.ts'
import { outputBody } from '../../testing/input.fixture.ts'
import { openTestSite, type TestSite } from '../../testing/test-site.ts'
import { addFarEnd, addFeed, addWay, save, storedKey } from './output.fixture.ts'

const KEY = PLANTED_SECRETS[1]
const OTHER_KEY = 'another.passphrase-4Qw'
const encrypted = { selection: 'yes', type: 256 } as const

let site: TestSite
let inputId: string
beforeEach(async () => {
  site = await openTestSite()
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.linkHost.port })
  inputId = await addFeed(site, 6000)
})
afterEach(async () => site[Symbol.asyncDispose]())

test('decisions 17 an empty passphrase keeps the stored one, a typed one replaces it, no clears it', async () => {
  const encryption = { ...encrypted, passphrase: KEY }
  const { id } = await addWay(site, inputId, { encryption })
  await save(site, id, outputBody(inputId, { encryption: encrypted }))
  expect(await storedKey(site, id)).toBe(KEY)
  await save(site, id, outputBody(inputId, { encryption: { ...encrypted, passphrase: OTHER_KEY } }))
  expect(await storedKey(site, id)).toBe(OTHER_KEY)
  const { answer } = await save(site, id, outputBody(inputId))
  expect(answer.data.encryption).toEqual({
    selection: 'no',
    passphrase: '',
    type: 128,
    passphraseSet: false,
  })
  expect(await storedKey(site, id)).toBe('')
  const { status, failure } = await save(site, id, outputBody(inputId, { encryption: encrypted }))
  expect([status, failure.field]).toEqual([400, 'encryption.passphrase'])
})

test('decisions 17 the key of a destination is used when it is chosen, or when there is none yet', async () => {
  const destinationId = await addFarEnd(site, { encryption: { ...encrypted, passphrase: KEY } })
  const clear = await addWay(site, inputId, { destinationId })
  expect(await storedKey(site, clear.id)).toBe('')
  const body = { destinationId, encryption: encrypted }
  await save(site, clear.id, outputBody(inputId, body))
  expect(await storedKey(site, clear.id)).toBe(KEY)
  const own = await addWay(site, inputId, { encryption: { ...encrypted, passphrase: OTHER_KEY } })
  await save(site, own.id, outputBody(inputId, body))
  expect(await storedKey(site, own.id)).toBe(KEY)
  await save(
    site,
    own.id,
    outputBody(inputId, { ...body, encryption: { ...encrypted, passphrase: OTHER_KEY } }),
  )
  await save(site, own.id, outputBody(inputId, body))
  expect(await storedKey(site, own.id), 'one that it was given since stays').toBe(OTHER_KEY)
})

test('Q152 a destination without encryption removes no key', async () => {
  const destinationId = await addFarEnd(site)
  const { id } = await addWay(site, inputId, { encryption: { ...encrypted, passphrase: KEY } })
  await save(site, id, outputBody(inputId, { destinationId, encryption: encrypted }))
  expect(await storedKey(site, id)).toBe(KEY)
})

test('Q150 an empty host is the destination’s; another one is refused by its name', async () => {
  const destinationId = await addFarEnd(site, { ip: 'Far.example' })
  const { id } = await addWay(site, inputId)
  const filled = await save(
    site,
    id,
    outputBody(inputId, { destinationId, config: { host: '', port: 7000 } }),
  )
  expect(filled.answer.data).toMatchObject({
    destinationId,
    destinationInfo: { _id: destinationId, title: 'Far end', ip: 'Far.example' },
    config: { host: 'Far.example' },
  })
  const before = await databaseContent(site.ctx)
  const { status, failure } = await save(
    site,
    id,
    outputBody(inputId, { destinationId, config: { host: '192.0.2.99', port: 7000 } }),
  )
  expect([status, failure.field]).toEqual([400, 'config.host'])
  expect(failure.error).toContain('Far end is Far.example')
  expect(await databaseContent(site.ctx)).toEqual(before)
  const config = { host: 'far.EXAMPLE', port: 7000 }
  expect((await save(site, id, outputBody(inputId, { destinationId, config }))).status).toBe(200)
})

test('Q151 a destination with a new address changes neither its outputs nor their saves', async () => {
  const destinationId = await addFarEnd(site)
  const added = await addWay(site, inputId, { destinationId })
  await site.call('admin', updateDestination, {
    params: { id: destinationId },
    body: { title: 'Far end', ip: '192.0.2.77' },
  })
  const same = await save(site, added.id, { ...added, title: 'Renamed' })
  expect(same.answer.data).toMatchObject({
    title: 'Renamed',
    destinationInfo: { ip: '192.0.2.77' },
    config: { host: '192.0.2.10' },
  })
  const config = { ...added.config, host: '192.0.2.11' }
  const moved = await save(site, added.id, { ...added, config, version: 2 })
  expect(moved.failure.field).toBe('config.host')
  const otherId = await addFarEnd(site, { title: 'Another', ip: '192.0.2.66' })
  const other = { ...added, destinationId: otherId, version: 2 }
  expect((await save(site, added.id, other)).failure.field).toBe('config.host')
})

test('a listening output has no destination', async () => {
  const destinationId = await addFarEnd(site)
  const { id } = await addWay(site, inputId, { destinationId })
  const config = { mode: 'Listen', host: '', port: 7000 } as const
  const { answer } = await save(site, id, outputBody(inputId, { destinationId, config }))
  expect(answer.data).toMatchObject({ destinationId: null, config: { mode: 'Listen', host: '' } })
})

test('T3 a destination of another group may stay, but gives no key', async () => {
  const encryption = { ...encrypted, passphrase: KEY }
  const destinationId = await addFarEnd(site, { groupId: site.south, encryption })
  const { id } = await addWay(site, inputId, { destinationId })
  expect((await save(site, id, outputBody(inputId, { destinationId }))).status).toBe(200)
  const body = outputBody(inputId, { destinationId, encryption: encrypted })
  expect((await save(site, id, body)).failure.field).toBe('encryption.passphrase')
  expect(await storedKey(site, id)).toBe('')
  const other = await addWay(site, inputId)
  expect((await save(site, other.id, outputBody(inputId, { destinationId }))).status).toBe(404)
})
