/**
 * The training site on this machine: API, three hosts, and what they are connected to. `npm start` runs
 * it with TRUNKLINE_DEMO=fleet, the tests a smaller one.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configName } from '@trunkline/contract/encoders/encoder-config.schema'
import { z } from 'zod'
import type { Client } from '../api-client.ts'
import { BreakBook } from '../breaks/break-book.ts'
import type { Break } from '../breaks/break.ts'
import type { BreakParts } from '../breaks/break-parts.ts'
import { breaksOf } from '../breaks/kinds.ts'
import { startOwnProcess, type OwnProcess } from '../child.ts'
import { SUPERADMIN_EMAIL } from '../demo-site.ts'
import { signIn } from '../seed.ts'
import type { SiteClaim } from '../site-claim.ts'
import { writePrivate } from '../site-plan.ts'
import { agentStart, apiStart, baseUrl } from '../site-processes.ts'
import { claimRange, type SiteRange } from '../site-range.ts'
import { TRAINER, type Fleet, type HostName } from './fleet.ts'
import { openMediaServerDoor, openOutside, type Outside } from './outside.ts'
import { TrainingHost } from './training-host.ts'
import {
  agentDirOf,
  coverFileOf,
  storedTrainingPlan,
  trainingPlan,
  writeTrainingAgent,
  type TrainingPlan,
} from './training-plan.ts'
import { seedTraining, type TrainingIds } from './training-seed.ts'

export interface TrainingOptions {
  dataDir: string
  fleet: Fleet
  /** 0 takes any free port. */
  apiPort: number
  apiEnv: Readonly<Record<string, string>>
  onOutput: (name: 'api' | 'agent', text: string) => void
  claim: SiteClaim
  /** Of all people, where the site is loaded in this run; null: it was loaded before. */
  password: string | null
  say: (step: string) => void
}

export interface TrainingSite extends AsyncDisposable {
  readonly url: string
  readonly api: OwnProcess
  restartApi(signal: AbortSignal): Promise<void>
  readonly hosts: readonly TrainingHost[]
  /** To be called after each start of a process: what is to be ended when this process is killed. */
  note(): void
  readonly ids: TrainingIds
  readonly breaks: BreakBook
  /** What the book of breaks causes and heals. */
  readonly causes: readonly Break[]
  /** Of somebody who sees and may change all of it. */
  client(): Promise<Client>
}

/** Everything runs; pictures follow within seconds, and so do the alarms of what is wrong on purpose. */
export async function openTrainingSite(options: TrainingOptions): Promise<TrainingSite> {
  await using life = new AsyncDisposableStack()
  const { dataDir, fleet, claim } = options
  const range = life.use(await claimRange(storedTrainingPlan(dataDir)?.range ?? null))
  const { firstPort } = range
  const plan = trainingPlan(dataDir, range)
  const mediaServerDoor = life.use(await openMediaServerDoor(fleet, firstPort))
  const hosts = await openHosts(options, { plan, range }, life)
  const apiOptions = {
    ...options,
    apiEnv: { TRUNKLINE_BUS_NETWORK: `${range.busNetwork}.0.0/16`, ...options.apiEnv },
  }
  let api = await startOwnProcess(apiStart(apiOptions, options.apiPort))
  life.defer(async () => api.stop())
  const note = () => claim.note([api.pid, ...hosts.map(({ agent }) => agent.pid)])
  note()
  const url = baseUrl(options.apiEnv, api.port)
  const ids =
    options.password === null ? storedIds(dataDir) : await load(options, { url, plan, firstPort })
  const outside = { mediaServerDoor, ...(await openOutside({ ...options, plan, firstPort }, life)) }
  const client = clientOf(url, plan)
  const ending = new AbortController()
  life.defer(() => ending.abort())
  const site = { dataDir, fleet, plan, hosts, outside, ids }
  const parts = { client, ending: ending.signal, targets: targetsOf(site) }
  const causes = breaksOf(parts)
  const breaks = new BreakBook(join(dataDir, 'breaks.json'), causes)
  const end = life.move()
  return {
    url,
    get api() {
      return api
    },
    async restartApi(signal) {
      await api.stop()
      api = await startOwnProcess(apiStart(apiOptions, api.port), signal)
      note()
    },
    hosts,
    note,
    ids,
    breaks,
    causes,
    client,
    [Symbol.asyncDispose]: async () => end.disposeAsync(),
  }
}

async function openHosts(
  { dataDir, fleet, onOutput }: TrainingOptions,
  { plan, range }: { plan: TrainingPlan; range: SiteRange },
  life: AsyncDisposableStack,
): Promise<TrainingHost[]> {
  const opening = fleet.hosts.map(async (host) => {
    const file = writeTrainingAgent(dataDir, host, { plan, range, fleet })
    const start = agentStart(`The agent of ${host.title}`, { onOutput }, file)
    return TrainingHost.open(start, agentDirOf(dataDir, host))
  })
  const opened = await Promise.allSettled(opening)
  // In this order each of them is ended, whichever of them did not start.
  const hosts = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  for (const host of hosts) life.use(host)
  for (const each of opened) if (each.status === 'rejected') throw each.reason
  return hosts
}

