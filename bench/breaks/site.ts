/**
 * The demo site, and beside it what the demo cannot break by itself: a media server behind a door that
 * can be shut, and a studio bus with two outputs: to a far end that is no object of the site, and
 * through a network that can lose packets to an input of its own gateway.
 */
import { join } from 'node:path'
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { addInput } from '@trunkline/contract/contributions/input.calls'
import { addOutput } from '@trunkline/contract/contributions/output.calls'
import { findServer, updateServer } from '@trunkline/contract/servers/server.calls'
import type { BreakParts, Switchable } from '@trunkline/testbed/breaks/break-parts'
import { farEnd, type OutsideProgram } from '@trunkline/testbed/breaks/outside-program'
import { DEMO_STREAM } from '@trunkline/testbed/demo-site'
import { openTcpDoor, type TcpDoor } from '@trunkline/testbed/tcp-door'
import { callApi } from '@trunkline/testbed/api-client'
import { freeUdpPort } from '@trunkline/testbed/free-port'
import { openRelay, type UdpRelay } from '@trunkline/testbed/links/udp-relay'
import { openBenchSite, type BenchSite } from '../kit/site.ts'
import { openFeed, type Feed, type GroupPort } from '../truth/feed.ts'

/** Of the demo camera: with it the source can be black. */
const coverFileIn = (dataDir: string) => join(dataDir, 'cover.txt')
const STUDIO_GROUP = '239.255.79.1'
const INSIDE_IP = '127.0.0.1'
/** Of the same host, where the network that can lose packets takes what is called. */
const OUTSIDE_IP = '127.0.0.9'
const LATENCY_MS = 300
/** One way: within the latency a packet can be asked for once, so that some are lost for good. */
const LOSSY_DELAY_MS = 110

export interface BreakSite extends AsyncDisposable {
  readonly site: BenchSite
  readonly mediaServerDoor: TcpDoor
  /** Fills the studio bus. */
  readonly studio: Studio
  readonly studioOutputId: string
  readonly farEnd: OutsideProgram
  /** Between the studio's output and its far end. */
  readonly relay: UdpRelay
  readonly lossy: LossyLink
}

/** An output, the network that it sends through, and the input that receives it. */
interface LossyLink {
  outputId: string
  inputId: string
  relay: UdpRelay
}

export async function openBreakSite(): Promise<BreakSite> {
  await using life = new AsyncDisposableStack()
  const site = life.use(await openBenchSite(coverFileIn))
  const mediaServerDoor = life.use(await openTcpDoor(site.plan.seats.channel))
  await callApi(site.client, updateServer, {
    params: { id: site.ids.channelServerId },
    body: { port: mediaServerDoor.port },
  })
  const group = { ip: STUDIO_GROUP, port: await freeUdpPort(22_000, new Set()) }
  const studio = life.use(new Studio(group))
  const taken = new Set([group.port])
  const freePort = async (from: number) => {
    const port = await freeUdpPort(from, taken)
    taken.add(port)
    return port
  }
  const listenPort = await freePort(22_100)
  const callPort = await freePort(22_200)
  const partner = life.use(farEnd('127.0.0.1', listenPort, LATENCY_MS))
  await partner.start()
  const relay = life.use(await openRelay(callPort, listenPort))
  const studioId = await addStudio(site, group)
  const studioOutputId = await addCaller(site, studioId, TO_FAR_END, {
    host: INSIDE_IP,
    port: callPort,
  })
  const receivePort = await freePort(22_300)
  await addAdapter(site, OUTSIDE_IP)
  // Saved before the relay takes the same port of the other address, or its host calls it taken.
  const inputId = await addReceiver(site, receivePort)
  const ends = { ip: OUTSIDE_IP, toIp: INSIDE_IP }
  const lossyRelay = life.use(await openRelay(receivePort, receivePort, ends))
  lossyRelay.delayMs = LOSSY_DELAY_MS
  const called = { host: OUTSIDE_IP, port: receivePort }
  const lossy = {
    relay: lossyRelay,
    inputId,
    outputId: await addCaller(site, studioId, THROUGH_LOSS, called),
  }
  const end = life.move()
  return {
    site,
    mediaServerDoor,
    studio,
    studioOutputId,
    farEnd: partner,
    relay,
    lossy,
    [Symbol.asyncDispose]: async () => end.disposeAsync(),
  }
}

async function addStudio({ client, ids }: BenchSite, { ip, port }: GroupPort): Promise<string> {
  const input = await callApi(client, addInput, {
    body: {
      title: 'Bench studio',
      inputType: 'Local',
      serverId: ids.acantsId,
      groupId: ids.groupIds['North'] ?? '',
      config: { port, multicast: ip },
    },
  })
  return input.id
}

