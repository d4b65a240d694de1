/** The API of a fleet of fake agents, its bare counterpart, and viewers of both. */
import { once } from 'node:events'
import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { Connection } from '@trunkline/api/db/open'
import { countsKey, programKey } from '@trunkline/contract/fleet/watch-key.rules'
import type { Client } from '@trunkline/testbed/api-client'
import { signIn } from '@trunkline/testbed/seed'
import { WebSocket } from 'ws'
import { closedBySignals } from './ending.ts'
import { addressOf } from './fleet/fake-fleet.ts'
import { EMAIL, fillSite, PASSWORD, startApi } from './large-site.ts'
import { openLiveStream } from './live-stream.ts'

/** One person has 24 streams at most. */
const PEOPLE = 10
/** What a viewer shows. */
const PAGE = 12
const CAUSE = /"cause":"(change [^"]+)"/g

export interface Watched extends AsyncDisposable {
  /** Told of each change that comes, by its cause. */
  onCause: (hear: (cause: string) => void) => void
}

interface FleetSize {
  hosts: number
  port: number
  /** Of a PostgreSQL that is empty, in place of an SQLite file. */
  url?: string
}

/** An encoder that is to run on each host. */
export async function startFleetApi(dataDir: string, size: FleetSize) {
  await fillFleetSite(dataDir, size)
  return startAnotherFleetApi(dataDir, size)
}

async function fillFleetSite(dataDir: string, size: FleetSize): Promise<void> {
  const { hosts, port, url } = size
  const place = url === undefined ? { port } : { port, url }
  await fillSite(dataDir, { encoders: hosts, perHost: 1, ...place }, fillFleet)
}

/** On a site that stands already. */
export async function startAnotherFleetApi(dataDir: string, { url }: Pick<FleetSize, 'url'>) {
  const api = await startApi(dataDir, url === undefined ? {} : { TRUNKLINE_DATABASE_URL: url })
  const baseUrl = `http://127.0.0.1:${api.port}`
  const clients = await Promise.all(
    Array.from({ length: PEOPLE }, async (_, at) => signIn(baseUrl, emailOf(at), PASSWORD)),
  )
  let viewers = 0
  return {
    pid: api.pid,
    url: baseUrl,
    client: () => clients[0] ?? { baseUrl, token: '' },
    readGauge: async () => api.readGauge(),
    watch: async (page: readonly number[]) => {
      const client = clients[viewers++ % PEOPLE]
      if (client === undefined) throw new Error('There are people.')
      return watchApi(client, page)
    },
    [Symbol.asyncDispose]: async () => api.stop(),
  }
}

function emailOf(person: number): string {
  return person === 0 ? EMAIL : `viewer${person}@trunkline.example`
}

async function fillFleet(db: Connection): Promise<void> {
  await db.deleteFrom('feeders').execute()
  const boss = await db.selectFrom('users').selectAll().executeTakeFirstOrThrow()
  const others = Array.from({ length: PEOPLE - 1 }, (_, at) => ({
    ...boss,
    id: `viewer-${at + 1}`,
    email: emailOf(at + 1),
  }))
  await db.insertInto('users').values(others).execute()
  await db.updateTable('encoders').set({ is_enabled: 1, wanted_running: 1 }).execute()
}

/** Pages lie side by side, and begin again at the end of the fleet. */
export function pageOf(viewer: number, hosts: number): number[] {
  return Array.from({ length: PAGE }, (_, at) => (viewer * PAGE + at) % hosts)
}

async function watchApi(client: Client, page: readonly number[]): Promise<Watched> {
  const end = new AbortController()
  const keys = [...page.map((host) => programKey('encoder', `e-${host + 1}`)), countsKey('all', '')]
  const response = await openLiveStream(client, keys, end.signal)
  if (!response.ok) throw new Error(`The live stream is refused: ${response.status}.`)
  let hear: (cause: string) => void = () => undefined
  const all = Promise.withResolvers<void>()
  const read = async () => {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      const text = rest + decoder.decode(chunk as Uint8Array, { stream: true })
      const at = text.lastIndexOf('\n\n') + 2
      rest = text.slice(at)
      if (text.includes('event: watching')) all.resolve()
      for (const [, cause = ''] of text.slice(0, at).matchAll(CAUSE)) hear(cause)
    }
  }
  const ended = read().catch(() => undefined)
  await all.promise
  return {
    onCause: (next) => (hear = next),
    async [Symbol.asyncDispose]() {
      end.abort()
      await ended
    },
  }
}

export async function startRelay(hosts: number, port: number) {
  const child = fork(join(import.meta.dirname, 'bare-relay.ts'), [String(hosts), String(port)])
  const stop = closedBySignals(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const [ready] = (await once(child, 'message')) as [{ port: number }]
  return {
    pid: child.pid ?? 0,
    watch: async (page: readonly number[]) => watchRelay(ready.port, page),
    [Symbol.asyncDispose]: stop,
  }
}

async function watchRelay(port: number, page: readonly number[]): Promise<Watched> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false })
  await once(socket, 'open')
  socket.send(JSON.stringify(page.map(addressOf)))
  return {
    onCause: (hear) => {
      socket.on('message', (data: Buffer) => {
        for (const [, cause = ''] of data.toString('utf8').matchAll(CAUSE)) hear(cause)
      })
    },
    async [Symbol.asyncDispose]() {
      socket.terminate()
      await Promise.resolve()
    },
  }
}
