/** Where a bench keeps its sites: in SQLite files, or in a PostgreSQL of its own. */
import pg from 'pg'
import { startPostgres } from '../../tools/postgres.mjs'

export interface SiteDatabases extends AsyncDisposable {
  readonly kind: 'sqlite' | 'postgres'
  /** An empty database; null for a file in the site's own folder. */
  open(name: string): Promise<string | null>
  /** What the planner knows of a site, once it is filled. */
  analyze(url: string | null): Promise<void>
}

/** `setting`: the variable that says which: 'sqlite', as without it, or 'postgres'. */
export async function openDatabases(setting: string): Promise<SiteDatabases> {
  const asked = process.env[setting] ?? 'sqlite'
  if (asked === 'sqlite') {
    return {
      kind: 'sqlite',
      open: async () => Promise.resolve(null),
      analyze: async () => Promise.resolve(),
      [Symbol.asyncDispose]: async () => Promise.resolve(),
    }
  }
  if (asked !== 'postgres') throw new Error(`${setting} is sqlite or postgres, not '${asked}'.`)
  const server = await startPostgres()
  return {
    kind: 'postgres',
    async open(name) {
      await ask(server.url, `create database ${name}`)
      const url = new URL(server.url)
      url.pathname = `/${name}`
      return url.href
    },
    analyze: async (url) => (url === null ? undefined : ask(url, 'vacuum analyze')),
    [Symbol.asyncDispose]: async () => server[Symbol.asyncDispose](),
  }
}

async function ask(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

export function settingsOf(url: string | null): Readonly<Record<string, string>> {
  return url === null ? {} : { TRUNKLINE_DATABASE_URL: url }
}
