/** The stream of one account for all its tabs: asks for what any tab shows, and sends each what it shows. */
import type { UnseenThings, WatchedSet } from '@trunkline/contract/fleet/fleet.schema'
import {
  WATCHED_AT_MOST,
  ALARMS_KEY,
  countsKey,
  hostKey,
  ON_AIR_KEY,
  programKey,
  streamKey,
  transportKey,
} from '@trunkline/contract/fleet/watch-key.rules'
import type { LiveMessage } from './live-message.ts'
import type { Answer, Notice, SharingOptions, TabPort, TabRequest } from './live-sharing.ts'

/** A set that the API did not take is sent again after so long. */
const SENT_AGAIN_MS = 1000
const NOT_FOUND = 404

interface Tab {
  set: WatchedSet
  keys: ReadonlySet<string>
  /** It has been sent the state of everything in its set. */
  isConfirmed: boolean
}

export class SharedStream {
  readonly #options: SharingOptions
  readonly #post: (tab: TabPort, notice: Notice) => void
  readonly #tabs = new Map<TabPort, Tab>()
  #request: Pick<TabRequest, 'url' | 'watchUrl' | 'headers'> = {
    url: '',
    watchUrl: '',
    headers: {},
  }
  #current: AbortController | null = null
  #next: AbortController | null = null
  /** Id of the open connection; '' before its hello. */
  #connection = ''
  #sequence = 0
  /** As sent to the API, by sequence. */
  readonly #sets = new Map<number, ReadonlySet<string>>()
  #asked: ReadonlySet<string> = new Set()
  #confirmed: ReadonlySet<string> = new Set()
  /** The latest message for each key, for a tab that shows what another tab shows already. */
  readonly #latest = new Map<string, LiveMessage>()

  constructor(options: SharingOptions, post: (tab: TabPort, notice: Notice) => void) {
    this.#options = options
    this.#post = post
  }

  get isEmpty(): boolean {
    return this.#tabs.size === 0
  }

  /**
   * Opens the stream anew: the tab may have joined because the open one is silent. A stream that is
   * being opened serves all tabs that join meanwhile.
   */
  join(tab: TabPort, { url, watchUrl, headers, set }: TabRequest): void {
    this.#request = { url, watchUrl, headers }
    this.#tabs.set(tab, { set, keys: new Set(set.keys), isConfirmed: false })
    this.#openAnew()
  }

  show(tab: TabPort, headers: Record<string, string>, set: WatchedSet): void {
    const known = this.#tabs.get(tab)
    if (known === undefined) return
    this.#request = { ...this.#request, headers }
    const keys = new Set(set.keys)
    this.#tabs.set(tab, { set, keys, isConfirmed: false })
    for (const key of keys) {
      const message = known.keys.has(key) ? undefined : this.#latest.get(key)
      if (message !== undefined) this.#post(tab, { type: 'message', message })
    }
    this.#askForAll()
    this.#confirmTabs()
  }

  leave(tab: TabPort): void {
    this.#tabs.delete(tab)
    if (!this.isEmpty) this.#askForAll()
  }

  close(): void {
    this.#current?.abort()
    this.#next?.abort()
  }

  #union(): string[] {
    const keys = new Set([...this.#tabs.values()].flatMap((tab) => [...tab.keys]))
    return [...keys].slice(0, WATCHED_AT_MOST)
  }

  #newSet(): WatchedSet {
    const keys = this.#union()
    this.#sequence += 1
    this.#asked = new Set(keys)
    this.#sets.set(this.#sequence, this.#asked)
    return { sequence: this.#sequence, keys }
  }

  #openAnew(): void {
    if (this.#next) return
    const mine = new AbortController()
    this.#next = mine
    const { url, headers } = this.#request
    const body = this.#newSet()
    void this.#read(mine, this.#options.open({ url, headers, body }, mine.signal))
  }

  /** Sends the API what all tabs show, if that has changed. */
  #askForAll(): void {
    if (this.#connection === '' || this.#next !== null) return
    const union = this.#union()
    const isSame = union.length === this.#asked.size && union.every((key) => this.#asked.has(key))
    if (!isSame) void this.#send()
  }

  async #send(): Promise<void> {
    const { watchUrl: url, headers } = this.#request
    const connection = this.#connection
    const stream = this.#current
    if (stream === null) return
    const body = { connection, ...this.#newSet() }
    const status = await this.#options.send({ url, headers, body }, stream.signal)
    const isOver = this.#current !== stream || stream.signal.aborted
    if (isOver || (status !== null && status < 400)) return
    // The request reached another API process, or the stream has ended.
    if (status === NOT_FOUND) return this.#openAnew()
    setTimeout(() => {
      const isLast = body.sequence === this.#sequence && this.#current === stream
      if (isLast && !stream.signal.aborted && this.#next === null) void this.#send()
    }, SENT_AGAIN_MS)
  }

  async #read(mine: AbortController, opening: Promise<Answer>): Promise<void> {
    let end: Notice = { type: 'ended', status: null, body: null }
    try {
      const answer = await opening
      if ('bytes' in answer) {
        for await (const message of answer.bytes) this.#pass(mine, message)
      } else {
        end = { type: 'ended', ...answer }
      }
    } catch {
      // However it ended: the tabs get that below, and join again.
    }
    if (mine.signal.aborted) return
    this.close()
    for (const tab of this.#tabs.keys()) this.#post(tab, end)
  }

  #pass(mine: AbortController, message: LiveMessage): void {
    if (this.#next === mine) {
      this.#current?.abort()
      this.#current = mine
      this.#next = null
    }
    if (this.#current !== mine || !isJson(message)) return
    switch (message.event ?? '') {
      case 'hello':
        return this.#welcome(message)
      case 'watching':
        return this.#confirm(message)
      case 'program':
      case 'host':
      case 'stream':
      case 'transport':
      case 'counts':
      case 'alarms':
      case 'air': {
        const key = keyOf(message)
        this.#latest.set(key, message)
        return this.#passTo(message, (tab) => tab.keys.has(key))
      }
      case 'unseen':
        for (const key of keysOfUnseen(message)) this.#latest.delete(key)
        return this.#passTo(message, () => true)
      default:
        this.#passTo(message, () => true)
    }
  }

  #passTo(message: LiveMessage, isFor: (tab: Tab) => boolean): void {
    for (const [port, tab] of this.#tabs) {
      if (isFor(tab)) this.#post(port, { type: 'message', message })
    }
  }

  #welcome(message: LiveMessage): void {
    const { connection } = parsed<{ connection: string }>(message)
    this.#connection = connection
    this.#confirmed = new Set()
    this.#latest.clear()
    for (const tab of this.#tabs.values()) tab.isConfirmed = false
    this.#passTo(message, () => true)
    this.#askForAll()
  }

  #confirm(message: LiveMessage): void {
    const { sequence } = parsed<{ sequence: number }>(message)
    const set = this.#sets.get(sequence)
    if (set === undefined) return
    for (const known of this.#sets.keys()) if (known < sequence) this.#sets.delete(known)
    this.#confirmed = set
    for (const key of this.#latest.keys()) if (!set.has(key)) this.#latest.delete(key)
    this.#confirmTabs()
  }

  #confirmTabs(): void {
    for (const [port, tab] of this.#tabs) {
      const isAllSent = [...tab.keys].every((key) => this.#confirmed.has(key))
      if (this.#connection === '' || this.#next !== null || tab.isConfirmed || !isAllSent) continue
      tab.isConfirmed = true
      const data = JSON.stringify({ sequence: tab.set.sequence })
      this.#post(port, { type: 'message', message: { event: 'watching', data } })
    }
  }
}

/** Broken messages are ignored. */
function isJson({ data }: LiveMessage): boolean {
  try {
    JSON.parse(data)
    return true
  } catch {
    return false
  }
}

/** Trusted here; a page checks what it is sent. */
function parsed<T>({ data }: LiveMessage): T {
  return JSON.parse(data) as T
}

interface Named {
  kind: never
  id: string
  serverId: string
  streamName: string
  group: string
}

function keyOf(message: LiveMessage): string {
  const { kind, id, serverId, streamName, group } = parsed<Named>(message)
  switch (message.event ?? '') {
    case 'program':
      return programKey(kind, id)
    case 'host':
      return hostKey(kind, id)
    case 'counts':
      return countsKey(kind, group)
    case 'alarms':
      return ALARMS_KEY
    case 'air':
      return ON_AIR_KEY
    case 'transport':
      return transportKey(kind, id)
    default:
      return streamKey(serverId, streamName)
  }
}

function keysOfUnseen(message: LiveMessage): string[] {
  const { programs, hosts, streams } = parsed<UnseenThings>(message)
  return [
    ...programs.flatMap(({ kind, id }) => [programKey(kind, id), transportKey(kind, id)]),
    ...hosts.map(({ kind, id }) => hostKey(kind, id)),
    ...streams.map(({ serverId, streamName }) => streamKey(serverId, streamName)),
  ]
}