const Names = z.record(z.string(), z.string())
const Ids = z.object({
  encoders: z.record(z.string(), z.object({ id: z.string(), feederName: z.string().nullable() })),
  inputs: Names,
  outputs: Names,
  channels: Names,
  gateways: Names,
  streamServer: z.string(),
})

function idsFile(dataDir: string): string {
  return join(dataDir, 'training-ids.json')
}

function storedIds(dataDir: string): TrainingIds {
  const file = idsFile(dataDir)
  if (!existsSync(file)) {
    throw new Error(
      `The training site in ${dataDir} is damaged: ${file} is missing. Remove the folder.`,
    )
  }
  return Ids.parse(JSON.parse(readFileSync(file, 'utf8')))
}

async function load(
  { fleet, dataDir, password, say }: TrainingOptions,
  { url, plan, firstPort }: { url: string; plan: TrainingPlan; firstPort: number },
): Promise<TrainingIds> {
  const client = await signIn(url, SUPERADMIN_EMAIL, password ?? '')
  const ids = await seedTraining(client, { fleet, plan, firstPort, password: password ?? '', say })
  writePrivate(idsFile(dataDir), JSON.stringify(ids, null, 2))
  return ids
}

/** A session of the trainer; a new one where the last may have ended. */
function clientOf(url: string, plan: TrainingPlan): () => Promise<Client> {
  let last: { client: Client; atMs: number } | null = null
  return async () => {
    if (last === null || performance.now() - last.atMs > SESSION_USED_MS) {
      const client = await signIn(url, TRAINER.email, plan.trainerPassword)
      last = { client, atMs: performance.now() }
    }
    return last.client
  }
}

const SESSION_USED_MS = 60_000

interface Opened {
  dataDir: string
  fleet: Fleet
  plan: TrainingPlan
  hosts: readonly TrainingHost[]
  outside: Outside
  ids: TrainingIds
}

/** What is broken on this site; a smaller fleet lacks some of it. */
function targetsOf(site: Opened): BreakParts['targets'] {
  const { ids, outside, hosts, fleet } = site
  const host = (name: HostName) => hosts[fleet.hosts.findIndex((each) => each.name === name)]
  const [north, south] = [host('north'), host('south')]
  const relayed = (title: string, inputTitle: string) => {
    const relay = outside.relays.get(title)
    const [outputId, inputId] = [ids.outputs[title], ids.inputs[inputTitle]]
    return relay && outputId && inputId ? { title, relay, outputId, inputId } : undefined
  }
  const blocked = relayed('North 1 to Playout', 'From North 1')
  const lossy = relayed('South 1 to Playout', 'From South 1')
  return {
    ...cameraTargets(site),
    ...(blocked && { 'port-blocked': blocked }),
    ...(south && {
      'host-away': { title: 'South venue', serverId: ids.gateways['south'] ?? '', host: south },
    }),
    ...(lossy && { 'packet-loss': lossy }),
    ...farTargets(site),
    'media-server-away': {
      title: 'Streaming server',
      serverId: ids.streamServer,
      door: outside.mediaServerDoor,
    },
    ...(north && {
      'agent-frozen': {
        title: 'North venue',
        serverId: ids.gateways['north'] ?? '',
        agentPid: () => north.agent.pid,
      },
    }),
  }
}

function cameraTargets({ dataDir, fleet, plan, ids }: Opened): BreakParts['targets'] {
  const target = (title: string) => {
    const camera = fleet.cameras.find((each) => each.title === title)
    const encoder = ids.encoders[title]
    if (camera === undefined || encoder === undefined) return
    const [encoderId, feederName] = [encoder.id, encoder.feederName ?? '']
    const agentDir = agentDirOf(dataDir, { name: camera.host })
    const coverFile = coverFileOf(dataDir, camera)
    return {
      title,
      encoderId,
      encoderName: configName(camera.cardIdx),
      feederName,
      agentDir,
      coverFile,
    }
  }
  const [killed, black] = [target('North camera 1'), target('South camera 1')]
  const [stopped, keyed] = [target('North camera 2'), target('Studio 2')]
  const inputId = ids.inputs['Studio 2'] ?? ''
  return {
    ...(killed && { 'encoder-killed': killed }),
    ...(black && { 'source-black': black }),
    ...(stopped && {
      'feeder-stopped': { ...stopped, title: `${stopped.title} to North venue gateway` },
    }),
    ...(keyed && { 'wrong-passphrase': { ...keyed, inputId, passphrase: plan.passphrase } }),
  }
}

function farTargets({ dataDir, outside, ids }: Opened): BreakParts['targets'] {
  const { router, farEnds } = outside
  const farEnd = farEnds.get('Studio 1 overseas')
  const channelId = ids.channels['Studio 2 live']
  return {
    ...(router && {
      'bus-silent': {
        title: 'Newsroom to air',
        outputIds: [ids.outputs['Newsroom to air'] ?? ''],
        source: router,
      },
    }),
    ...(farEnd && {
      'destination-away': {
        title: 'Studio 1 overseas',
        outputId: ids.outputs['Studio 1 overseas'] ?? '',
        farEnd,
      },
    }),
    ...(channelId !== undefined && {
      'channel-killed': {
        title: 'Studio 2 live',
        channelId,
        serverId: ids.streamServer,
        streamName: 'studio2',
        agentDir: agentDirOf(dataDir, { name: 'playout' }),
      },
    }),
  }
}
