/** What nobody should type into a feeder: refused at its field, or kept as the plain text that it is. */
import { findEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseContent } from '../../testing/database-content.ts'
import { testFeeder } from '../../testing/feeder.fixture.ts'
import { PLANTED_SECRETS } from '../../testing/inject.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../../testing/test-site.ts'

let site: TestSite
let encoderId: string
beforeEach(async () => {
  site = await openTestSite()
  encoderId = (await addTestEncoder(site, 0)).id
})
afterEach(async () => site[Symbol.asyncDispose]())

async function save(change: { input?: object; output?: object }) {
  const { input, output, ...plain } = testFeeder(site, 5000)
  const feederPost = {
    ...plain,
    input: { ...input, ...change.input },
    output: [{ ...output[0], ...change.output }],
  }
  return site.call('admin', saveFeeder, {
    params: { product: 'acan' },
    body: { _id: encoderId, feederPost: feederPost as never },
  })
}

function advanced(key: string, value: string) {
  return { output: { adv_params: [{ key, value }] } }
}

const PARAMETER = 'feederPost.output.0.adv_params.0'
const TARGET = 'feederPost.output.0.addr'

test.each<[string, { input?: object; output?: object }, string]>([
  ['a title of two lines', { input: { title: 'a\n[program:x]' } }, 'feederPost.input.title'],
  [
    'a title of 10,000 characters',
    { input: { title: 'x'.repeat(10_000) } },
    'feederPost.input.title',
  ],
  ['a target with a query', { output: { addr: '192.0.2.10:6000?mode=listener' } }, TARGET],
  ['a target with a user', { output: { addr: 'a@192.0.2.10:6000' } }, TARGET],
  ['a target with a command', { output: { addr: '$(reboot):6000' } }, TARGET],
  ['a target with a line break', { output: { addr: '192.0.2.10:6000\n' } }, TARGET],
  [
    'a passphrase that cuts itself',
    { output: { passphrase: 'secret-key&mode=x' } },
    'feederPost.output.0.passphrase',
  ],
  ['a parameter that turns the link', advanced('mode', 'listener'), `${PARAMETER}.key`],
  ['a parameter that names a key', advanced('passphrase', 'a-long-passphrase'), `${PARAMETER}.key`],
  ['a parameter nobody knows', advanced('colour', 'red'), `${PARAMETER}.key`],
  ['a value with an ampersand', advanced('streamid', 'a&mode=listener'), `${PARAMETER}.value`],
  ['a value beyond its limits', advanced('oheadbw', '101'), `${PARAMETER}.value`],
  ['a value that is no number', advanced('fc', '1e9'), `${PARAMETER}.value`],
  ['a value that eats the memory', advanced('fc', '2147483647'), `${PARAMETER}.value`],
  ['a latency without end', { output: { latency: 1e9 } }, 'feederPost.output.0.latency'],
])('%s is refused at its field, and nothing changes', async (_, change, field) => {
  const before = await databaseContent(site.ctx)
  const { status, failure } = await save(change)
  expect(status).toBe(400)
  expect(failure.field ?? failure.issues?.[0]?.field).toBe(field)
  expect(await databaseContent(site.ctx)).toEqual(before)
})

test('a title of quotes and special characters is stored unchanged, and never sent to the host', async () => {
  const title = `it's "100 %" ; # $(id) \\ %(ENV_HOME)s`
  const { status, answer } = await save({ input: { title } })
  expect(status).toBe(200)
  expect(answer.feeder.input.title).toBe(title)
  expect(JSON.stringify(site.encoderHost.calls)).not.toContain('ENV_HOME')
})

test('the record of activity has the title of the feeder, and not its key', async () => {
  const { answer } = await save({ output: { passphrase: PLANTED_SECRETS[1] } })
  const [line] = await site.ctx.db
    .selectFrom('audit')
    .selectAll()
    .where('call', '=', 'feeders.save')
    .execute()
  expect(line).toMatchObject({
    object_id: encoderId,
    object_title: 'Camera 0',
    result: 'done',
    reason: 'to Gateway',
  })
  expect(line?.after).toContain('"title":"to Gateway"')
  const { data } = (await site.call('admin', findEncoder, { params: { id: encoderId } })).answer
  for (const secret of PLANTED_SECRETS) {
    for (const value of [line, answer, data]) expect(JSON.stringify(value)).not.toContain(secret)
  }
})
