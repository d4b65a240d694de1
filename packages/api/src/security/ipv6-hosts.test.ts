/** Hosts and links are reached over IPv4 alone: an IPv6 address is refused where it is typed. */
import { addDestination } from '@trunkline/contract/contributions/destination.calls'
import { addInput } from '@trunkline/contract/contributions/input.calls'
import { addOutput } from '@trunkline/contract/contributions/output.calls'
import { addEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { addServer } from '@trunkline/contract/servers/server.calls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseContent } from '../testing/database-content.ts'
import { FAKE_KEY } from '../testing/fake-host.ts'
import { addTestInput, outputBody, testInput } from '../testing/input.fixture.ts'
import { openTestSite, type TestSite } from '../testing/test-site.ts'

let site: TestSite
let inputId: string
beforeAll(async () => {
  site = await openTestSite()
  inputId = (await addTestInput(site, 5900)).id
})
afterAll(async () => site[Symbol.asyncDispose]())

/** By the field that is refused. */
const CALLS = {
  'the host of a server': async (host: string) => {
    const record = { title: 'Far', port: 7000, serverType: 'acants', apiKey: FAKE_KEY } as const
    const body = { ...record, host, groupIds: [site.north], adapterIps: [] }
    return site.call('admin', addServer, { body })
  },
  'the address of an encoder': async (ip: string) =>
    site.call('admin', addEncoder, {
      body: { title: 'Far', ip, port: 7000, apiKey: FAKE_KEY, groupId: site.north },
    }),
  'the host of an input that calls': async (host: string) =>
    site.call('admin', addInput, {
      body: testInput(site, 6000, { config: { port: 6000, mode: 'Push', host } }),
    }),
  'the host of an output': async (host: string) =>
    site.call('admin', addOutput, {
      body: outputBody(inputId, { config: { port: 7000, host } }),
    }),
  'a destination': async (ip: string) =>
    site.call('admin', addDestination, { body: { title: 'Far', ip, groupId: site.north } }),
}

const ADDRESSES = ['::1', '[::1]', '2001:db8::1', '::ffff:192.0.2.10', 'fe80::1%lo']

test.each(Object.entries(CALLS))(
  '%s is refused as an IPv6 address, with what is taken',
  async (_, call) => {
    const before = await databaseContent(site.ctx)
    for (const address of ADDRESSES) {
      const { status, failure } = await call(address)
      expect([address, status]).toEqual([address, 400])
      expect(failure.error).toMatch(/must be a host name(,| or) an IPv4 address/)
    }
    expect(await databaseContent(site.ctx)).toEqual(before)
  },
)
