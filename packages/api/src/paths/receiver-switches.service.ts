/**
 * Which feeders and outputs send to channels and inputs that are off on purpose, or were until just now: they
 * have no peer, and that is nobody's trouble. Asked of what sends to a receiver that is switched, and of the
 * senders whose target may have changed, however many receivers are off.
 */
import { CHANNEL_OFF, INPUT_OFF, isOffOnPurpose } from '@trunkline/contract/program-state'
import type { Context } from '../context.ts'
import { keyOf, objectOf, type ObjectKey } from '../fleet/object-key.ts'
import type { ReceiverSwitch } from '../fleet/program-status.rules.ts'
import type { StreamKey } from '../fleet/streams/stream-board.ts'
import type { ObjectNotice } from '../notices.ts'
import { kindAndId, programIdOf } from '../programs/wanted-program.ts'
import { outputsToDestinations } from './hop-edges.store.ts'
import { receiversOf, sendersTo } from './path-graph.service.ts'

type SwitchContext = Pick<
  Context,
  'db' | 'board' | 'hosts' | 'programs' | 'notices' | 'clock' | 'log'
>

/** Changes of these are followed by others: they are read once. */
const SETTLE_MS = 200
/** After what could not be read. */
const AGAIN_MS = 2000
/** A query names them all. */
const READ_AT_ONCE = 200

interface Sender extends ReceiverSwitch {
  key: ObjectKey
  receivers: readonly ObjectKey[]
}

export function openReceiverSwitches(ctx: SwitchContext): ReceiverSwitches {
  return new ReceiverSwitches(ctx)
}

export class ReceiverSwitches implements AsyncDisposable {
  readonly #ctx: SwitchContext
  /** Channels and inputs that are off, by `keyOf`. */
  readonly #off = new Set<string>()
  /** By the id of the program that sends; all of those are here whose receivers are off. */
  readonly #senders = new Map<string, Sender>()
  /** Receivers whose senders are to be looked at, by `keyOf`. */
  readonly #switched = new Set<string>()
  /** To be looked at, by `keyOf`: senders, and encoders for their feeders. */
  readonly #moved = new Set<string>()
  /** Destinations whose outputs are to be looked at. */
  readonly #movedDestinations = new Set<string>()
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
      ctx.hosts.listen((event) => {
        if (event.type === 'programs') for (const id of event.programIds) this.#heardProgram(id)
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
    // Of a server that is silent it is off until it says otherwise.
    if (known === null || known.status.stream === null) return
    const { id } = known.channel
    this.#heardReceiver({ kind: 'channel', id }, known.status.stream.disabled === true)
  }

  #heardProgram(programId: string): void {
    const { kind, id } = kindAndId(programId)
    if (kind !== 'input') return
    const status = this.#ctx.board.program(programId)
    this.#heardReceiver({ kind, id }, status !== null && isOffOnPurpose(status))
  }

  #heardReceiver(receiver: ObjectKey, isOff: boolean): void {
    const key = keyOf(receiver)
    if (isOff === this.#off.has(key)) return
    if (isOff) this.#off.add(key)
    else this.#off.delete(key)
    this.#switched.add(key)
    this.#readSoon(0)
  }

