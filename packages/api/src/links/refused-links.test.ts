/** What may not be saved as an input or output: each is refused by field, and nothing changes. */
import { addInput } from '@trunkline/contract/contributions/input.calls'
import { addOutput } from '@trunkline/contract/contributions/output.calls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseContent } from '../testing/database-content.ts'
import {
  addTestInput,
  outputBody,
  testInput,
  type InputBody,
  type OutputBody,
} from '../testing/input.fixture.ts'
import { openTestSite, type TestSite } from '../testing/test-site.ts'

let site: TestSite
let inputId: string
beforeAll(async () => {
  site = await openTestSite()
  inputId = (await addTestInput(site, 5900)).id
})
afterAll(async () => site[Symbol.asyncDispose]())

test.each([
  ['Push without host', { config: { port: 6000, mode: 'Push' } }, 'config.host', 400],
  [
    'odd RIST Simple port',
    { inputType: 'RIST', config: { port: 6001, profile: 1 } },
    'config.port',
    400,
  ],
  [
    'key for RIST Simple',
    {
      inputType: 'RIST',
      config: { port: 6000, profile: 1 },
      encryption: { selection: 'yes', passphrase: 'long-enough-key' },
    },
    'encryption.selection',
    400,
  ],
  ['encryption without key', { encryption: { selection: 'yes' } }, 'encryption.passphrase', 400],
  [
    'short key',
    { encryption: { selection: 'yes', passphrase: 'short' } },
    'encryption.passphrase',
    400,
  ],
  [
    'key of 80 characters',
    { encryption: { selection: 'yes', passphrase: 'k'.repeat(80) } },
    'encryption.passphrase',
    400,
  ],
  [
    'key with an ampersand',
    { encryption: { selection: 'yes', passphrase: 'long-enough&mode=x' } },
    'encryption.passphrase',
    400,
  ],
  [
    'key with an equals sign',
    { encryption: { selection: 'yes', passphrase: 'long=enough=key' } },
    'encryption.passphrase',
    400,
  ],
  [
    'key with a space',
    { encryption: { selection: 'yes', passphrase: 'long enough key' } },
    'encryption.passphrase',
    400,
  ],
  [
    'key in another script',
    { encryption: { selection: 'yes', passphrase: 'clé-assez-longue' } },
    'encryption.passphrase',
    400,
  ],
  ['host with a scheme', { config: { port: 6000, host: 'srt://far.example' } }, 'config.host', 400],
  ['host with a port', { config: { port: 6000, host: '192.0.2.1:6000' } }, 'config.host', 400],
  ['host with a query', { config: { port: 6000, host: 'a?mode=caller' } }, 'config.host', 400],
  ['address that is none', { config: { port: 6000, host: '192.0.2.300' } }, 'config.host', 400],
  ['address cut short', { config: { port: 6000, host: '127.1' } }, 'config.host', 400],
  [
    'far end that no host has',
    { config: { port: 6000, mode: 'Push', host: '0.0.0.0' } },
    'config.host',
    400,
  ],
  [
    'SRT call to a multicast group',
    { config: { port: 6000, mode: 'Push', host: '239.1.1.1' } },
    'config.host',
    400,
  ],
  [
    'value with an ampersand',
    { advanced: [{ key: 'streamid', value: 'a&mode=listener' }] },
    'advanced.0.value',
    400,
  ],
  [
    'number with an equals sign',
    { advanced: [{ key: 'mss', value: '1400=1' }] },
    'advanced.0.value',
    400,
  ],
  [
    'parameter nobody knows',
    { advanced: [{ key: 'colour', value: 'red' }] },
    'advanced.0.key',
    400,
  ],
  [
    'parameter that names a key',
    { advanced: [{ key: 'passphrase', value: 'a-long-passphrase' }] },
    'advanced.0.key',
    400,
  ],
  ['title of two lines', { title: 'a\n[program:x]' }, 'title', 400],
  ['field nobody knows', { colour: 'red' }, 'colour', 400],
  ['Local without group', { inputType: 'Local' }, 'config.multicast', 400],
  [
    'calling aCANFeeder',
    { inputType: 'aCANFeeder', config: { port: 6000, mode: 'Push', host: 'a.b' } },
    'config.mode',
    400,
  ],
  ['foreign adapter', { config: { port: 6000, adapterIp: '192.0.2.77' } }, 'config.adapterIp', 400],
  ['port 80', { config: { port: 80 } }, 'config.port', 400],
  [
    'one port on both legs',
    { config: { port: 6000, multicastPort: 6000 } },
    'config.multicastPort',
    422,
  ],
  [
    'group that is none',
    { config: { port: 6000, multicast: '10.0.0.1' } },
    'config.multicast',
    400,
  ],
  [
    'duplicate parameter',
    {
      advanced: [
        { key: 'mss', value: '1400' },
        { key: 'MSS', value: '1300' },
      ],
    },
    'advanced',
    400,
  ],
  [
    'parameter that is ours',
    { advanced: [{ key: 'mode', value: 'caller' }] },
    'advanced.0.key',
    400,
  ],
  [
    'shell in a value',
    { advanced: [{ key: 'streamid', value: '$(id)' }] },
    'advanced.0.value',
    400,
  ],
  [
    'parameter beyond its limits',
    { advanced: [{ key: 'oheadbw', value: '101' }] },
    'advanced.0.value',
    400,
  ],
  ['no server', { serverId: '' }, 'serverId', 400],
] as const)(
  'inputs, table 2.9: %s is refused, and nothing changes',
  async (_, change, field, status) => {
    const before = await databaseContent(site.ctx)
    const answer = await site.call('admin', addInput, {
      body: testInput(site, 6000, change as unknown as Partial<InputBody>),
    })
    expect(answer.failure).toMatchObject({ status: false, field })
    expect(answer.status).toBe(status)
    expect(answer.failure.error).not.toContain('[object')
    expect(await databaseContent(site.ctx)).toEqual(before)
  },
)

test.each([
  ['Push to nowhere', { config: { host: '', port: 7000 } }, 'config.host', 400],
  ['Push to Any', { config: { host: 'Any', port: 7000 } }, 'config.host', 400],
  [
    'odd RIST Simple port',
    { inputType: 'RIST', config: { port: 7001, profile: 1 } },
    'config.port',
    400,
  ],
  ['encryption without key', { encryption: { selection: 'yes' } }, 'encryption.passphrase', 400],
  ['foreign adapter', { config: { port: 7000, adapterIp: '192.0.2.77' } }, 'config.adapterIp', 400],
  ['shell in a host', { config: { host: 'a;reboot', port: 7000 } }, 'config.host', 400],
] as const)(
  'outputs, table 2.9: %s is refused, and nothing changes',
  async (_, change, field, status) => {
    const before = await databaseContent(site.ctx)
    const answer = await site.call('admin', addOutput, {
      body: outputBody(inputId, change as unknown as Partial<OutputBody>),
    })
    expect(answer.status).toBe(status)
    expect(answer.failure.field).toBe(field)
    expect(await databaseContent(site.ctx)).toEqual(before)
  },
)
