/**
 * The live stream of the fake API: what a test pushes is how the fleet is from then on, and arrives as
 * Server-Sent Events where the console shows it. Nothing comes before the test's first picture of it.
 */
import type { OpenAlarms } from '@trunkline/contract/alarms/open-alarms.schema'
import type { OnAirMarks } from '@trunkline/contract/on-air/on-air.schema'
import { familyOfProgram, familyOfStream } from '@trunkline/contract/fleet/counted-family.rules'
import {
  LIVE_BEAT_MS,
  type LiveEvent,
  WatchedSet,
  type FleetCounts,
  type HostStatus,
  type LiveSnapshot,
  type ProgramStatus,
  type StreamStatus,
  type TransportStatus,
} from '@trunkline/contract/fleet/fleet.schema'
import { familyOfHost } from '@trunkline/contract/fleet/host-family.rules'
import { noFamilies } from '@trunkline/contract/fleet/show.rules'
import {
  ALARMS_KEY,
  ON_AIR_KEY,
  countsKey,
  hostKey,
  programKey,
  streamKey,
  transportKey,
} from '@trunkline/contract/fleet/watch-key.rules'

/** How the whole fleet is: not an event of the API, which sends what is shown of it. */
interface Picture {
  event: 'picture'
  data: LiveSnapshot
}

export function makeFakeStream() {
  let open: ReadableStreamDefaultController<Uint8Array> | null = null
  let shown: WatchedSet = { sequence: 0, keys: [] }
  let hasGreeted = false
  const fleet = new FakeFleet()
  const counted = new Map<string, string>()
  const pushRaw = (text: string) => open?.enqueue(new TextEncoder().encode(text))
  const send = (event: LiveEvent) =>
    pushRaw(`event: ${event.event}\ndata: ${JSON.stringify(event.data)}\n\n`)
  const sendCounts = () => {
    for (const event of takeNewCounts(fleet, shown.keys, counted)) send(event)
  }
  const sendShown = (keys: readonly string[]) => {
    for (const event of fleet.findObjects(keys)) send(event)
    sendCounts()
    send({ event: 'watching', data: { sequence: shown.sequence } })
  }
  // Else a test that takes long on a busy machine would be in front of a broken connection.
  const sendBeat = () => hasGreeted && send({ event: 'beat', data: { atMs: Date.now() } })
  const beats = new Beats(() => open !== null, sendBeat)
  const fallSilent = () => {
    fleet.isKnown = false
    beats.stop()
  }
  const greet = () => {
    hasGreeted = true
    counted.clear()
    send({ event: 'hello', data: { atMs: fleet.atMs, connection: 'fake' } })
    sendShown(shown.keys)
  }
  return {
    /** The answer to one connection; it ends when the console hangs up. */
    connect(signal: AbortSignal | null, first: unknown): Response {
      shown = WatchedSet.parse(first)
      hasGreeted = false
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          open = controller
          beats.start()
          signal?.addEventListener('abort', () => {
            if (open === controller) open = null
            controller.error(signal.reason)
          })
          if (fleet.isKnown) greet()
        },
      })
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
    },
    /** The answer to a set that has changed. */
    show(body: unknown): Response {
      if (!hasGreeted || open === null) return Response.json({ error: 'Gone.' }, { status: 404 })
      const before = new Set(shown.keys)
      shown = WatchedSet.parse(body)
      sendShown(shown.keys.filter((key) => !before.has(key)))
      return Response.json({ status: true })
    },
    isConnected: () => open !== null,
    isShown: (key: string) => shown.keys.includes(key),
    push(event: LiveEvent | Picture) {
      if (event.event === 'picture') {
        fleet.become(event.data)
        return greet()
      }
      const key = fleet.apply(event)
      if (key === null || shown.keys.includes(key)) send(event)
      if (hasGreeted) sendCounts()
    },
    pushRaw,
    /** The connection stays open, and nothing comes by itself until the next picture. */
    fallSilent,
    /** The API ends the connection, and a new one hears nothing until the next picture. */
    end: () => {
      fallSilent()
      open?.close()
      open = null
    },
  }
}

/** Those that were not sent as they are now. */
function takeNewCounts(
  fleet: FakeFleet,
  keys: readonly string[],
  sent: Map<string, string>,
): LiveEvent[] {
  return keys.flatMap((key) => {
    const event = key.startsWith('counts') ? fleet.find(key) : null
    const text = JSON.stringify(event)
    if (event === null || sent.get(key) === text) return []
    sent.set(key, text)
    return [event]
  })
}

/** As long as somebody hears them. */
class Beats {
  #timer: NodeJS.Timeout | undefined
  readonly #isHeard: () => boolean
  readonly #beat: () => unknown

  constructor(isHeard: () => boolean, beat: () => unknown) {
    this.#isHeard = isHeard
    this.#beat = beat
  }

