/**
 * Our supervisord as the programs see it: it reports state changes, takes calls, and is started
 * again when it dies. Closing this ends the watch, never supervisord.
 */
import type { Logger } from 'pino'
import { TaskQueue } from '@trunkline/contract/task-queue'
import type { Layout } from './layout.ts'
import { LISTENER_NAME } from './main-conf.ts'
import { whenGone } from './process-identity.ts'
import { readSections } from './program-file.ts'
import { SupervisorClient, type ProcessInfo } from './supervisor.client.ts'
import {
  EventReader,
  type EventListener,
  type HostEvent,
  type StateEvent,
} from './supervisor.events.ts'
import { instanceOf, PATIENT, startSupervisor, type StartWait } from './supervisor.process.ts'
import { SIGN_OF_LIFE_MS, SILENCE_MS, SupervisorUnavailable } from './supervisor.silence.ts'
import { Waker } from './supervisor.wake.ts'

export interface SupervisorListener extends EventListener {
  /** What happened while nobody listened. Comes once, before the first list. */
  onMissed(events: readonly HostEvent[]): void
  /**
   * The whole list, read anew: at start, once a minute, and after events were lost. `outdated`: programs that
   * changed while it was read, of which the list may say what was before.
   */
  onList(infos: readonly ProcessInfo[], outdated: ReadonlySet<string>): void
  /** supervisord got a signal to reload or to end: it stops its programs, one after the other. */
  onStopping(): void
  /** It runs again after that. */
  onReloaded(): void
  /** supervisord died, and all programs with it. It is being started again. */
  onLost(): void
}

/** A death is known this much later at most. */
const WAKE_MS = 200
/** While somebody waits for a command's result. */
const FAST_WAKE_MS = 25
const LIST_MS = 60_000
/** Between tries to bring it back: a broken installation must not become a storm. */
const REBIRTH_PAUSE_MS = 2000
/** A supervisord that reloads reads its files between closing its socket and opening it again. */
const QUICK_TRIES = 10
const QUICK_PAUSE_MS = 100
/** From the close of a killed supervisord's connection to its end; some milliseconds on an idle host. */
const DYING_MS = 500
const DYING_LOOK_MS = 20
/** It stops its programs one after the other, each after a look of its own. */
const STOPPING_POLL_MS = 10_000

export class Supervisor {
  readonly layout: Layout
  readonly client: SupervisorClient
  readonly how: 'started' | 'adopted'
  /** Told when it has answered nothing for `SILENCE_MS`, and when it answers again. */
  onSilence: (isSilent: boolean) => void = () => undefined
  readonly #log: Logger
  readonly #dataDir: string
  readonly #closing = new AbortController()
  #listener: SupervisorListener | null = null
  #events: EventReader | null = null
  #timer: NodeJS.Timeout | undefined
  #listTimer: NodeJS.Timeout | undefined
  #pollFastUntilMs = 0
  #waker: Waker | null = null
  #isSilent = false
  #reconnecting: Promise<void> = Promise.resolve()
  /** For each list that is being read the programs of which events came meanwhile. */
  readonly #heardSince = new Set<Set<string>>()
  readonly #readings = new TaskQueue()
  /** The reading that has not begun yet. */
  #nextReading: Promise<void> | null = null

  private constructor(
    dataDir: string,
    log: Logger,
    start: { layout: Layout; how: 'started' | 'adopted' },
  ) {
    this.#dataDir = dataDir
    this.#log = log
    this.layout = start.layout
    this.how = start.how
    this.client = new SupervisorClient(start.layout.socket)
  }

  /** Adopts the living supervisord of this data folder, or starts one. */
  static async open(dataDir: string, log: Logger): Promise<Supervisor> {
    const start = await startSupervisor(dataDir, waitLogging(log, PATIENT.signal))
    log.info({ pid: start.pid, how: start.how }, 'supervisord runs')
    return new Supervisor(dataDir, log, start)
  }

