/**
 * An API and three hosts with a real agent and supervisord each, on loopback, and running links from each
 * host to the next. Between the API and each agent is a door that can be cut.
 */
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseTarget } from '@trunkline/api/db/open'
import { addInput } from '@trunkline/contract/contributions/input.calls'
import { addOutput } from '@trunkline/contract/contributions/output.calls'
import { readLive } from '@trunkline/contract/fleet/fleet.calls'
import { addServer } from '@trunkline/contract/servers/server.calls'
import { callApi, type Client } from '@trunkline/testbed/api-client'
import { openSink, startStream, type Sink } from '@trunkline/testbed/encoder-streams/steady-stream'
import { agentStart } from '@trunkline/testbed/site-processes'
import { writePrivate } from '@trunkline/testbed/site-plan'
import { claimRange, type SiteRange } from '@trunkline/testbed/site-range'
import { openTcpDoor, type TcpDoor } from '@trunkline/testbed/tcp-door'
import { TrainingHost } from '@trunkline/testbed/training/training-host'
import { openDatabases, settingsOf, type SiteDatabases } from '../../kit/database.ts'
import { EMAIL, PASSWORD } from '../../kit/large-site.ts'
import { endedWithBench } from '../../kit/site.ts'
import { openApi, storedPlace, type ChaosApi } from './api-site.ts'
import { commandLink } from './link-command.ts'
import { addHome, type Home } from './writers.ts'

const HOSTS = 3
const RATE_KBPS = 250
const LATENCY_MS = 300
const START_TRIES = 5
const START_AGAIN_MS = 2000
const HOST_KEY = 'the-key-of-a-host-of-chaos'
/** In the range of a site: seats of agents, doors before them, the source, then links. */
const OFFSETS = { seat: 0, door: 4, source: 8, links: 20 }

export interface MediaHost {
  readonly title: string
  readonly serverId: string
  readonly agentDir: string
  readonly door: TcpDoor
  readonly host: TrainingHost
}

export interface MediaLink {
  readonly protocol: 'SRT' | 'RIST'
  readonly sender: MediaHost
  readonly receiver: MediaHost
  readonly inputId: string
  readonly outputId: string
  /** That the input listens on. */
  readonly port: number
  /** Hears the bus behind the input. */
  readonly sink: Sink
}

export interface MediaSite extends AsyncDisposable {
  readonly api: ChaosApi
  readonly client: Client
  readonly database: 'sqlite' | 'postgres'
  readonly hosts: readonly MediaHost[]
  readonly links: readonly MediaLink[]
  readonly home: Home
  readonly stored: DatabaseTarget
  /** One more process on the same PostgreSQL; it ends with the site. */
  openAnotherApi(): Promise<ChaosApi>
}

type Env = Readonly<Record<string, string>>

export interface MoreOfMediaSite {
  /** In place of those that `CHAOS_DATABASE` asks for; closed with the site. */
  databases?: SiteDatabases
  /** More of the environment of each API process. */
  apiEnv?: Env
  /** More of the environment of the agent of that host, counted from 0, and of its programs. */
  agentEnv?: (at: number) => Env
  /** Puts a disk of its own under the empty data folder of an agent, until the site has ended. */
  hostDisk?: (agentDir: string) => Disposable
}

/** All links run, are connected and heard. */
export async function openMediaSite(
  linksPerHost: number,
  more: MoreOfMediaSite,
): Promise<MediaSite> {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-chaos-'))
  return endedWithBench(open(folder, linksPerHost, more), folder)
}

async function open(
  folder: string,
  linksPerHost: number,
  { databases: own, apiEnv = {}, agentEnv = () => ({}), hostDisk }: MoreOfMediaSite,
): Promise<MediaSite> {
  await using life = new AsyncDisposableStack()
  const databases = life.use(own ?? (await openDatabases('CHAOS_DATABASE')))
  const range = life.use(await claimRange(null))
  const url = await databases.open('chaos')
  const dataDir = join(folder, 'data')
  const settings = {
    ...settingsOf(url),
    ...apiEnv,
    TRUNKLINE_ADMIN_EMAIL: EMAIL,
    TRUNKLINE_ADMIN_PASSWORD: PASSWORD,
    TRUNKLINE_BUS_NETWORK: `${range.busNetwork}.0.0/16`,
  }
  const api = await openApi(dataDir, settings)
  life.defer(async () => api.process.stop())
  const { client } = api
  const home = await addHome(client)
  const { groupId } = home
  const hosts: MediaHost[] = []
  for (let at = 0; at < HOSTS; at += 1) {
    const env = agentEnv(at)
    hosts.push(await openHost({ folder, range, client, groupId, at, env, hostDisk }, life))
  }
  await untilOnline(client, HOSTS)
  const source = life.use(await startStream(RATE_KBPS, range.firstPort + OFFSETS.source))
  const links: MediaLink[] = []
  for (const [at, sender] of hosts.entries()) {
    const receiver = hosts[(at + 1) % HOSTS]
    if (receiver === undefined) throw new Error('There are hosts.')
    const bus = { title: `Source of ${sender.title}`, inputType: 'Local' as const, groupId }
    const config = { port: source.port, multicast: source.ip }
    const { id } = await callApi(client, addInput, {
      body: { ...bus, serverId: sender.serverId, config },
    })
    for (let count = 0; count < linksPerHost; count += 1) {
      const port = range.firstPort + OFFSETS.links + 2 * links.length
      const link = await addLink({ client, groupId, sourceId: id, sender, receiver, port })
      life.use(link.sink)
      links.push(link)
    }
  }
  await untilConnected(client, links.length * 2)
  await Promise.all(links.map(async ({ sink }) => sink.until(sink.datagrams + 20)))
  const end = life.move()
  return {
    api,
    client,
    database: databases.kind,
    hosts,
    links,
    home,
    stored: storedPlace(dataDir, url),
    async openAnotherApi() {
      const another = await openApi(dataDir, settings)
      end.defer(async () => another.process.stop())
      return another
    },
    [Symbol.asyncDispose]: async () => end.disposeAsync(),
  }
}

