import { addServiceToken } from '@trunkline/contract/users/api-token.calls'
import { addServer } from '@trunkline/contract/servers/server.calls'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { databaseContent } from '../../testing/database-content.ts'
import { addTestInput } from '../../testing/input.fixture.ts'
import { TEST_PASSWORD } from '../../testing/people.ts'
import { gatewayDraft } from '../../testing/server.fixture.ts'
import { openTestSite, type TestSite } from '../../testing/test-site.ts'
import { makeApiCall } from '../api.client.ts'
import { applyText, exportOf, fillSite, type Reached, reach, SECRET_NAME } from './apply.fixture.ts'

const ENV = `env: ${SECRET_NAME}\n`

/** The line of the first that contains this, the first line being 1. */
function lineOf(text: string, part: string, from = ''): number {
  const lines = text.split('\n')
  const begin = lines.findIndex((line) => line.startsWith(from))
  return lines.findIndex((line, index) => index >= begin && line.includes(part)) + 1
}

/** With the list of a kind replaced. */
function withList(text: string, kind: string, list: string): string {
  return text.replace(new RegExp(`^${kind}s:(?:\\n[ ].*)*| \\[\\]$`, 'm'), list)
}

/** The first server of a file. */
function serverOf(text: string): string {
  return /^servers:\n(( {2}- .*\n)( {4}.*\n)+)/m.exec(text)?.[1] ?? ''
}

