/**
 * The demo site, and beside it what the demo cannot break by itself: a media server behind a door that
 * can be shut, and a studio bus with one output to a far end that is no object of the site.
 */
import { join } from 'node:path'
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { addInput } from '@trunkline/contract/contributions/input.calls'
import { addOutput } from '@trunkline/contract/contributions/output.calls'
import { updateServer } from '@trunkline/contract/servers/server.calls'
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
const LATENCY_MS = 300

export interface BreakSite extends AsyncDisposable {
  readonly site: BenchSite
  readonly mediaServerDoor: TcpDoor
  /** Fills the studio bus. */
  readonly studio: Studio
  readonly studioOutputId: string
  readonly farEnd: OutsideProgram
  /** Between the studio's output and its far end. */
  readonly relay: UdpRelay
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
  const listenPort = await freeUdpPort(22_100, new Set([group.port]))
  const callPort = await freeUdpPort(listenPort + 1, new Set([group.port, listenPort]))
  const partner = life.use(farEnd('127.0.0.1', listenPort, LATENCY_MS))
  await partner.start()
  const relay = life.use(await openRelay(callPort, listenPort))
  const studioOutputId = await addStudioOutput(site, group, callPort)
  const end = life.move()
  return {
    site,
    mediaServerDoor,
    studio,
    studioOutputId,
    farEnd: partner,
    relay,
    [Symbol.asyncDispose]: async () => end.disposeAsync(),
  }
}

async function addStudioOutput(
  { client, ids }: BenchSite,
  { ip, port }: GroupPort,
  callPort: number,
): Promise<string> {
  const input = await callApi(client, addInput, {
    body: {
      title: 'Bench studio',
      inputType: 'Local',
      serverId: ids.acantsId,
      groupId: ids.groupIds['North'] ?? '',
      config: { port, multicast: ip },
    },
  })
  const output = await callApi(client, addOutput, {
    body: {
      title: TO_FAR_END,
      inputType: 'SRT',
      contributionId: input.id,
      config: { host: '127.0.0.1', port: callPort, latency: LATENCY_MS },
    },
  })
  await callApi(client, contributionAction, {
    body: { id: output.id, type: ACTION_TYPE.output, actionType: 'start' },
  })
  return output.id
}

const ENCODER = { title: 'Demo camera', encoderName: 'encoder0' }
const TO_FAR_END = 'Bench to far end'

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
    // Not 5 % loss: the receiver counts it, and this one is no object of the site.
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
      'bus-silent': { ...studio, source: on.studio },
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
