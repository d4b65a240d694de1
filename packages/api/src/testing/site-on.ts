/** A whole site for tests that must hold on SQLite and on PostgreSQL alike. */
import { onTestFinished } from 'vitest'
import { createPostgresDatabase } from './databases.ts'
import { openTestSite, type TestSite } from './test-site.ts'

export const BOTH_DATABASES = ['SQLite', 'PostgreSQL'] as const

/** Open until the test ends. */
export async function openSiteOn(kind: (typeof BOTH_DATABASES)[number]): Promise<TestSite> {
  // Ended in the reverse order: the database goes last.
  const more = kind === 'SQLite' ? {} : { databaseUrl: await databaseUrl() }
  const site = await openTestSite(more)
  onTestFinished(async () => site[Symbol.asyncDispose]())
  return site
}

async function databaseUrl(): Promise<string> {
  const database = await createPostgresDatabase()
  onTestFinished(async () => database[Symbol.asyncDispose]())
  return database.url
}