describe('a plan that the API would refuse', () => {
  let site: TestSite
  let reached: Reached
  let text: string

  beforeAll(async () => {
    site = await openTestSite()
    await fillSite(site)
    reached = await reach(site)
    text = await exportOf(reached.call)
    return async () => site[Symbol.asyncDispose]()
  })

  async function faultsOf(file: string, more = {}): Promise<string> {
    const before = await databaseContent(site.ctx)
    const applied = await applyText(reached, file, more)
    expect(applied.exitCode).toBe(1)
    expect(applied.text).toContain('Nothing was changed.')
    expect(await databaseContent(site.ctx)).toEqual(before)
    return applied.text
  }

  test.each([
    ['encoder', 'Please remove first feeder.', 'does not list feeders, so they stay.'],
    [
      'server',
      'Server acants is still used by 1 input',
      'does not list feeders and inputs, so they stay.',
    ],
    [
      'group',
      'North still has ',
      'does not list servers, destinations, encoders and inputs, so they stay.',
    ],
    [
      'input',
      'This input cannot be deleted because it has 2 number of Outputs.',
      'does not list outputs, so they stay.',
    ],
  ])(
    'removes no %s that something stays for, in the words of the API (ENC-17, Q117)',
    async (kind, sentence, lists) => {
      const faults = await faultsOf(`version: 1\n${kind}s: []\n`, { prunes: true })
      expect(faults).toContain(`site.yaml:2: ${kind} `)
      expect(faults).toContain(`is not in this file, and cannot be removed: ${sentence}`)
      expect(faults).toContain(lists)
    },
  )

  test('names what a file keeps that refers to what it leaves out', async () => {
    const kept = withList(text, 'server', 'servers: []')
    expect(await faultsOf(kept, { prunes: true })).toContain(
      'cannot be removed: Server acants is still used by 1 input and 1 feeder. Delete or move them first.',
    )
    const unlisted = text.replace(/encoders:\n[\s\S]*?feeders:/, 'encoders: []\nfeeders:')
    expect(await faultsOf(unlisted, { prunes: true })).toContain(
      'encoder North / Camera 0 is not in this file, and cannot be removed: Please remove first feeder.',
    )
  })

  test('gives the card of an encoder to no other, without --prune too', async () => {
    const second = text
      .replace('title: Camera 0', 'title: Camera 1')
      .replace(/feeders:\n[\s\S]*?inputs:/, 'inputs:')
    expect(await faultsOf(second)).toMatch(
      new RegExp(
        `^site\\.yaml:${lineOf(second, 'card-idx: 0')}: Card 0 of host 127\\.0\\.0\\.1:\\d+ is used by encoder 'Camera 0' already\\. Choose another card index\\.$`,
        'm',
      ),
    )
  })

  test('gives a target and the port of a feeder to no other', async () => {
    const second = text
      .replace('title: Camera 0', 'title: Camera 1')
      .replace('card-idx: 0', 'card-idx: 7')
    const target = second.replace(/feeders:\n[\s\S]*?inputs:/, 'inputs:')
    expect(await faultsOf(target)).toContain(
      `site.yaml:${lineOf(target, 'target: ')}: Target 127.0.0.1:5000 is fed by encoder 'Camera 0' already.`,
    )
    const own = /feeders:\n([\s\S]*?)inputs:/.exec(text)?.[1] ?? ''
    const another = own.replace(/title: .*/, 'title: another').replaceAll('keep: true\n', ENV)
    const feeder = text.replace(own, own + another)
    expect(await faultsOf(feeder)).toContain('Input port 5100 is already taken')
  })

  test('gives the port and the address of another to nothing', async () => {
    const own = /inputs:\n([\s\S]*?)outputs:/.exec(text)?.[1] ?? ''
    const input = own.replace('Marathon km 30', 'Start').replaceAll('keep: true\n', ENV)
    const withInput = text.replace(own, own + input)
    const at = lineOf(withInput, 'title: Start')
    const found = /^site\.yaml:(\d+): Port 6000 of host 127\.0\.0\.1 is taken by input/m.exec(
      await faultsOf(withInput),
    )
    expect(Number(found?.[1])).toBeGreaterThan(at)
    const twin = `${serverOf(text)}`
      .replace(/title: .*/, 'title: Twin')
      .replaceAll('keep: true\n', ENV)
    expect(await faultsOf(text.replace('servers:\n', `servers:\n${twin}`))).toMatch(
      /There is a server at 127\.0\.0\.1 port \d+ already\. Change host or port\./,
    )
  })

  test('swaps no two ports at once, and says how', async () => {
    const second = await addTestInput(site, 6050, { title: 'Finish' })
    expect(second.title).toBe('Finish')
    text = await exportOf(reached.call)
    const swapped = text
      .replace('port: 6050', 'port: TMP')
      .replace('port: 6000', 'port: 6050')
      .replace('port: TMP', 'port: 6000')
    const faults = await faultsOf(swapped)
    expect(faults).toContain(
      "Port 6050 of host 127.0.0.1 is taken by input 'Finish'. Choose another port. It is given up in this file too",
    )
    expect(faults).toContain("Port 6000 of host 127.0.0.1 is taken by input 'Marathon km 30'.")
    expect(faults).toContain('2 faults.')
  })
})

test('a port that another object gives up in the same file is free, whatever comes first', async () => {
  const site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  await addTestInput(site, 6000, { title: 'A' })
  await addTestInput(site, 6010, { title: 'B' })
  await addTestInput(site, 6020, { title: 'C' })
  const reached = await reach(site)
  const text = await exportOf(reached.call)
  const moved = text
    .replace('port: 6020', 'port: 6030')
    .replace('port: 6010', 'port: 6020')
    .replace('port: 6000', 'port: 6010')
  const applied = await applyText(reached, moved)
  expect(applied).toMatchObject({ exitCode: 0 })
  expect(applied.text).toContain('3 done, 0 refused.')
  expect(await exportOf(reached.call)).toBe(moved)
})

test('what lives on a server has its ports where the file moves that server to', async () => {
  const site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  await addTestInput(site, 6000, { title: 'A' })
  const reached = await reach(site)
  const text = await exportOf(reached.call)
  const other = serverOf(text)
    .replace(/title: .*/, 'title: Other')
    .replace(/ port: .*/, ' port: 9998')
    .replaceAll('keep: true\n', ENV)
  const own = /inputs:\n([\s\S]*?)outputs:/.exec(text)?.[1] ?? ''
  const input = own
    .replace('title: A', 'title: B')
    .replace('server: Server acants', 'server: Other')
    .replace(/ +multicast(Port)?: .*\n/g, '')
  const file = text.replace('servers:\n', `servers:\n${other}`).replace(own, own + input)
  const beside = await applyText(reached, file, { isDryRun: true })
  expect(beside.text).toContain("Port 6000 of host 127.0.0.1 is taken by input 'A'.")
  const moved = file.replace(/(title: Server acants\n(?: {4}.*\n)*? {4}host: ).*/, '$1127.0.0.2')
  const planned = await applyText(reached, moved, { isDryRun: true })
  expect(planned.text).toContain('2 to add, 1 to change, 0 to remove')
})

