/** Rows of CSV files against the real API: what the console's preview promises is what is stored. */
import {
  csvCells,
  csvColumns,
  type CsvKind,
  csvText,
} from '@trunkline/contract/as-text/csv-columns.rules'
import { carryOut } from '@trunkline/contract/as-text/import.client'
import { SitePlanner } from '@trunkline/contract/as-text/site-plan.rules'
import type { StoredObject } from '@trunkline/contract/as-text/text-object.schema'
import {
  updateDestination,
  listDestinations,
} from '@trunkline/contract/contributions/destination.calls'
import { addEncoder } from '@trunkline/contract/encoders/encoder.calls'
import type { Failure } from '@trunkline/contract/failure.schema'
import type { Role } from '@trunkline/contract/roles'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openTestSite, type TestSite } from '../../testing/test-site.ts'
import { makeApiCall } from '../api.client.ts'
import { fillSite, type Reached, reach } from './apply.fixture.ts'
import { readAllObjects } from './apply.ts'

let site: TestSite
let reached: Reached
beforeEach(async () => {
  site = await openTestSite()
  onTestFinished(async () => site[Symbol.asyncDispose]())
  await fillSite(site)
  reached = await reach(site)
})

type Row = Record<string, string>

function rowOf(kind: CsvKind, stored: StoredObject | undefined): Row {
  const cells = csvCells(kind, stored?.text ?? {})
  return Object.fromEntries(csvColumns(kind).map((column, index) => [column, cells[index] ?? '']))
}

/** Plans the rows and saves what they add or change; answers what became of each. */
async function importRows(kind: CsvKind, rows: readonly Row[], role: Role | null = 'admin') {
  const { call } = reached
  const all = await readAllObjects(call)
  const entries = rows.map((row, index) => ({
    kind,
    text: csvText(Object.keys(row), Object.values(row)),
    isWhole: false,
    line: index + 2,
  }))
  const planner = new SitePlanner(all, entries, role)
  const versions = new Map<string, number>()
  const outcomes = []
  for (const entry of entries) {
    const planned = planner.plan(entry)
    const isSent = planned.will === 'add' || planned.will === 'change'
    const carried = isSent ? await carryOut(call, all, planned, versions) : null
    const error = carried?.error instanceof Error ? carried.error.message : ''
    outcomes.push({ will: planned.will, faults: planned.faults, error })
  }
  return outcomes
}

async function storedRow(kind: CsvKind, title: string): Promise<Row> {
  const { objects } = await readAllObjects(reached.call)
  return rowOf(
    kind,
    objects[kind].find(({ key }) => key.at(-1) === title),
  )
}

const done = (will: string) => ({ will, faults: [], error: '' })

test.each(['user', 'destination', 'encoder', 'input', 'output'] as const)(
  'each stored %s is no change by its own row',
  async (kind) => {
    const { objects } = await readAllObjects(reached.call)
    expect(objects[kind].length).toBeGreaterThan(0)
    const outcomes = await importRows(
      kind,
      objects[kind].map((stored) => rowOf(kind, stored)),
    )
    expect(outcomes).toEqual(objects[kind].map(() => done('stay')))
  },
)

test.each([
  [
    'destination',
    'Paris',
    { ip: '192.0.2.99' },
    { title: 'Lyon', 'encryption.passphrase': 'a-new-passphrase' },
  ],
  [
    'input',
    'Marathon km 30',
    { 'config.latency': '500' },
    {
      title: 'Second',
      'config.port': '6050',
      'config.multicast': '',
      'config.multicastPort': '',
      'encryption.passphrase': 'a-new-passphrase',
    },
  ],
  [
    'output',
    'to RIST',
    { 'config.secondPath.host': '', 'config.secondPath.port': '' },
    { title: 'Third', 'config.port': '7110' },
  ],
  ['encoder', 'Camera 0', { location: 'Gate 3', port: '' }, { title: 'Camera 9', apiKey: '' }],
] as const)('a row changes a %s, and another adds one', async (kind, title, change, added) => {
  const row = await storedRow(kind, title)
  const changed: Row = { ...row, ...change }
  // Back to its own: an empty port would be the default.
  if (kind === 'encoder') changed['port'] = row['port'] ?? ''
  const outcomes = await importRows(kind, [changed, { ...row, ...added }])
  expect(outcomes).toEqual([done('change'), done('add')])
  expect(await storedRow(kind, title)).toEqual({
    ...changed,
    ...('config.secondPath.host' in changed ? { 'config.secondPath.adapterIp': '' } : {}),
  })
  expect((await storedRow(kind, added.title))['title']).toBe(added.title)
})