  /** Begins to report; resolves once the first list has been read. */
  async watch(listener: SupervisorListener): Promise<void> {
    this.#listener = listener
    const onEvent = (event: StateEvent) => {
      for (const heard of this.#heardSince) heard.add(event.programId)
      listener.onEvent(event)
    }
    this.#events = new EventReader(
      this.layout.eventsFifo,
      { onEvent },
      {
        onSupervisor: (state) => this.#turned(state),
        onGap: () => void this.#readListOrLog(),
      },
    )
    listener.onMissed(this.#events.missed)
    await this.refresh()
    this.#connect()
    this.#schedule()
    this.#listTimer = setInterval(() => void this.#readListOrLog(), LIST_MS)
  }

  /**
   * Resolves when supervisord has read all that was written before the call. It reads all its files,
   * a millisecond or two each, so whoever comes before a reading has begun shares it.
   */
  async readFiles(): Promise<void> {
    this.#nextReading ??= this.#readings.add(async () => {
      this.#nextReading = null
      await readSections(this.layout, this.client)
    })
    return this.#nextReading
  }

  /** How long it has owed an answer; a supervisord that is well takes some milliseconds. */
  get silentMs(): number {
    return this.#waker?.silentMs ?? 0
  }

  /** Call directly before each command to it. Throws SupervisorUnavailable. */
  async refuseUnavailable(outcome: 'not begun' | 'cut off'): Promise<void> {
    if (this.#isSilent || !(await this.#answers(outcome))) {
      throw new SupervisorUnavailable('silent', outcome)
    }
  }

  async #answers(outcome: 'not begun' | 'cut off'): Promise<boolean> {
    return this.client.answersWithin(SIGN_OF_LIFE_MS).catch((error: unknown) => {
      throw error instanceof SupervisorUnavailable
        ? new SupervisorUnavailable('ended', outcome)
        : error
    })
  }

  /** Looks more often for a moment, because a command's result is awaited. */
  pollFast(forMs: number): void {
    this.#pollFastUntilMs = performance.now() + forMs
    this.#schedule()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    clearTimeout(this.#timer)
    clearInterval(this.#listTimer)
    this.#waker?.[Symbol.dispose]()
    this.#events?.[Symbol.dispose]()
    this.client[Symbol.dispose]()
    await this.#reconnecting
  }

  #turned(state: 'running' | 'stopping'): void {
    if (state === 'running') return this.#listener?.onReloaded()
    this.#log.warn('supervisord got a signal to reload or to end')
    this.#listener?.onStopping()
    this.pollFast(STOPPING_POLL_MS)
  }

  #connect(): void {
    this.#waker = new Waker(this.layout.socket, () => {
      this.#reconnecting = this.#reconnect()
    })
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    if (this.#closing.signal.aborted) return
    const pauseMs = performance.now() < this.#pollFastUntilMs ? FAST_WAKE_MS : WAKE_MS
    this.#timer = setTimeout(() => {
      this.#waker?.wake()
      this.#noticeSilence()
      this.#schedule()
    }, pauseMs)
  }

  /** Its programs run on, and ending it would end them, so it is only reported. */
  #noticeSilence(): void {
    const isSilent = this.silentMs > SILENCE_MS
    if (isSilent === this.#isSilent) return
    this.#isSilent = isSilent
    if (isSilent) this.#log.error('supervisord does not answer')
    else this.#log.warn('supervisord answers again')
    this.onSilence(isSilent)
    if (!isSilent) void this.#readListOrLog()
  }

  /** Its connection has closed. While it lives that is all; else it is started again. */
  async #reconnect(): Promise<void> {
    let tries = 0
    while (!this.#closing.signal.aborted) {
      try {
        if (await this.#hasEnded()) {
          this.#listener?.onLost()
          const start = await startSupervisor(
            this.#dataDir,
            waitLogging(this.#log, this.#closing.signal),
          )
          this.#log.warn({ pid: start.pid, how: start.how }, 'supervisord runs again')
        }
        await this.refresh()
        return this.#connect()
      } catch (error) {
        if (this.#closing.signal.aborted) return
        this.#log.error({ reason: reasonOf(error) }, 'supervisord cannot be reached')
        tries += 1
        const pauseMs = tries <= QUICK_TRIES ? QUICK_PAUSE_MS : REBIRTH_PAUSE_MS
        await pause(pauseMs, this.#closing.signal)
      }
    }
  }

  /**
   * Its sockets close a moment before it counts as ended. A supervisord that reloads opens them
   * again.
   */
  async #hasEnded(): Promise<boolean> {
    const known = instanceOf(this.layout)
    if (known === null) return true
    const deadline = performance.now() + DYING_MS
    while (performance.now() < deadline) {
      if ((await whenGone([known], DYING_LOOK_MS)).length === 0) return true
      if (await this.client.answersWithin(SIGN_OF_LIFE_MS).catch(() => false)) return false
    }
    return false
  }

  /** Reads the whole list now. */
  async refresh(): Promise<void> {
    const heard = new Set<string>()
    this.#heardSince.add(heard)
    try {
      const infos = await this.client.getAllProcessInfo()
      const ours = infos.filter((info) => info.name !== LISTENER_NAME)
      this.#listener?.onList(ours, heard)
    } finally {
      this.#heardSince.delete(heard)
    }
  }

  async #readListOrLog(): Promise<void> {
    await this.refresh().catch((error: unknown) => {
      this.#log.warn({ reason: reasonOf(error) }, 'the list of programs could not be read')
    })
  }
}

function waitLogging(log: Logger, signal: AbortSignal): StartWait {
  const onSilence: StartWait['onSilence'] = (silence) => {
    log.warn(silence, 'supervisord lives and does not answer yet; it is waited for')
  }
  const onEnded: StartWait['onEnded'] = (pid) => {
    log.error({ pid }, 'an unreachable supervisord was ended with its programs')
  }
  return { ...PATIENT, onSilence, onEnded, signal }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, durationMs)
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise
  clearTimeout(timer)
}