test('a token that may only read is named by the dry run, and stops the rest before it begins', async () => {
  const site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  await fillSite(site)
  const reached = await reach(site)
  const { answer } = await site.call('admin', addServiceToken, {
    body: {
      title: 'Backup',
      scope: 'read',
      days: 1,
      role: 'admin',
      groupIds: [],
      currentPassword: TEST_PASSWORD,
    },
  })
  const call = makeApiCall({ url: reached.url, token: answer.token }, [])
  const byToken = { ...reached, token: answer.token, call }
  const changed = (await exportOf(reached.call)).replace('title: Paris', 'title: Rome')
  const named = changed
    .replaceAll('keep: true\n', ENV)
    .replace('destination: Paris', 'destination: Rome')
  const before = await databaseContent(site.ctx)
  const planned = await applyText(byToken, named, { isDryRun: true })
  expect(planned).toMatchObject({ exitCode: 0 })
  expect(planned.text).toContain("The API token 'Backup' may only read.")
  const refused = await applyText(byToken, named)
  expect(refused.exitCode).toBe(1)
  expect(refused.text).toMatch(/^The API token 'Backup' may only read\..*Nothing was changed\.\n$/)
  expect((await databaseContent(site.ctx))['destinations']).toEqual(before['destinations'])
})

test('a file that is no YAML, or has too many aliases, has a single fault, which says what to do', async () => {
  const site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  const reached = await reach(site)
  const { text } = await applyText(
    reached,
    'version: 1\ngroups:\n  - title: East\n\tmanager: a@b.example\n',
  )
  expect(text).toMatch(
    /^site\.yaml:\d+: This is not YAML: .*begins with a tab\. Indent by spaces\.\n1 fault\./,
  )
  const item = await applyText(reached, 'version: 1\ninputs:\n  -\n')
  expect(item.text).toContain('site.yaml:3: This must be an input with its fields.')
  const bomb = `version: 1\na: &a [${'x,'.repeat(9)}]\nb: &b [${'*a,'.repeat(9)}]\nc: &c [${'*b,'.repeat(9)}]\ninputs: [${'*c,'.repeat(9)}]\n`
  const nested = await applyText(reached, bomb)
  expect(nested).toMatchObject({ exitCode: 1 })
  expect(nested.text).toContain('site.yaml:1: This file has too many aliases')
})

test('T11 a server without adapters, as one is that was not enrolled yet, is no fault of a file', async () => {
  const site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  const { apiKey: _, adapterIps: __, ...draft } = gatewayDraft([site.north])
  const { status } = await site.call('admin', addServer, { body: { ...draft, enrols: true } })
  expect(status).toBe(201)
  const reached = await reach(site)
  const text = await exportOf(reached.call)
  expect(await applyText(reached, text)).toMatchObject({ exitCode: 0 })
  const moved = text.replace(`port: ${String(draft.port)}`, 'port: 19997')
  expect((await applyText(reached, moved)).text).toContain('1 done, 0 refused.')
  const another = serverOf(text)
    .replace(/title: .*/, 'title: Other')
    .replace(/ port: .*/, ' port: 9998')
    .replaceAll('keep: true\n', ENV)
    .replace(/ {4}adapterIps:\n(?: {6}.*\n)+/, '    adapterIps: []\n')
  const withAnother = text.replace('servers:\n', `servers:\n${another}`)
  expect((await applyText(reached, withAnother)).text).toMatch(
    /^site\.yaml:\d+: Please input adapter ips/m,
  )
})
