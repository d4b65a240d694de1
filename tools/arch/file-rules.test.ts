import { expect, test } from 'vitest'
import { checkFiles, checkFolders } from './file-rules.ts'

function faultsOf(path: string, text: string): string[] {
  return checkFiles([{ path: `packages/${path}`, text }])
}

/** Each row: what is used, a room where that is refused, and its door. */
const DOORS: [text: string, refused: string, door: string][] = [
  ['const a = process.env.HOME', 'api/src/app.ts', 'api/src/config.ts'],
  ['const a = `${process.env["X"]}`', 'agent/src/host/tools.ts', 'agent/src/config.ts'],
  ['await fetch(url)', 'console/src/users/user.queries.ts', 'console/src/lib/call.ts'],
  ['await window.fetch(url)', 'console/src/app/router.tsx', 'console/src/lib/live/live-fetch.ts'],
  ['localStorage.clear()', 'console/src/lib/call.ts', 'console/src/lib/storage.ts'],
  ['window.sessionStorage', 'console/src/ui/theme.ts', 'console/src/lib/storage.ts'],
  [`import { sql } from 'kysely'`, 'api/src/users/user.service.ts', 'api/src/users/user.store.ts'],
  [`import pg from 'pg'`, 'api/src/users/user.store.ts', 'api/src/db/open.ts'],
  [`import { WebSocket } from 'ws'`, 'api/src/fleet/board.ts', 'api/src/hosts/host-link.ts'],
  [
    `import { XMLParser } from 'fast-xml-parser'`,
    'agent/src/programs/program.service.ts',
    'agent/src/supervisor/supervisor.client.ts',
  ],
]

test.each(DOORS)('rule 7 one door: %s', (text, refused, door) => {
  expect(faultsOf(refused, text)).toHaveLength(1)
  expect(faultsOf(door, text)).toEqual([])
})

test('rule 7 nothing opens an EventSource: it cannot send the token', () => {
  expect(faultsOf('console/src/lib/live/live.ts', 'new EventSource(url)')).toHaveLength(1)
})

test('a method or a comment of the same name does not count', () => {
  const text = `// fetch(x), localStorage\nclient.fetch(1); const s = 'process.env'; refetch()`
  expect(faultsOf('console/src/users/user.queries.ts', text)).toEqual([])
})

test.each(['index.ts', 'utils.ts', 'helpers.ts', 'manager.ts', 'types.ts'])(
  'a file is not named %s',
  (name) => {
    expect(faultsOf(`api/src/users/${name}`, '')).toHaveLength(1)
  },
)

test('a file that only re-exports others is a barrel', () => {
  expect(faultsOf('api/src/users/user.ts', `export * from './a.ts'`)).toHaveLength(1)
})

test('a file has at most 400 lines', () => {
  expect(faultsOf('api/src/users/user.service.ts', 'a\n'.repeat(400))).toEqual([])
  expect(faultsOf('api/src/users/user.service.ts', 'a\n'.repeat(401))).toHaveLength(1)
})

test('a folder has at most 30 files, those of its folders not counted', () => {
  const paths = Array.from({ length: 30 }, (_, index) => `e2e/${index}.css`)
  expect(checkFolders([...paths, 'e2e/more/a.ts'])).toEqual([])
  expect(checkFolders([...paths, 'e2e/a.test.ts'])).toEqual(['e2e: 31 files, more than 30'])
})
