/** A whole site for tests that must hold on SQLite and on PostgreSQL alike. */
import { onTestFinished } from 'vitest'
import type { Config } from '../config.ts'
import { createPostgresDatabase } from './databases.ts'
import { makeTestContext, type TestContext } from './test-context.ts'
import { openTestSite, type TestSite } from './test-site.ts'

export const BOTH_DATABASES = ['SQLite', 'PostgreSQL'] as const

/** Open until the test ends. `more` overrides settings. */
export async function openSiteOn(
  kind: (typeof BOTH_DATABASES)[number],
  more: Partial<Config> = {},
): Promise<TestSite> {
  // Ended in the reverse order: the database goes last.
  const where = kind === 'SQLite' ? {} : { databaseUrl: await databaseUrl() }
  const site = await openTestSite({ ...more, ...where })
  onTestFinished(async () => site[Symbol.asyncDispose]())
  return site
}

/** A context without hosts or people. Open until the test ends. */
export async function openContextOn(kind: (typeof BOTH_DATABASES)[number]): Promise<TestContext> {
  const where = kind === 'SQLite' ? {} : { databaseUrl: await databaseUrl() }
  const opened = await makeTestContext(where)
  onTestFinished(async () => opened[Symbol.asyncDispose]())
  return opened
}

async function databaseUrl(): Promise<string> {
  const database = await createPostgresDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  return database.url
}
