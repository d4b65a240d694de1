/**
 * Which feeders and outputs send to channels that are switched off on purpose, or were until just now: they
 * have no peer, and that is nobody's trouble. Asked of what sends to a channel that is switched, and of the
 * senders whose target may have changed, however many channels are off.
 */
import type { Context } from '../context.ts'
import { keyOf, objectOf, type ObjectKey } from '../fleet/object-key.ts'
import type { ReceiverSwitch } from '../fleet/program-status.rules.ts'
import type { StreamKey } from '../fleet/streams/stream-board.ts'
import type { ObjectNotice } from '../notices.ts'
import { programIdOf } from '../programs/wanted-program.ts'
import { beforeChannels } from './channel-edges.service.ts'
import { receiversOf } from './path-graph.service.ts'

type SwitchContext = Pick<Context, 'db' | 'board' | 'hosts' | 'notices' | 'clock' | 'log'>

/** Changes of these are followed by others: they are read once. */
const SETTLE_MS = 200
/** After what could not be read. */
const AGAIN_MS = 2000
/** A query names them all. */
const READ_AT_ONCE = 200
/** A change of these may move the target of a sender. Inputs not: what connects to them has a peer. */
const MOVE_TARGETS: ReadonlySet<ObjectNotice['kind']> = new Set([
  'server',
  'encoder',
  'channel',
  'output',
  'destination',
])

interface Sender extends ReceiverSwitch {
  key: ObjectKey
  channelIds: readonly string[]
}

export function openChannelSwitches(ctx: SwitchContext): ChannelSwitches {
  return new ChannelSwitches(ctx)
}

export class ChannelSwitches implements AsyncDisposable {
  readonly #ctx: SwitchContext
  /** By the id of the channel; of those that are off. */
  readonly #off = new Set<string>()
  /** By the id of the program that sends; all of those are here whose channels are off. */
  readonly #senders = new Map<string, Sender>()
  /** Ids of channels whose senders are to be looked at. */
  readonly #switched = new Set<string>()
  /** To be looked at, by `keyOf`: senders, and encoders for their feeders. */
  readonly #moved = new Set<string>()
  readonly #stopHearing: readonly (() => void)[]
  #isEnded = false
  #timer: NodeJS.Timeout | undefined
  #reading: Promise<void> = Promise.resolve()

  constructor(ctx: SwitchContext) {
    this.#ctx = ctx
    ctx.board.judgeByReceivers((programId) => this.#senders.get(programId) ?? null)
    this.#stopHearing = [
      ctx.board.followStreams((keys) => {
        for (const key of keys) this.#heardStream(key)
      }),
      ctx.notices.listen((notice) => {
        if ('change' in notice && this.#off.size > 0) this.#heardChange(notice)
      }),
    ]
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true
    for (const stop of this.#stopHearing) stop()
    clearTimeout(this.#timer)
    await this.#reading
  }

  #heardStream(key: StreamKey): void {
    const known = this.#ctx.board.streams.known(key)
    if (known === null) return
    const { id } = known.channel
    // Of a server that is silent it is off until it says otherwise.
    if (known.status.stream === null) return
    const isOff = known.status.stream.disabled === true
    if (isOff === this.#off.has(id)) return
    if (isOff) this.#off.add(id)
    else this.#off.delete(id)
    this.#switched.add(id)
    this.#readSoon(0)
  }

  #heardChange({ kind, id, keepsPrograms }: ObjectNotice): void {
    if (keepsPrograms === true || !MOVE_TARGETS.has(kind)) return
    if (id !== '' && (kind === 'output' || kind === 'encoder')) {
      this.#moved.add(keyOf({ kind, id }))
    } else {
      const isOfThis = kind === 'channel' && id !== '' ? (own: string) => own === id : () => true
      for (const own of this.#off) if (isOfThis(own)) this.#switched.add(own)
      for (const { key, channelIds } of this.#senders.values()) {
        if (channelIds.some(isOfThis)) this.#moved.add(keyOf(key))
      }
    }
    this.#readSoon(SETTLE_MS)
  }

  #readSoon(waitMs: number): void {
    if (this.#isEnded || (waitMs > 0 && this.#timer !== undefined)) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      this.#reading = this.#reading.then(async () => this.#read())
    }, waitMs)
    this.#timer.unref()
  }

  async #read(): Promise<void> {
    const { hosts, log } = this.#ctx
    const switched = takeSome(this.#switched)
    const moved = takeSome(this.#moved)
    try {
      const senders = await this.#sendersOf(switched, moved.map(objectOf))
      const receivers = await receiversOf(this.#ctx, senders)
      const programIds = senders.flatMap((key) => this.#judge(key, receivers.get(keyOf(key)) ?? []))
      if (programIds.length > 0) hosts.publish({ type: 'programs', programIds })
      if (this.#switched.size + this.#moved.size > 0) this.#readSoon(0)
    } catch (error) {
      for (const id of switched) this.#switched.add(id)
      for (const key of moved) this.#moved.add(key)
      if (!this.#isEnded)
        log.error({ err: error }, 'Senders to channels that are off are not known.')
      this.#readSoon(AGAIN_MS)
    }
  }

  async #sendersOf(switched: readonly string[], moved: readonly ObjectKey[]): Promise<ObjectKey[]> {
    const encoders = moved.filter(({ kind }) => kind === 'encoder')
    const feeders = [...(await receiversOf(this.#ctx, encoders)).values()].flat()
    const edges = await beforeChannels(this.#ctx, switched)
    const found = [...edges.map(({ before }) => before), ...feeders, ...moved]
    const senders = found.filter(({ kind }) => kind === 'feeder' || kind === 'output')
    return [...new Map(senders.map((key) => [keyOf(key), key])).values()]
  }

  /** The id of its program if that is judged in another way from now on. Not idle is what sends to something else too. */
  #judge(key: ObjectKey, receivers: readonly ObjectKey[]): string[] {
    const { board, clock } = this.#ctx
    if (key.kind !== 'feeder' && key.kind !== 'output') return []
    const programId = programIdOf(key.kind, key.id)
    const isOff =
      receivers.length > 0 &&
      receivers.every(({ kind, id }) => kind === 'channel' && this.#isOff(id))
    const channelIds = receivers.map(({ id }) => id)
    const known = this.#senders.get(programId)
    if (known !== undefined) known.channelIds = channelIds
    if ((known?.isOff ?? false) === isOff) return []
    const lostAtMs = board.program(programId)?.observed?.peerSinceMs ?? 0
    this.#senders.set(programId, { key, channelIds, isOff, sinceMs: clock(), lostAtMs })
    return [programId]
  }

  #isOff(channelId: string): boolean {
    return this.#off.has(channelId) && this.#ctx.board.streams.ofChannel(channelId) !== null
  }
}

/** Removes the first few. */
function takeSome(from: Set<string>): string[] {
  const some = from.values().take(READ_AT_ONCE).toArray()
  for (const each of some) from.delete(each)
  return some
}
