/**
 * The demo site, and beside it what the demo cannot break by itself: a media server behind a door that
 * can be shut, and a studio bus with one output to a far end that is no object of the site.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { addInput } from '@trunkline/contract/contributions/input.calls'
import { addOutput } from '@trunkline/contract/contributions/output.calls'
import { updateServer } from '@trunkline/contract/servers/server.calls'
import { openTcpDoor, type TcpDoor } from '@trunkline/testbed/tcp-door'
import { callApi } from '@trunkline/testbed/api-client'
import { freeUdpPort } from '@trunkline/testbed/free-port'
import { openRelay, type UdpRelay } from '@trunkline/testbed/links/udp-relay'
import { openBenchSite, type BenchSite } from '../kit/site.ts'
import { openFeed, type Feed, type GroupPort } from '../truth/feed.ts'

const STUDIO_GROUP = '239.255.79.1'
const LATENCY_MS = 300

export interface BreakSite extends AsyncDisposable {
  readonly site: BenchSite
  readonly mediaServerDoor: TcpDoor
  /** Fills the studio bus. */
  readonly studio: Studio
  readonly studioOutputId: string
  readonly farEnd: FarEnd
  /** Between the studio's output and its far end. */
  readonly relay: UdpRelay
}

export async function openBreakSite(): Promise<BreakSite> {
  await using life = new AsyncDisposableStack()
  const site = life.use(await openBenchSite())
  const mediaServerDoor = life.use(await openTcpDoor(site.plan.seats.channel))
  await callApi(site.client, updateServer, {
    params: { id: site.ids.channelServerId },
    body: { port: mediaServerDoor.port },
  })
  const group = { ip: STUDIO_GROUP, port: await freeUdpPort(22_000, new Set()) }
  const studio = life.use(new Studio(group))
  const listenPort = await freeUdpPort(22_100, new Set([group.port]))
  const callPort = await freeUdpPort(listenPort + 1, new Set([group.port, listenPort]))
  const farEnd = life.use(new FarEnd(listenPort))
  const relay = life.use(await openRelay(callPort, listenPort))
  const studioOutputId = await addStudioOutput(site, group, callPort)
  const end = life.move()
  return {
    site,
    mediaServerDoor,
    studio,
    studioOutputId,
    farEnd,
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
      title: 'Bench to far end',
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

/** Media on the bus that an output reads, until they are stopped. */
class Studio implements AsyncDisposable {
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

  start(): void {
    this.#feed ??= openFeed([this.#group])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }
}

/** Somebody else's receiver. */
class FarEnd implements AsyncDisposable {
  readonly #port: number
  #child: ChildProcess

  constructor(port: number) {
    this.#port = port
    this.#child = receive(port)
  }

  /** Without a word to its peer, as when its host loses power. */
  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
  }

  async start(): Promise<void> {
    await this.stop()
    this.#child = receive(this.#port)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }
}

function receive(port: number): ChildProcess {
  const source = `srt://127.0.0.1:${port}?mode=listener&latency=${LATENCY_MS}`
  const argv = ['srt-live-transmit', '-ll', 'fatal', source, 'file://con']
  return spawn('setpriv', ['--pdeathsig', 'KILL', ...argv], { stdio: 'ignore' })
}
