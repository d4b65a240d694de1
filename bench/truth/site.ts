/**
 * The demo site, and beside it two links through relays that can be cut and a channel whose source
 * can be spoiled; and ears on the local bus, which hear when media really arrive.
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { addInput, readInput } from '@trunkline/contract/contributions/input.calls'
import { addOutput } from '@trunkline/contract/contributions/output.calls'
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { callApi } from '@trunkline/testbed/api-client'
import { freeUdpPort } from '@trunkline/testbed/free-port'
import { openRelay, type UdpRelay } from '@trunkline/testbed/links/udp-relay'
import { addBenchChannel, playlistOf } from '../kit/bench-channel.ts'
import { openBenchSite, type BenchSite } from '../kit/site.ts'
import { openFeed, type Feed, type GroupPort } from './feed.ts'
import { LINK_LATENCY_MS, type Tap } from './events.rules.ts'

export const BENCH_STREAM = 'bench'
export const RIGHT_KEY = 'truth-bench-passphrase'
export const WRONG_KEY = 'another-passphrase-than-that'
const GROUPS = ['239.255.78.1', '239.255.78.2'] as const

interface RelayedLink {
  inputId: string
  outputId: string
  /** Where the receiver listens, and where the sender calls. */
  listenPort: number
  callPort: number
  relay: UdpRelay
}

export interface TruthSite extends AsyncDisposable {
  readonly site: BenchSite
  readonly feed: Feed
  readonly srt: RelayedLink
  readonly rist: RelayedLink
  /** Of the channel, in the order of its inputs. */
  readonly sources: readonly string[]
  /** The one of them that the bench chose last; the first of them at the beginning. */
  chosenSource: string
  readonly taps: Readonly<Record<Tap, Ear>>
}

/** Answers once media arrive everywhere. */
export async function openTruthSite(): Promise<TruthSite> {
  await using life = new AsyncDisposableStack()
  const site = life.use(await openBenchSite())
  const groups = await groupPorts()
  const feed = life.use(openFeed(groups))
  const studioId = await addStudio(site, groups[0])
  const [srt, rist] = [
    await addRelayed(site, 'SRT', studioId, life),
    await addRelayed(site, 'RIST', studioId, life),
  ]
  const sources = groups.map(({ ip, port }) => `udp://${ip}:${port}?adapter=127.0.0.1`)
  await addBenchChannel(site, BENCH_STREAM, {
    title: 'Bench live',
    inputs: sources.map((url) => ({ url })),
    segment_duration: 2000,
  })
  const busEar = async (inputId: string) => life.use(await hearBus(site, inputId))
  const taps = {
    input: await busEar(site.ids.inputId),
    srtReceiver: await busEar(srt.inputId),
    ristReceiver: await busEar(rist.inputId),
    demoChannel: life.use(hearPlaylist(playlistOf(site, 'demo'))),
    channel: life.use(hearPlaylist(playlistOf(site, BENCH_STREAM))),
  }
  const end = life.move()
  return {
    site,
    feed,
    srt,
    rist,
    sources,
    chosenSource: sources[0] ?? '',
    taps,
    [Symbol.asyncDispose]: async () => end.disposeAsync(),
  }
}

async function groupPorts(): Promise<[GroupPort, GroupPort]> {
  const port = await freeUdpPort(20_000, new Set())
  const other = await freeUdpPort(port + 2, new Set([port]))
  return [
    { ip: GROUPS[0], port },
    { ip: GROUPS[1], port: other },
  ]
}

/** It runs nothing: its outputs read a group that is on the host already. */
async function addStudio(site: BenchSite, { ip, port }: GroupPort): Promise<string> {
  const { id } = await callApi(site.client, addInput, {
    body: {
      title: 'Bench studio',
      inputType: 'Local',
      serverId: site.ids.acantsId,
      groupId: site.ids.groupIds['North'] ?? '',
      config: { port, multicast: ip },
    },
  })
  return id
}