  #heardChange({ kind, id, keepsPrograms }: ObjectNotice): void {
    if (keepsPrograms === true) return
    if (id === '') this.#movedAny(() => true)
    else if (kind === 'output' || kind === 'encoder') this.#moved.add(keyOf({ kind, id }))
    else if (kind === 'destination') this.#movedDestinations.add(id)
    else if (kind === 'server') this.#movedAny((object) => this.#serverOf(object) === id)
    else if (kind === 'channel' || kind === 'input') this.#movedReceiver({ kind, id })
    else return
    this.#readSoon(SETTLE_MS)
  }

  /** Who sends to these, and where these send to, may be others now. */
  #movedAny(isOfThese: (object: ObjectKey) => boolean): void {
    for (const own of this.#off) if (isOfThese(objectOf(own))) this.#switched.add(own)
    this.#movedSenders(({ key, receivers }) => isOfThese(key) || receivers.some(isOfThese))
  }

  #movedReceiver(receiver: ObjectKey): void {
    const own = keyOf(receiver)
    if (this.#off.has(own)) this.#switched.add(own)
    const isIt = ({ kind, id }: ObjectKey) => kind === receiver.kind && id === receiver.id
    this.#movedSenders(({ receivers }) => receivers.some(isIt))
  }

  #movedSenders(isOfThese: (sender: Sender) => boolean): void {
    for (const sender of this.#senders.values()) {
      if (isOfThese(sender)) this.#moved.add(keyOf(sender.key))
    }
  }

  /** '' of what is on none, and of what is not known any more. */
  #serverOf({ kind, id }: ObjectKey): string {
    const { board, programs } = this.#ctx
    if (kind === 'channel') return board.streams.ofChannel(id)?.channel.serverId ?? ''
    if (kind !== 'input' && kind !== 'output') return ''
    return programs.wanted(programIdOf(kind, id))?.serverId ?? ''
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
    const { db, hosts, log } = this.#ctx
    const switched = takeSome(this.#switched)
    const moved = takeSome(this.#moved)
    const destinationIds = takeSome(this.#movedDestinations)
    try {
      for (const id of await outputsToDestinations(db, destinationIds)) {
        this.#moved.add(keyOf({ kind: 'output', id }))
      }
      const senders = await this.#sendersOf(switched.map(objectOf), moved.map(objectOf))
      const receivers = await receiversOf(this.#ctx, senders)
      const programIds = senders.flatMap((key) => this.#judge(key, receivers.get(keyOf(key)) ?? []))
      if (programIds.length > 0) hosts.publish({ type: 'programs', programIds })
    } catch (error) {
      for (const key of switched) this.#switched.add(key)
      for (const key of moved) this.#moved.add(key)
      for (const id of destinationIds) this.#movedDestinations.add(id)
      if (!this.#isEnded)
        log.error({ err: error }, 'Senders to channels and inputs that are off are not known.')
      return this.#readSoon(AGAIN_MS)
    }
    if (this.#switched.size + this.#moved.size + this.#movedDestinations.size > 0) this.#readSoon(0)
  }

  async #sendersOf(
    switched: readonly ObjectKey[],
    moved: readonly ObjectKey[],
  ): Promise<ObjectKey[]> {
    const encoders = moved.filter(({ kind }) => kind === 'encoder')
    const feeders = [...(await receiversOf(this.#ctx, encoders)).values()].flat()
    const found = [...(await sendersTo(this.#ctx, switched)), ...feeders, ...moved]
    const senders = found.filter(({ kind }) => kind === 'feeder' || kind === 'output')
    return [...new Map(senders.map((key) => [keyOf(key), key])).values()]
  }

  /** The id of its program if that is judged in another way from now on. Not idle is what sends to something else too. */
  #judge(key: ObjectKey, receivers: readonly ObjectKey[]): string[] {
    const { board, clock } = this.#ctx
    if (key.kind !== 'feeder' && key.kind !== 'output') return []
    const programId = programIdOf(key.kind, key.id)
    const [first] = receivers
    const isOff = first !== undefined && receivers.every((each) => this.#isOff(each))
    const offCause = !isOff ? '' : first.kind === 'channel' ? CHANNEL_OFF : INPUT_OFF
    const known = this.#senders.get(programId)
    if (known !== undefined) known.receivers = receivers
    if ((known?.offCause ?? '') === offCause) return []
    const lostAtMs = board.program(programId)?.observed?.peerSinceMs ?? 0
    this.#senders.set(programId, { key, receivers, offCause, sinceMs: clock(), lostAtMs })
    return [programId]
  }

  #isOff(receiver: ObjectKey): boolean {
    const { board, programs } = this.#ctx
    if (!this.#off.has(keyOf(receiver))) return false
    return receiver.kind === 'channel'
      ? board.streams.ofChannel(receiver.id) !== null
      : programs.wanted(`input-${receiver.id}`) !== undefined
  }
}

/** Removes the first few. */
function takeSome(from: Set<string>): string[] {
  const some = from.values().take(READ_AT_ONCE).toArray()
  for (const each of some) from.delete(each)
  return some
}
