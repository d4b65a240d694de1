import { existsSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, test } from 'vitest'
import { startPostgres } from './postgres.mjs'

test('the tests have a real PostgreSQL that is gone after them', async () => {
  const postgres = await startPostgres()
  try {
    const client = new pg.Client(postgres.url)
    await client.connect()
    await client.query('CREATE DATABASE of_one_test_file')
    const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database')
    await client.end()
    expect(rows.map((row) => row.datname)).toContain('of_one_test_file')
    // setpriv has become the server: the pid that is ended is the server's own.
    expect(readFileSync(`/proc/${postgres.pid}/comm`, 'utf8').trim()).toBe('postgres')
  } finally {
    await postgres[Symbol.asyncDispose]()
  }
  expect(existsSync(`/proc/${postgres.pid}`)).toBe(false)
})