async function addRelayed(
  site: BenchSite,
  inputType: 'SRT' | 'RIST',
  contributionId: string,
  life: AsyncDisposableStack,
): Promise<RelayedLink> {
  const first = inputType === 'SRT' ? 21_000 : 21_100
  const listenPort = await freeUdpPort(first, new Set())
  const callPort = await freeUdpPort(listenPort + 10, new Set([listenPort]))
  const encryption =
    inputType === 'SRT' ? { selection: 'yes' as const, passphrase: RIGHT_KEY } : undefined
  const timing = { latency: LINK_LATENCY_MS, bufferMin: LINK_LATENCY_MS }
  const input = await callApi(site.client, addInput, {
    body: {
      title: `Bench ${inputType} in`,
      inputType,
      serverId: site.ids.acantsId,
      groupId: site.ids.groupIds['North'] ?? '',
      config: { port: listenPort, ...timing },
      ...(encryption ? { encryption } : {}),
    },
  })
  const relay = life.use(await openRelay(callPort, listenPort))
  const output = await callApi(site.client, addOutput, {
    body: {
      title: `Bench ${inputType}`,
      inputType,
      contributionId,
      config: { host: '127.0.0.1', port: callPort, ...timing },
      ...(encryption ? { encryption } : {}),
    },
  })
  await act(site, 'input', input.id, 'start')
  await act(site, 'output', output.id, 'start')
  return { inputId: input.id, outputId: output.id, listenPort, callPort, relay }
}

export async function act(
  site: BenchSite,
  kind: 'input' | 'output',
  id: string,
  actionType: 'start' | 'restart',
): Promise<void> {
  await callApi(site.client, contributionAction, {
    body: { id, type: ACTION_TYPE[kind], actionType },
  })
}

/** A steady stream has no pause as long as this. */
const PAUSE_MS = 400
const BUCKET_MS = 100

/** When something arrived, in steps of a tenth of a second. */
export class Ear implements AsyncDisposable {
  readonly #end: () => Promise<void>
  /** Between two arrivals of what goes on. */
  readonly #pauseMs: number
  readonly #heardAtMs: number[] = []

  constructor(end: () => Promise<void>, pauseMs: number) {
    this.#end = end
    this.#pauseMs = pauseMs
  }

  hear(): void {
    const atMs = Date.now()
    if (atMs - (this.#heardAtMs.at(-1) ?? 0) >= BUCKET_MS) this.#heardAtMs.push(atMs)
  }

  /** A stream of datagrams pauses at once when its program ends. */
  get hearsPauses(): boolean {
    return this.#pauseMs < 1000
  }

  /** When it last came before it stopped, after `fromMs`; null while it goes on. */
  stoppedAfter(fromMs: number): number | null {
    const at = this.#heardAtMs.findIndex((heardMs, index) => {
      const nextMs = this.#heardAtMs[index + 1] ?? Date.now()
      return nextMs > fromMs && nextMs - heardMs > this.#pauseMs
    })
    return this.#heardAtMs[at] ?? null
  }

  /** When it came again, and goes on; null while it does not. */
  flowsAfter(fromMs: number): number | null {
    const from = this.#heardAtMs.findIndex((heardMs) => heardMs >= fromMs)
    return this.#heardAtMs[from] ?? null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end()
  }
}

async function hearBus(site: BenchSite, inputId: string): Promise<Ear> {
  const { data } = await callApi(site.client, readInput, { params: { id: inputId } })
  const { multicast, multicastPort } = data.config
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  socket.bind(multicastPort, multicast)
  await once(socket, 'listening')
  socket.addMembership(multicast, '127.0.0.1')
  const ear = new Ear(async () => {
    const closed = once(socket, 'close')
    socket.close()
    await closed
  }, PAUSE_MS)
  socket.on('message', () => ear.hear())
  return ear
}

const PLAYLIST_LOOK_MS = 250
/** Two segments of 2 s. */
const PLAYLIST_PAUSE_MS = 4500

/** Hears each new segment. */
function hearPlaylist(address: string): Ear {
  const end = new AbortController()
  let looking = Promise.resolve()
  const ear = new Ear(async () => {
    end.abort()
    await looking
  }, PLAYLIST_PAUSE_MS)
  looking = followPlaylist(address, end.signal, () => ear.hear())
  return ear
}

async function followPlaylist(address: string, end: AbortSignal, onNew: () => void) {
  let newest = ''
  while (!end.aborted) {
    const text = await fetch(address).then(
      async (response) => (response.ok ? response.text() : ''),
      () => '',
    )
    const last = text.trim().split('\n').at(-1) ?? ''
    if (last !== newest && last !== '') onNew()
    newest = last
    await pause(PLAYLIST_LOOK_MS)
  }
}
