import { addInput } from '@trunkline/contract/contributions/input.calls'
import { saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PersonName } from '../../testing/people.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../../testing/test-site.ts'

let site: TestSite
let encoderId: string
beforeEach(async () => {
  site = await openTestSite()
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.linkHost.port })
  encoderId = (await addTestEncoder(site, 0)).id
})
afterEach(async () => site[Symbol.asyncDispose]())

const PASSPHRASE = 'a-key-of-the-feeder'

async function addFeeder(passphrase: string): Promise<string> {
  const feederPost = {
    serverId: site.acantsId,
    input: { title: 'to Gateway', addr: '127.0.0.1:5000', port: 5000 },
    output: [{ addr: '127.0.0.1:6000', port: 6000, passphrase, pbkeylen: 256 as const }],
  }
  const { answer } = await site.call('admin', saveFeeder, {
    params: { product: 'acan' },
    body: { _id: encoderId, feederPost },
  })
  return answer.feeder.name
}

async function add(who: PersonName, name: string, passphrase = '', selection = 'yes' as const) {
  return site.call(who, addInput, {
    body: {
      title: 'to Gateway',
      inputType: 'aCANFeeder',
      serverId: site.acantsId,
      groupId: who === 'southManager' ? site.south : site.north,
      config: { port: 6000 },
      encryption: { selection, passphrase, type: 256 },
      feeder: { encoderId, name },
    },
  })
}

function keyAtHost(id: string): unknown {
  return site.linkHost.paramsOf('applyProgram').findLast((each) => each.programId === `input-${id}`)
    ?.spec
}

test('API-45 an input for a feeder gets the passphrase of the feeder, and no reply shows it', async () => {
  const { status, answer, text } = await add('northManager', await addFeeder(PASSPHRASE))
  expect(status).toBe(201)
  expect(answer.data.encryption).toEqual({
    selection: 'yes',
    passphrase: '',
    passphraseSet: true,
    type: 256,
  })
  expect(text).not.toContain(PASSPHRASE)
  const key = { passphrase: PASSPHRASE, bits: 256 }
  expect(keyAtHost(answer.id)).toMatchObject({ outer: { mode: 'listen', key } })
})

test('API-45 a passphrase that was typed wins over that of the feeder', async () => {
  const typed = 'another-key-typed'
  const { answer } = await add('northManager', await addFeeder(PASSPHRASE), typed)
  expect(keyAtHost(answer.id)).toMatchObject({ outer: { key: { passphrase: typed } } })
})

test('API-45 a feeder without a passphrase gives none to the input', async () => {
  const { status, failure } = await add('northManager', await addFeeder(''))
  expect([status, failure.field]).toEqual([400, 'encryption.passphrase'])
})

test('API-45 the key of a feeder of another group cannot be copied', async () => {
  const name = await addFeeder(PASSPHRASE)
  expect((await add('southManager', name)).status).toBe(404)
  expect((await add('northEditor', name)).status).toBe(403)
  expect((await add('northManager', 'unknown')).status).toBe(404)
})
