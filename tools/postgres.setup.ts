/** Starts PostgreSQL once for all test files of the API; each makes a database of its own in it. */
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.mjs'
import './postgres.provided.ts'

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres()
  project.provide('postgresUrl', postgres.url)
  return async () => postgres[Symbol.asyncDispose]()
}
