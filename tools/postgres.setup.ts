/**
 * Once for all test files of the API: a folder, a PostgreSQL, and one migrated database of each
 * kind, of which tests take copies. All of it is gone when the run ends, in whatever way.
 */
import { openDatabase } from '@trunkline/api/db/open'
import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openKeptFolder } from './keeper.mjs'
import { startPostgres } from './postgres.mjs'
import './postgres.provided.ts'

/** Memory as a file system: waiting for a disk would prove nothing here. */
const MEMORY_FOLDER = '/dev/shm'
const TEMPLATE = 'trunkline_template'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Removed after this process: until then a test of an interrupted run may still write into it.
  const { path } = openKeptFolder('trunkline-api-', parentFolder())
  await using stack = new AsyncDisposableStack()
  const postgres = stack.use(await startPostgres({ auth: 'md5' }))
  const sqliteTemplate = join(path, 'template.db')
  await migrate({ kind: 'sqlite', file: sqliteTemplate })
  await migrate({ kind: 'postgres', url: await createTemplate(postgres.url) })
  project.provide('apiFolder', path)
  project.provide('sqliteTemplate', sqliteTemplate)
  project.provide('postgresUrl', postgres.url)
  project.provide('postgresTemplate', TEMPLATE)
  project.provide('writesExamples', process.env['TRUNKLINE_WRITE_EXAMPLES'] === '1')
  const open = stack.move()
  return async () => open.disposeAsync()
}

function parentFolder(): string {
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK)
    return MEMORY_FOLDER
  } catch {
    return tmpdir()
  }
}

async function migrate(target: Parameters<typeof openDatabase>[0]): Promise<void> {
  const db = await openDatabase(target)
  await db.destroy()
}

async function createTemplate(server: string): Promise<string> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  const url = new URL(server)
  url.pathname = `/${TEMPLATE}`
  return url.toString()
}
