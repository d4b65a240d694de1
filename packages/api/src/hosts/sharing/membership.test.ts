/** Who may act on a host, and that two never may at once. */
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createPostgresDatabase } from '../../testing/databases.ts'
import { openPostgresDoor, type PostgresDoor } from '../../testing/postgres-door.ts'
import { Membership, type ShareTiming } from './membership.ts'
import { ProcessTable } from './process.store.ts'
import { until } from './shared-hosts.fixture.ts'

const TIMING: ShareTiming = { beatMs: 40, leaseMs: 400, silentMs: 500 }
const HOSTS = Array.from({ length: 40 }, (_, at) => `10.0.0.${at}:7001`)

interface Process {
  membership: Membership
  door: PostgresDoor
}

async function openDatabase() {
  const database = await createPostgresDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  return database.url
}

async function join(url: string, timing: ShareTiming = TIMING): Promise<Process> {
  const stack = new AsyncDisposableStack()
  onTestFinished(async () => stack.disposeAsync())
  const door = stack.use(await openPostgresDoor(url))
  const table = stack.use(new ProcessTable(door.url, timing.leaseMs))
  const membership = stack.use(
    await Membership.join({
      table,
      address: '127.0.0.1:1',
      timing,
      log: pino({ level: 'silent' }),
      onChange: () => undefined,
    }),
  )
  return { membership, door }
}

function actingOn(at: string, processes: readonly Process[]): number {
  return processes.filter(({ membership }) => membership.mayAct(at)).length
}

/** Hosts that two act on at any moment that is looked at until `isDone`. */
async function withTwo(processes: readonly Process[], isDone: () => boolean): Promise<string[]> {
  const found = new Set<string>()
  await until(() => {
    for (const at of HOSTS) if (actingOn(at, processes) > 1) found.add(at)
    return isDone()
  })
  return [...found]
}

/** Each host has one, and each has a host. */
function isShared(processes: readonly Process[]): boolean {
  return (
    HOSTS.every((at) => actingOn(at, processes) === 1) &&
    processes.every((each) => HOSTS.some((at) => actingOn(at, [each]) === 1))
  )
}

test('a process that is alone acts on every host at once', async () => {
  // A lease that outlives any pause of a busy machine.
  const only = await join(await openDatabase(), { ...TIMING, leaseMs: 60_000, silentMs: 60_000 })
  expect(isShared([only])).toBe(true)
})

test('of two that come at the same moment each gets its hosts, and no host has two', async () => {
  const url = await openDatabase()
  const both = await Promise.all([join(url), join(url)])
  expect(await withTwo(both, () => isShared(both))).toEqual([])
})

test('F18 a process without its database gives up before others take over, and comes back with its share', async () => {
  const url = await openDatabase()
  const all = [await join(url), await join(url), await join(url)] as const
  expect(await withTwo(all, () => isShared(all))).toEqual([])
  const [cut, ...others] = all
  const before = cut.membership.id
  await cut.door.shut()
  expect(await withTwo(all, () => isShared(others))).toEqual([])
  expect(HOSTS.some((at) => cut.membership.mayAct(at))).toBe(false)
  await cut.door.open()
  expect(await withTwo(all, () => isShared(all))).toEqual([])
  expect(cut.membership.id).not.toBe(before)
})

test('when no process reaches the database, none acts and none is removed', async () => {
  const url = await openDatabase()
  const all = [await join(url), await join(url)]
  expect(await withTwo(all, () => isShared(all))).toEqual([])
  const ids = all.map(({ membership }) => membership.id)
  await Promise.all(all.map(async ({ door }) => door.shut()))
  await until(() => HOSTS.every((at) => actingOn(at, all) === 0))
  await Promise.all(all.map(async ({ door }) => door.open()))
  expect(await withTwo(all, () => isShared(all))).toEqual([])
  expect(all.map(({ membership }) => membership.id)).toEqual(ids)
})

test('one that ends in order leaves its hosts to the others at once', async () => {
  const url = await openDatabase()
  const all = [await join(url), await join(url)] as const
  expect(await withTwo(all, () => isShared(all))).toEqual([])
  await all[0].membership[Symbol.asyncDispose]()
  expect(await withTwo(all, () => isShared([all[1]]))).toEqual([])
})
