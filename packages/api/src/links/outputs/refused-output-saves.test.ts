/** Issue item 9: a refused save tells its field, changes nothing, and never reaches the host of what runs. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseContent } from '../../testing/database-content.ts'
import { outputBody, type OutputBody } from '../../testing/input.fixture.ts'
import { openTestSite, type TestSite } from '../../testing/test-site.ts'
import { addFeed, addWay, save, start } from './output.fixture.ts'

let site: TestSite
let inputId: string
let outputId: string
beforeAll(async () => {
  site = await openTestSite()
  await site.ctx.hosts.linked({ host: '127.0.0.1', port: site.linkHost.port })
  inputId = await addFeed(site, 6000)
  await addFeed(site, 6009)
  outputId = (await addWay(site, inputId)).id
  await start(site, outputId)
})
afterAll(async () => site[Symbol.asyncDispose]())

/** A port may be asked about; that changes nothing there. */
function callsToHost() {
  return site.linkHost.calls.filter(({ call }) => call !== 'probePort')
}

const RIST = { inputType: 'RIST' } as const
const path = (more: object = {}) => ({ host: '192.0.2.20', port: 7000, adapterIp: '', ...more })

const REFUSED: readonly [string, object, string, number][] = [
  ['no title', { title: ' ' }, 'title', 400],
  ['a type that is none', { inputType: 'Local' }, 'inputType', 400],
  ['Push to nowhere', { config: { host: '' } }, 'config.host', 400],
  ['Push to Any', { config: { host: 'any' } }, 'config.host', 400],
  ['a host that is no address', { config: { host: '192.0.2.300' } }, 'config.host', 400],
  ['a host with its port', { config: { host: 'far.example:7000' } }, 'config.host', 400],
  ['a command in a host', { config: { host: 'a;reboot' } }, 'config.host', 400],
  ['0.0.0.0', { config: { host: '0.0.0.0' } }, 'config.host', 400],
  ['everybody', { config: { host: '255.255.255.255' } }, 'config.host', 400],
  ['SRT to a group', { config: { host: '239.1.1.1' } }, 'config.host', 400],
  ['port 0', { config: { port: 0 } }, 'config.port', 400],
  [
    'SRV-08 waiting at port 80',
    { config: { mode: 'Listen', host: '', port: 80 } },
    'config.port',
    400,
  ],
  ['a port in words', { config: { port: 'seven' } }, 'config.port', 400],
  ['a foreign adapter', { config: { adapterIp: '192.0.2.77' } }, 'config.adapterIp', 400],
  ['an odd RIST Simple port', { ...RIST, config: { port: 7001, profile: 1 } }, 'config.port', 400],
  [
    'a key for RIST Simple',
    {
      ...RIST,
      config: { profile: 1 },
      encryption: { selection: 'yes', passphrase: 'long-enough' },
    },
    'encryption.selection',
    400,
  ],
  ['encryption without key', { encryption: { selection: 'yes' } }, 'encryption.passphrase', 400],
  [
    'a short key',
    { encryption: { selection: 'yes', passphrase: 'short' } },
    'encryption.passphrase',
    400,
  ],
  [
    'a key of 80',
    { encryption: { selection: 'yes', passphrase: 'x'.repeat(80) } },
    'encryption.passphrase',
    400,
  ],
  [
    '& and = in a key',
    { encryption: { selection: 'yes', passphrase: 'key&mode=listener' } },
    'encryption.passphrase',
    400,
  ],
  [
    'a parameter that is ours',
    { advanced: [{ key: 'pbkeylen', value: '16' }] },
    'advanced.0.key',
    400,
  ],
  [
    '& in a value',
    { advanced: [{ key: 'streamid', value: 'a&mode=listener' }] },
    'advanced.0.value',
    400,
  ],
  ['a second path of SRT', { config: { secondPath: path() } }, 'config.secondPath', 400],
  [
    'a second path of a listener',
    { ...RIST, config: { mode: 'Listen', host: '', secondPath: path() } },
    'config.secondPath',
    400,
  ],
  [
    'the same path twice',
    { ...RIST, config: { secondPath: path({ host: '192.0.2.10' }) } },
    'config.secondPath.host',
    400,
  ],
  [
    'a second path by a foreign adapter',
    { ...RIST, config: { secondPath: path({ adapterIp: '192.0.2.77' }) } },
    'config.secondPath.adapterIp',
    400,
  ],
  [
    'the port of the input',
    { config: { mode: 'Listen', host: '', port: 6000 } },
    'config.port',
    409,
  ],
  [
    'the port of the local bus',
    { config: { mode: 'Listen', host: '', port: 20_000 } },
    'config.port',
    409,
  ],
  [
    'RIST Simple that waits for its receiver',
    { ...RIST, config: { mode: 'Listen', host: '', port: 6008, profile: 1 } },
    'config.mode',
    400,
  ],
  ['a field that is none', { isAdmin: true }, 'isAdmin', 400],
  ['an input that is none', { contributionId: 'nowhere' }, '', 404],
  ['a destination that is none', { destinationId: 'nowhere' }, '', 404],
]

test.each(REFUSED)(
  'API-66, table 2.9: %s is refused, nothing changes, and its host hears nothing',
  async (_, change, field, status) => {
    const before = await databaseContent(site.ctx)
    const callsBefore = callsToHost()
    const more = change as Partial<OutputBody>
    const answer = await save(site, outputId, outputBody(inputId, more), 'admin')
    expect([answer.status, answer.failure.field ?? '']).toEqual([status, field])
    expect(answer.failure).toMatchObject({ status: false, msg: answer.failure.error })
    expect(answer.failure.error).not.toContain('[object')
    expect(await databaseContent(site.ctx)).toEqual(before)
    expect(callsToHost()).toEqual(callsBefore)
  },
)

test('a port that another program of the host has is refused by its field', async () => {
  site.linkHost.takenPorts.add(7100)
  const before = await databaseContent(site.ctx)
  const body = outputBody(inputId, { config: { mode: 'Listen', host: '', port: 7100 } })
  const { status, failure } = await save(site, outputId, body)
  expect([status, failure.field]).toEqual([409, 'config.port'])
  expect(failure.error).toContain('another program')
  expect(await databaseContent(site.ctx)).toEqual(before)
})