test('a row adds a user with a role and a group, and changes the name and role of another', async () => {
  const [added, manager] = ['new@trunkline.example', site.people.loneManager.email]
  const outcomes = await importRows('user', [
    {
      email: added,
      firstName: 'New',
      lastName: 'Person',
      role: 'manager',
      groups: '',
      password: 'horse battery 77',
    },
    { ...(await storedRow('user', manager)), firstName: 'Other', role: 'admin' },
    { ...(await storedRow('user', site.people.northEditor.email)), groups: 'South' },
    {
      email: 'short@trunkline.example',
      firstName: 'A',
      lastName: 'B',
      role: 'admin',
      password: 'x',
    },
    { email: 'none@trunkline.example', firstName: 'A', lastName: 'B', role: 'admin' },
  ])
  expect(outcomes.map(({ will, error }) => [will, error])).toEqual([
    ['add', ''],
    ['change', ''],
    ['fail', ''],
    ['fail', ''],
    ['fail', ''],
  ])
  expect(outcomes.slice(2).map(({ faults }) => faults.map(({ field }) => field))).toEqual([
    ['groups'],
    ['password'],
    ['password'],
  ])
  expect(await storedRow('user', manager)).toMatchObject({ firstName: 'Other', role: 'admin' })
  expect(await storedRow('user', added)).toMatchObject({ firstName: 'New', role: 'manager' })
})

test('a row whose object was saved after the preview is refused, and keeps what was saved', async () => {
  const all = await readAllObjects(reached.call)
  const [stored] = all.objects.destination
  const row = { ...rowOf('destination', stored), ip: '192.0.2.50' }
  const text = csvText(Object.keys(row), Object.values(row))
  const planned = new SitePlanner(all, [], 'admin').plan({
    kind: 'destination',
    text,
    isWhole: false,
    line: 2,
  })
  const { answer } = await site.call('admin', listDestinations, { query: {} })
  const [current] = answer.destinations
  const { _id: id = '', title = '', groupId = '' } = current ?? {}
  const body = {
    title,
    groupId,
    ip: '192.0.2.60',
    encryption: { selection: 'yes' as const, type: 256 as const },
  }
  expect((await site.call('admin', updateDestination, { params: { id }, body })).status).toBe(200)
  const { error } = await carryOut(reached.call, all, planned, new Map())
  expect(String(error)).toMatch(/changed|saved/i)
  expect(await storedRow('destination', 'Paris')).toMatchObject({ ip: '192.0.2.60' })
})

test('what an API refuses at a field names the field', async () => {
  const row = await storedRow('encoder', 'Camera 0')
  // Planned for a role that they no longer have.
  const elsewhere = { ...row, title: 'Elsewhere', ip: '127.0.0.2', apiKey: '' }
  const [outcome] = await importRows('encoder', [elsewhere], 'manager')
  expect(outcome).toMatchObject({
    will: 'add',
    error: expect.stringContaining('apiKey is missing') as string,
  })
})

test('a new encoder on a new host without a key is at fault in the words of the API', async () => {
  const row = { ...(await storedRow('encoder', 'Camera 0')), ip: '127.0.0.2', apiKey: '' }
  const { answer } = await site.call('admin', addEncoder, {
    body: { title: 'By the form', ip: row['ip'] ?? '', groupId: site.north },
  })
  const [issue] = (answer as unknown as Failure).issues ?? []
  const keyless = {
    will: 'fail',
    faults: [{ field: issue?.field, sentence: issue?.message }],
    error: '',
  }
  const outcomes = await importRows('encoder', [
    { ...row, title: 'Wrong', email: 'nobody', apiKey: 'a-key-of-the-host' },
    { ...row, title: 'No key' },
    { ...row, title: 'First', apiKey: 'a-key-of-the-host' },
    { ...row, title: 'Second' },
  ])
  expect(outcomes[0]?.will).toBe('fail')
  expect(outcomes.slice(1)).toEqual([keyless, done('add'), done('add')])
})

test('for a manager a new host gets a key of its own', async () => {
  const row = await storedRow('encoder', 'Camera 0')
  const { token } = site.people.northManager
  reached.call = makeApiCall({ url: reached.url, token }, [])
  const outcomes = await importRows(
    'encoder',
    [{ ...row, title: 'Elsewhere', ip: '127.0.0.2', apiKey: '' }],
    'manager',
  )
  expect(outcomes).toEqual([done('add')])
})
