/** How the records of a large site are read. */
import { expect, test } from 'vitest'
import { HostDirectory } from './host-directory.ts'
import type { HostRecord } from './host-record.ts'

function record(id: string, host = id, more: Partial<HostRecord> = {}): HostRecord {
  return {
    id,
    kind: 'encoder',
    answerer: 'agent',
    address: { host, port: 8000 },
    baseUrl: `http://${host}:8000`,
    apiKey: 'key',
    groupIds: ['north'],
    editorIds: [],
    createdAtMs: 0,
    ...more,
  }
}

/** A database of these parts; `before` is awaited before each. */
function openWith(parts: HostRecord[][], before: () => Promise<void> = async () => {}) {
  const followed: string[] = []
  const scope: string[] = []
  const directory = new HostDirectory(async (change) => {
    followed.push(...change.addresses.map(({ host }) => host))
    scope.push(...change.scope.map(({ id }) => id))
    return Promise.resolve()
  })
  directory.use({
    readRecords: async () => Promise.resolve(parts.flat()),
    async *readAllRecords() {
      for (const part of parts) {
        await before()
        yield part
      }
    },
    readLeftHosts: async () => Promise.resolve([]),
  })
  return { directory, followed, scope }
}

test('W7 the hosts of a part are followed before the next part is read', async () => {
  const seen: string[][] = []
  const parts = [[record('a')], [record('b')], [record('c')]]
  const { directory, followed } = openWith(parts, async () => {
    seen.push([...followed])
    return Promise.resolve()
  })
  await directory.read({ by: 'all' })
  expect(seen).toEqual([[], ['a'], ['a', 'b']])
})

test('a record that is in no part any more is forgotten, and others tell of nothing', async () => {
  const parts = [[record('a', 'shared'), record('b', 'shared')], [record('c')]]
  const { directory, followed, scope } = openWith(parts)
  await directory.read({ by: 'all' })
  const shared = { host: 'shared', port: 8000 }
  parts[0]?.shift()
  for (const list of [followed, scope]) list.length = 0
  await directory.read({ by: 'all' })
  expect([scope, followed.toSorted()]).toEqual([['a'], ['c', 'shared', 'shared']])
  expect(directory.records.at(shared).map(({ id }) => id)).toEqual(['b'])
  expect(directory.records.all().map(({ id }) => id)).toEqual(['b', 'c'])
})

test('records of one host stay in their order, and hold what is alike once', async () => {
  const { directory } = openWith([[record('a', 'shared'), record('b', 'shared')]])
  await directory.read({ by: 'all' })
  await directory.read({ by: 'encoder', id: 'a' })
  const [first, second] = directory.records.at({ host: 'shared', port: 8000 })
  expect([first?.id, second?.id]).toEqual(['a', 'b'])
  expect(second?.groupIds).toBe(first?.groupIds)
  expect(second?.address).toBe(first?.address)
})