interface Opening {
  folder: string
  range: SiteRange
  client: Client
  groupId: string
  at: number
  env: Env
  hostDisk: MoreOfMediaSite['hostDisk']
}

async function openHost(
  { folder, range, client, groupId, at, env, hostDisk }: Opening,
  life: AsyncDisposableStack,
): Promise<MediaHost> {
  const title = `host${at}`
  const ip = `127.0.0.${at + 2}`
  const agentDir = join(folder, title)
  mkdirSync(agentDir, { recursive: true, mode: 0o700 })
  if (hostDisk !== undefined) life.use(hostDisk(agentDir))
  const port = range.firstPort + OFFSETS.seat + at
  const file = join(folder, `${title}.json`)
  const seats = [{ kind: 'acants', listenIp: ip, port, key: HOST_KEY }]
  writePrivate(file, JSON.stringify({ dataDir: agentDir, seats }))
  const start = agentStart(`The agent of ${title}`, { onOutput: quiet }, file)
  const host = life.use(
    await TrainingHost.open({ ...start, env: { ...start.env, ...env } }, agentDir),
  )
  const door = life.use(
    await openTcpDoor({ port, host: ip }, ip, range.firstPort + OFFSETS.door + at),
  )
  const { data } = await callApi(client, addServer, {
    body: {
      title,
      host: ip,
      port: door.port,
      serverType: 'acants',
      apiKey: HOST_KEY,
      description: '',
      location: '',
      groupIds: [groupId],
      adapterIps: [{ adapterName: 'lo', adapterIp: ip }],
    },
  })
  return { title, serverId: data.id, agentDir, door, host }
}

function quiet(): void {
  // Its log is in its own folder.
}

interface Adding {
  client: Client
  groupId: string
  sourceId: string
  sender: MediaHost
  receiver: MediaHost
  port: number
}

async function addLink(adding: Adding): Promise<MediaLink> {
  const { client, groupId, sourceId, sender, receiver, port } = adding
  const protocol = port % 4 === 0 ? 'RIST' : 'SRT'
  const title = `Port ${port}`
  const config = { port, latency: LATENCY_MS, bufferMin: LATENCY_MS }
  const input = await callApi(client, addInput, {
    body: { title, inputType: protocol, serverId: receiver.serverId, groupId, config },
  })
  await start(client, 'input', input.id)
  const output = await callApi(client, addOutput, {
    body: {
      title,
      inputType: protocol,
      contributionId: sourceId,
      config: { ...config, host: '127.0.0.1' },
    },
  })
  await start(client, 'output', output.id)
  const { multicast, multicastPort = 0 } = input.data.config
  const sink = await openSink({ ip: multicast, port: multicastPort })
  return { protocol, sender, receiver, inputId: input.id, outputId: output.id, port, sink }
}

/** Again when it was not done: on a busy machine a host may be away for a moment. */
async function start(client: Client, kind: 'input' | 'output', id: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const { isDone, sentence } = await commandLink(client, { kind, id }, 'start')
    if (isDone) return
    if (tries === START_TRIES) throw new Error(`The ${kind} ${id} does not start: ${sentence}`)
    await pause(START_AGAIN_MS)
  }
}

async function untilOnline(client: Client, count: number): Promise<void> {
  for (;;) {
    const { data } = await callApi(client, readLive, {})
    if (data.hosts.filter(({ online }) => online).length >= count) return
    await pause(100)
  }
}

async function untilConnected(client: Client, count: number): Promise<void> {
  for (;;) {
    const { data } = await callApi(client, readLive, {})
    const well = data.programs.filter(
      ({ state, peer }) => state === 'running' && peer === 'connected',
    )
    if (well.length >= count) return
    await pause(200)
  }
}