  start(): void {
    this.stop()
    this.#timer = setInterval(() => (this.#isHeard() ? this.#beat() : this.stop()), LIVE_BEAT_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

class FakeFleet {
  atMs = Date.now()
  /** A test has said how it is. */
  isKnown = false
  readonly #programs = new Map<string, ProgramStatus>()
  readonly #hosts = new Map<string, HostStatus>()
  readonly #streams = new Map<string, StreamStatus>()
  readonly #transports = new Map<string, TransportStatus>()
  /** As a test has pushed them; those of everything are counted here. */
  readonly #counts = new Map<string, FleetCounts>()
  #onAir: OnAirMarks = { marks: [] }
  #alarms: OpenAlarms = {
    unacknowledged: { critical: 0, major: 0, warning: 0 },
    quiet: 0,
    worst: null,
    change: 0,
  }

  become({ atMs, programs, hosts, streams }: LiveSnapshot): void {
    this.atMs = atMs
    this.isKnown = true
    for (const map of [this.#programs, this.#hosts, this.#streams]) map.clear()
    for (const data of programs) this.apply({ event: 'program', data })
    for (const data of hosts) this.apply({ event: 'host', data })
    for (const data of streams) this.apply({ event: 'stream', data })
  }

  /** @returns the key of the thing that it speaks of; null for what is sent to everybody */
  apply(event: LiveEvent): string | null {
    switch (event.event) {
      case 'program': {
        const key = programKey(event.data.kind, event.data.id)
        this.#programs.set(key, event.data)
        return key
      }
      case 'host': {
        const key = hostKey(event.data.kind, event.data.id)
        this.#hosts.set(key, event.data)
        return key
      }
      case 'stream': {
        const key = streamKey(event.data.serverId, event.data.streamName)
        this.#streams.set(key, event.data)
        return key
      }
      case 'counts': {
        const key = countsKey(event.data.kind, event.data.group)
        this.#counts.set(key, event.data)
        return key
      }
      case 'alarms':
        this.#alarms = event.data
        return ALARMS_KEY
      case 'air':
        this.#onAir = event.data
        return ON_AIR_KEY
      case 'transport': {
        const key = transportKey(event.data.kind, event.data.id)
        this.#transports.set(key, event.data)
        return key
      }
      case 'unseen': {
        const { programs, hosts, streams } = event.data
        for (const { kind, id } of programs) this.#programs.delete(programKey(kind, id))
        for (const { kind, id } of hosts) this.#hosts.delete(hostKey(kind, id))
        for (const { serverId, streamName } of streams) {
          this.#streams.delete(streamKey(serverId, streamName))
        }
        return null
      }
      case 'hello':
      case 'watching':
      case 'restart':
      case 'object':
      case 'beat':
      case 'gone':
        return null
    }
  }

  findObjects(keys: readonly string[]): LiveEvent[] {
    return keys.flatMap((key) => (key.startsWith('counts') ? [] : (this.find(key) ?? [])))
  }

  find(key: string): LiveEvent | null {
    if (key === ON_AIR_KEY) return { event: 'air', data: this.#onAir }
    if (key === ALARMS_KEY) return { event: 'alarms', data: this.#alarms }
    const [program, host, stream] = [
      this.#programs.get(key),
      this.#hosts.get(key),
      this.#streams.get(key),
    ]
    if (program !== undefined) return { event: 'program', data: program }
    if (host !== undefined) return { event: 'host', data: host }
    if (stream !== undefined) return { event: 'stream', data: stream }
    const transport = this.#transports.get(key)
    if (transport !== undefined) return { event: 'transport', data: transport }
    const counts = key === EVERYTHING ? this.#countAll() : this.#counts.get(key)
    return counts === undefined ? null : { event: 'counts', data: counts }
  }

  #countAll(): FleetCounts {
    const freshness = { nowMs: Date.now(), isLoaded: true, brokenSinceMs: null }
    const servers = [...this.#hosts.values()].filter((host) => host.kind === 'server')
    const counted = [
      ...[...this.#programs.values()].map((program) => familyOfProgram(program, freshness)),
      ...servers.map((host) => familyOfHost(host, freshness)),
      ...[...this.#streams.values()].map((stream) => familyOfStream(stream, freshness)),
    ]
    const families = noFamilies()
    for (const family of counted) families[family] += 1
    return { kind: 'all', group: '', families, total: counted.length, worst: [] }
  }
}

const EVERYTHING = countsKey('all', '')

/** The whole fleet, of which the console is sent what it shows. */
export function snapshotOf(parts: Partial<LiveSnapshot>): Picture {
  return {
    event: 'picture',
    data: { atMs: Date.now(), programs: [], hosts: [], streams: [], ...parts },
  }
}
