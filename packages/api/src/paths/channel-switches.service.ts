/**
 * Which feeders and outputs send to channels that are switched off on purpose, or were until just now: they
 * have no peer, and that is nobody's trouble. Asked anew whenever a channel is switched, and while one is
 * off whenever what sends where may have changed.
 */
import type { Context } from '../context.ts'
import { keyOf } from '../fleet/object-key.ts'
import type { ReceiverSwitch } from '../fleet/program-status.rules.ts'
import type { StreamKey } from '../fleet/streams/stream-board.ts'
import { programIdOf } from '../programs/wanted-program.ts'
import { beforeChannels } from './channel-edges.service.ts'
import { receiversOf } from './path-graph.service.ts'

type SwitchContext = Pick<Context, 'db' | 'board' | 'hosts' | 'notices' | 'clock' | 'log'>

/** Changes of these are followed by others: they are read once. */
const SETTLE_MS = 200

export function openChannelSwitches(ctx: SwitchContext): ChannelSwitches {
  return new ChannelSwitches(ctx)
}

export class ChannelSwitches implements AsyncDisposable {
  readonly #ctx: SwitchContext
  /** By the id of the channel; of those that are off. */
  readonly #off = new Set<string>()
  /** By the id of the program that sends. */
  #senders: ReadonlyMap<string, ReceiverSwitch> = new Map()
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
        if ('change' in notice && this.#off.size > 0) this.#readSoon(SETTLE_MS)
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
    this.#readSoon(0)
  }

  #readSoon(waitMs: number): void {
    if (this.#isEnded) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#reading = this.#reading.then(async () => this.#read())
    }, waitMs)
    this.#timer.unref()
  }

  async #read(): Promise<void> {
    const { hosts, log } = this.#ctx
    try {
      const off = await this.#sendersToOff()
      const before = this.#senders
      const wereOff = [...before].filter(([id, { isOff }]) => isOff && !off.has(id))
      this.#senders = new Map([
        ...[...before].filter(([, { isOff }]) => !isOff),
        ...wereOff.map(([id]) => [id, this.#switched(id, false)] as const),
        ...[...off].map((id) => {
          const known = before.get(id)
          return [id, known?.isOff === true ? known : this.#switched(id, true)] as const
        }),
      ])
      const changed = [...this.#senders].filter(([id, now]) => before.get(id) !== now)
      const programIds = changed.map(([id]) => id)
      if (programIds.length > 0) hosts.publish({ type: 'programs', programIds })
    } catch (error) {
      if (!this.#isEnded)
        log.error({ err: error }, 'Senders to channels that are off are not known.')
    }
  }

  #switched(programId: string, isOff: boolean): ReceiverSwitch {
    const { board, clock } = this.#ctx
    const lostAtMs = board.program(programId)?.observed?.peerSinceMs ?? 0
    return { isOff, sinceMs: clock(), lostAtMs }
  }

  /** Ids of programs; not of those that send to something else as well. */
  async #sendersToOff(): Promise<Set<string>> {
    const off = [...this.#off].filter((id) => this.#ctx.board.streams.ofChannel(id) !== null)
    if (off.length === 0) return new Set()
    const edges = await beforeChannels(this.#ctx, off)
    const senders = new Map(edges.map(({ before }) => [keyOf(before), before]))
    const receivers = await receiversOf(this.#ctx, [...senders.values()])
    const idle = [...senders].filter(([key]) =>
      (receivers.get(key) ?? []).every(({ kind, id }) => kind === 'channel' && this.#off.has(id)),
    )
    return new Set(
      idle.flatMap(([, { kind, id }]) =>
        kind === 'feeder' || kind === 'output' ? [programIdOf(kind, id)] : [],
      ),
    )
  }
}