/** Of the gateway: what is called there is one of its inputs, as the signal path has it. */
async function addAdapter({ client, ids }: BenchSite, adapterIp: string): Promise<void> {
  const { data } = await callApi(client, findServer, { params: { id: ids.acantsId } })
  const adapterIps = [...data.adapterIps, { adapterName: 'outside', adapterIp }]
  await callApi(client, updateServer, { params: { id: ids.acantsId }, body: { adapterIps } })
}

async function addReceiver(site: BenchSite, port: number): Promise<string> {
  const { client, ids } = site
  const input = await callApi(client, addInput, {
    body: {
      title: 'Bench from studio',
      inputType: 'SRT',
      serverId: ids.acantsId,
      groupId: ids.groupIds['North'] ?? '',
      config: { port, adapterIp: INSIDE_IP, latency: LATENCY_MS, bufferMin: LATENCY_MS },
    },
  })
  await startLink(site, input.id, ACTION_TYPE.input)
  return input.id
}

async function addCaller(
  site: BenchSite,
  studioId: string,
  title: string,
  { host, port }: { host: string; port: number },
): Promise<string> {
  const output = await callApi(site.client, addOutput, {
    body: {
      title,
      inputType: 'SRT',
      contributionId: studioId,
      config: { host, port, latency: LATENCY_MS },
    },
  })
  await startLink(site, output.id, ACTION_TYPE.output)
  return output.id
}

async function startLink(
  { client }: BenchSite,
  id: string,
  type: (typeof ACTION_TYPE)[keyof typeof ACTION_TYPE],
): Promise<void> {
  await callApi(client, contributionAction, { body: { id, type, actionType: 'start' } })
}

const ENCODER = { title: 'Demo camera', encoderName: 'encoder0' }
const TO_FAR_END = 'Bench to far end'
const THROUGH_LOSS = 'Bench through loss'

/** `ending`: when nothing is to be killed any more. */
export function partsOf(on: BreakSite, ending: AbortSignal): BreakParts {
  const { site, studioOutputId: outputId, relay } = on
  const { ids, plan, dataDir } = site
  const agentDir = join(dataDir, 'agent')
  const encoder = { ...ENCODER, encoderId: ids.encoderId, feederName: ids.feederName, agentDir }
  const studio = { title: TO_FAR_END, outputId, relay }
  // One agent serves the encoder, the gateway and the channel server of the demo.
  const gateway = { title: 'Demo gateway', serverId: ids.acantsId }
  const streams = { title: 'Demo streams', serverId: ids.channelServerId }
  return {
    client: async () => Promise.resolve(site.client),
    ending,
    targets: {
      'encoder-killed': encoder,
      'source-black': { ...encoder, coverFile: coverFileIn(dataDir) },
      'feeder-stopped': encoder,
      'wrong-passphrase': {
        ...encoder,
        title: 'Demo feed',
        inputId: ids.inputId,
        passphrase: plan.feederPassphrase,
      },
      'port-blocked': studio,
      'host-away': { ...gateway, host: hostOf(site) },
      'packet-loss': { ...on.lossy, title: THROUGH_LOSS },
      'bus-silent': {
        title: TO_FAR_END,
        outputIds: [outputId, on.lossy.outputId],
        source: on.studio,
      },
      'destination-away': { ...studio, farEnd: on.farEnd },
      'channel-killed': {
        ...streams,
        title: 'Demo live',
        channelId: ids.channelId,
        streamName: DEMO_STREAM,
        agentDir,
      },
      'media-server-away': { ...streams, door: on.mediaServerDoor },
      'agent-frozen': { ...gateway, agentPid: () => site.agent.pid },
    },
  }
}

/** Its programs run on: they are all that the site has. */
function hostOf(site: BenchSite): Switchable {
  return {
    async stop() {
      process.kill(site.agent.pid, 'SIGKILL')
      await site.agent.ended
    },
    start: async () => site.restartAgent(),
  }
}

/** Media on the bus that an output reads, until they are stopped. */
class Studio implements Switchable, AsyncDisposable {
  readonly #group: GroupPort
  #feed: Feed | null

  constructor(group: GroupPort) {
    this.#group = group
    this.#feed = openFeed([group])
  }

  async stop(): Promise<void> {
    await this.#feed?.[Symbol.asyncDispose]()
    this.#feed = null
  }

  async start(): Promise<void> {
    this.#feed ??= openFeed([this.#group])
    return Promise.resolve()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }
}
