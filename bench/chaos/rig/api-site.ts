/**
 * An empty site of API processes on one database, without hosts. Each process can be killed, and is
 * started again at the same port with the same data. `CHAOS_DATABASE=postgres`: in a PostgreSQL.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase, type Connection, type DatabaseTarget } from '@trunkline/api/db/open'
import { openPostgresDoor, type PostgresDoor } from '@trunkline/api/testing/postgres-door'
import type { Client } from '@trunkline/testbed/api-client'
import type { OwnProcess } from '@trunkline/testbed/child'
import { signIn } from '@trunkline/testbed/seed'
import { openDatabases, settingsOf, type SiteDatabases } from '../../kit/database.ts'
import { EMAIL, PASSWORD, startApi } from '../../kit/large-site.ts'

export interface ChaosApi {
  /** The superadmin's. Its session outlives a kill. */
  readonly client: Client
  readonly process: OwnProcess
  /** Without warning, as the kernel does when memory runs out. */
  kill(): Promise<void>
  /** Answers after how many milliseconds it answered a call. */
  start(): Promise<number>
}

export interface ApiSite extends AsyncDisposable {
  readonly database: 'sqlite' | 'postgres'
  readonly dataDir: string
  /** Never empty. */
  readonly apis: readonly ChaosApi[]
  readonly first: ChaosApi
  /** Between the API and its PostgreSQL; null on SQLite. */
  readonly postgresDoor: PostgresDoor | null
  /** Of what is stored, for when no API runs. */
  openStored(): Promise<Connection>
}

interface MoreOfSite {
  /** In place of those that `CHAOS_DATABASE` asks for; closed with the site. */
  databases?: SiteDatabases
  /** More of the environment of each process. */
  apiEnv?: Readonly<Record<string, string>>
}

/** `processes`: on PostgreSQL; SQLite has one. */
export async function openApiSite(processes: number, more: MoreOfSite = {}): Promise<ApiSite> {
  await using life = new AsyncDisposableStack()
  const databases = life.use(more.databases ?? (await openDatabases('CHAOS_DATABASE')))
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-chaos-'))
  life.defer(() => rmSync(folder, { recursive: true, force: true }))
  const dataDir = join(folder, 'data')
  const url = await databases.open('chaos')
  const postgresDoor = url === null ? null : life.use(await openPostgresDoor(url))
  const settings = {
    ...settingsOf(postgresDoor?.url ?? null),
    ...more.apiEnv,
    TRUNKLINE_ADMIN_EMAIL: EMAIL,
    TRUNKLINE_ADMIN_PASSWORD: PASSWORD,
  }
  const apis: ChaosApi[] = []
  while (apis.length < (databases.kind === 'sqlite' ? 1 : processes)) {
    const api = await openApi(dataDir, settings)
    life.defer(async () => api.process.stop())
    apis.push(api)
  }
  const [first] = apis
  if (first === undefined) throw new Error('A site has one API process or more.')
  const end = life.move()
  return {
    database: databases.kind,
    dataDir,
    postgresDoor,
    apis,
    first,
    openStored: async () => openDatabase(storedPlace(dataDir, url)),
    [Symbol.asyncDispose]: async () => end.disposeAsync(),
  }
}

/** Where an API with this data folder stores; `url` null: in SQLite. */
export function storedPlace(dataDir: string, url: string | null): DatabaseTarget {
  if (url !== null) return { kind: 'postgres', url }
  return { kind: 'sqlite', file: join(dataDir, 'trunkline.db') }
}

export async function openApi(
  dataDir: string,
  settings: Readonly<Record<string, string>>,
): Promise<ChaosApi> {
  let running = await startApi(dataDir, settings)
  const { port } = running
  const baseUrl = `http://127.0.0.1:${port}`
  const client = await signIn(baseUrl, EMAIL, PASSWORD)
  return {
    client,
    get process() {
      return running
    },
    async kill() {
      process.kill(running.pid, 'SIGKILL')
      await running.ended
    },
    async start() {
      const startedAtMs = performance.now()
      running = await startApi(dataDir, { ...settings, TRUNKLINE_PORT: String(port) })
      await fetch(`${baseUrl}/api/health`).then(async (answer) => answer.text())
      return performance.now() - startedAtMs
    },
  }
}
