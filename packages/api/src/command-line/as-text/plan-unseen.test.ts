import {
  addEncoder,
  removeEncoder,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import { saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { askTaken } from '@trunkline/contract/encoders/host-taken.calls'
import { updateServer } from '@trunkline/contract/servers/server.calls'
import { expect, onTestFinished, test } from 'vitest'
import { palConfig } from '../../testing/encoder.fixture.ts'
import { FAKE_KEY } from '../../testing/fake-host.ts'
import { testFeeder } from '../../testing/feeder.fixture.ts'
import { addTestInput } from '../../testing/input.fixture.ts'
import type { PersonName } from '../../testing/people.ts'
import { addTestEncoder, openTestSite, type TestSite } from '../../testing/test-site.ts'
import { makeApiCall } from '../api.client.ts'
import { applyText, exportOf, reach, type Reached, SECRET_NAME } from './apply.fixture.ts'

const ENV = `env: ${SECRET_NAME}`

/** A site whose server for links and host for encoders are used by both groups. */
async function sharedSite(who: PersonName): Promise<{ site: TestSite; reached: Reached }> {
  const site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  await site.call('admin', updateServer, {
    params: { id: site.acantsId },
    body: { groupIds: [site.north, site.south] },
  })
  const { url } = await reach(site)
  const { token } = site.people[who]
  return { site, reached: { url, token, call: makeApiCall({ url, token }, []) } }
}

async function addSouthEncoder(site: TestSite, cardIdx: number): Promise<string> {
  const body = {
    title: `Hidden ${cardIdx}`,
    ip: '127.0.0.1',
    port: site.encoderHost.port,
    groupId: site.south,
    apiKey: FAKE_KEY,
  }
  const { id } = (await site.call('admin', addEncoder, { body })).answer
  await site.call('admin', updateEncoder, { body: { _id: id, config: palConfig(cardIdx) } })
  return id
}

/** The list of a kind, as it stands in a file. */
function listOf(text: string, kind: string): string {
  return new RegExp(`^${kind}s:\n((?: .*\n)+)`, 'm').exec(text)?.[1] ?? ''
}

test("names no other group's input whose port a plan wants, and its line", async () => {
  const { site, reached } = await sharedSite('northManager')
  await addTestInput(site, 6000, { title: 'Own' })
  await addTestInput(site, 6010, { title: 'Hidden', groupId: site.south })
  const text = await exportOf(reached.call)
  expect(text).not.toContain('Hidden')
  const moved = text.replace('port: 6000', 'port: 6010')
  const { exitCode, text: faults } = await applyText(reached, moved, { isDryRun: true })
  const line = moved.split('\n').findIndex((each) => each.includes('port: 6010')) + 1
  expect(faults).toBe(
    `site.yaml:${line}: Port 6010 of host 127.0.0.1 is taken by another group's input. Choose another port.\n1 fault. Nothing was changed.\n`,
  )
  expect(exitCode).toBe(1)
  const free = await applyText(reached, text.replace('port: 6000', 'port: 6012'))
  expect(free).toMatchObject({ exitCode: 0 })
})

test("names no other group's encoder whose card, target or feeder port a plan wants", async () => {
  const { site, reached } = await sharedSite('northManager')
  await addTestEncoder(site, 0)
  const hidden = await addSouthEncoder(site, 1)
  await site.call('admin', saveFeeder, {
    params: { product: 'acan' },
    body: { _id: hidden, feederPost: testFeeder(site, 5110) },
  })
  const text = await exportOf(reached.call)
  const faultsOf = async (file: string) => (await applyText(reached, file, { isDryRun: true })).text
  expect(await faultsOf(text.replace('card-idx: 0', 'card-idx: 1'))).toContain(
    "is used by another group's encoder already. Choose another card index.",
  )
  const target = /target: udp:\/\/127\.0\.0\.1:(\d+)/
  const [, own = ''] = target.exec(text) ?? []
  const theirs = String(Number(own) + 1)
  expect(await faultsOf(text.replaceAll(`127.0.0.1:${own}`, `127.0.0.1:${theirs}`))).toContain(
    `Target 127.0.0.1:${theirs} is fed by another group's encoder already.`,
  )
})

test('says to a manager that a host is of another group, and that keys are set by admins', async () => {
  const { site, reached } = await sharedSite('northManager')
  await addTestEncoder(site, 0)
  const text = await exportOf(reached.call)
  const [first = ''] = listOf(text, 'encoder').split(/(?=^ {2}- )/m)
  const bare = first.replace(/ {4}config:\n(?: {6}.*\n)+/, '')
  const other = bare.replace(/title: .*/, 'title: New').replace(/( {4}port: ).*/, '$18123')
  const withKey = other.replace('keep: true', ENV)
  const plan = async (encoder: string) =>
    (
      await applyText(reached, text.replace('encoders:\n', `encoders:\n${encoder}`), {
        isDryRun: true,
      })
    ).text
  expect(await plan(withKey)).toContain('Only an admin may set an API key.')
  const keyless = other.replace(/ {4}apiKey:.*\n( {6}.*\n)?/, '')
  expect(await plan(keyless)).toContain('1 to add')
  await site.call('admin', addEncoder, {
    body: { title: 'Hidden', ip: '127.0.0.1', port: 8123, groupId: site.south, apiKey: FAKE_KEY },
  })
  const fault = await plan(keyless)
  expect(fault).toContain('The host 127.0.0.1:8123 is in use by another group.')
  expect(fault).not.toContain('Hidden')
})

test('says that a typed key is not that of its host, unless the file frees or changes it', async () => {
  const { site, reached } = await sharedSite('admin')
  const { id } = await addTestEncoder(site, 0)
  const text = await exportOf(reached.call)
  const [first = ''] = listOf(text, 'encoder').split(/(?=^ {2}- )/m)
  const bare = first.replace(/ {4}config:\n(?: {6}.*\n)+/, '').replace('keep: true', ENV)
  const twin = bare.replace(/title: .*/, 'title: Twin')
  const withTwin = text.replace('encoders:\n', `encoders:\n${twin}`)
  const other = await applyText(reached, withTwin, { isDryRun: true })
  expect(other.text).toMatch(
    /^site\.yaml:\d+: Another encoder of 127\.0\.0\.1:\d+ has another key\. Leave apiKey empty/,
  )
  const right = { fromEnvironment: () => FAKE_KEY, fromFile: () => FAKE_KEY }
  const fits = await applyText(reached, withTwin, { isDryRun: true, secrets: right })
  expect(fits.text).toContain('1 to add')
  const changes = withTwin.replace(first, first.replace('keep: true', ENV))
  const replaced = await applyText(reached, changes, { isDryRun: true, replacesSecrets: true })
  expect(replaced.text).toContain('1 to add, 1 to change')
  const only = text.replace(first, twin)
  const freed = await applyText(reached, only, { isDryRun: true, prunes: true })
  expect(freed.text).toContain('1 to add, 0 to change, 1 to remove')
  await site.call('admin', removeEncoder, { params: { id } })
  const third = bare.replace(/title: .*/, 'title: Third').replace(ENV, 'env: OTHER')
  const two = { fromEnvironment: (name: string) => `key-of-${name}`, fromFile: () => '' }
  const both = await applyText(
    reached,
    (await exportOf(reached.call)).replace('encoders: []\n', `encoders:\n${twin}${third}`),
    { isDryRun: true, secrets: two },
  )
  expect(both.text).toContain('has another key. Leave apiKey empty')
})

test('asks nothing of hosts that the caller has nothing on, and answers no name', async () => {
  const { site } = await sharedSite('northManager')
  await addSouthEncoder(site, 1)
  const place = { host: '127.0.0.1', port: site.encoderHost.port }
  const body = {
    ports: [{ host: '127.0.0.1', target: '127.0.0.1', port: 5001 }],
    cards: [{ ...place, cardIdx: 1 }],
    seats: [place],
  }
  const asked = async (who: PersonName) => (await site.call(who, askTaken, { body })).answer
  expect(await asked('northManager')).toMatchObject({
    ports: [{ index: 0, by: "another group's encoder" }],
    cards: [{ index: 0, by: "another group's encoder" }],
    seats: [{ index: 0, field: 'ip' }],
  })
  await site.call('admin', updateServer, {
    params: { id: site.acantsId },
    body: { groupIds: [site.south] },
  })
  await site.call('admin', updateServer, {
    params: { id: site.channelServerId },
    body: { groupIds: [site.south] },
  })
  expect(await asked('northManager')).toMatchObject({ ports: [], cards: [] })
  expect(await asked('northEditor')).toMatchObject({ ports: [], cards: [], seats: [] })
  expect(await asked('admin')).toMatchObject({ ports: [], cards: [], seats: [] })
})
