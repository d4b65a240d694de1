/**
 * Raises and clears alarms: hears each change of hosts, programs and streams, as the recorder of
 * events does, and looks at what has changed and at nothing else. Only the process that links a host
 * judges what is on it; the others hear of its alarms.
 */
import { keyOf, type ObjectKey, objectOf } from '../fleet/object-key.ts'
import type { Context } from '../context.ts'
import { OverdueTimer } from '../fleet/counts/overdue-timer.ts'
import { hostsOf } from '../fleet/host-hops.ts'
import type { HostsEvent } from '../hosts/hosts-event.ts'
import { eachInSlices } from '../in-slices.ts'
import type { Notice } from '../notices.ts'
import { kindAndId } from '../programs/wanted-program.ts'
import { AlarmBook, type Decision, type OpenFinding } from './alarm-book.ts'
import { AlarmWriter } from './alarm-writer.service.ts'
import type { StoredAlarm } from './alarm.store.ts'
import { ConsoleWatch, PARTS, type ConsoleWatchContext } from './console/console-watch.service.ts'
import { lostTogether } from './lost-together.service.ts'
import { OverNotices } from './over-notices.ts'
import { ObjectConditions, type ConditionContext } from './object-conditions.service.ts'

export interface AlarmContext
  extends ConsoleWatchContext, ConditionContext, Pick<Context, 'notices' | 'alarms' | 'overrides'> {
  hosts: ConditionContext['hosts'] &
    Pick<
      Context['hosts'],
      | 'listen'
      | 'recordsAt'
      | 'recordsOnMachine'
      | 'serverRecords'
      | 'health'
      | 'report'
      | 'reports'
    >
  programs: Pick<Context['programs'], 'opened' | 'wanted' | 'allWanted'>
  board: Pick<Context['board'], 'followStreams' | 'followServers'> &
    ConditionContext['board'] & {
      streams: Pick<Context['board']['streams'], 'known' | 'channels' | 'links'>
    }
}

/** Open alarms are looked at this often: another process may have begun or ceased to look after them. */
const RECHECK_MS = 10_000
/** So many each time, some 20 ms of work: of a hundred thousand each has its turn within ten minutes. */
const RECHECKED_AT_ONCE = 2000
/** After the database did not take it. */
const AGAIN_MS = 2000
/** Whether what feeds it is about to be raised is looked at this often. */
const CAUSE_LOOK_MS = 250

export function openAlarms(ctx: AlarmContext): AlarmKeeper {
  const keeper = new AlarmKeeper(ctx)
  keeper.begin()
  return keeper
}

export class AlarmKeeper implements AsyncDisposable {
  readonly #ctx: AlarmContext
  readonly #book: AlarmBook
  readonly #conditions: ObjectConditions
  readonly #timer: OverdueTimer
  readonly #writer: AlarmWriter
  readonly #console: ConsoleWatch
  readonly #stopHearing: (() => void)[] = []
  readonly #overNotices: OverNotices
  #isPublishing = false
  #arePathsOld = false
  #isEnded = false
  #recheckTimer: NodeJS.Timeout | undefined
  /** Where the round of the open alarms goes on. */
  #round: Iterator<StoredAlarm>
  #opening: Promise<void> = Promise.resolve()

  constructor(ctx: AlarmContext) {
    this.#ctx = ctx
    this.#round = ctx.alarms.all()
    this.#book = new AlarmBook((key, rule) => ctx.overrides.settingsOf(objectOf(key), rule))
    const { alarms, notices } = ctx
    this.#overNotices = new OverNotices({
      alarms,
      notices,
      overSinceMs: (key) => this.#book.wellSinceMs(key),
    })
    this.#timer = new OverdueTimer(ctx.clock, (key) => this.#look(objectOf(key)))
    this.#console = new ConsoleWatch(ctx, () => {
      for (const id of this.#isEnded ? [] : PARTS) this.#look({ kind: 'console', id })
    })
    this.#conditions = new ObjectConditions(ctx, this.#console)
    this.#writer = new AlarmWriter({
      ctx,
      hostsOf: (object, rule) => [
        ...lostTogether(ctx, object, rule),
        ...hostsOf(ctx, object, rule),
      ],
      soon: (key) => this.#book.soon(key),
      isOwn: (object) => !['gone', 'foreign'].includes(this.#conditions.of(object).is),
      isWell: (object) => this.#conditions.of(object).is === 'well',
      onWritten: (object, open, isFirstCause) => this.#written(object, open, isFirstCause),
      onFailed: (object) => {
        this.#book.handBack(keyOf(object))
        this.#timer.set(keyOf(object), ctx.clock() + AGAIN_MS)
      },
      onDeferred: (object) => {
        this.#book.handBack(keyOf(object))
        this.#timer.set(keyOf(object), ctx.clock() + CAUSE_LOOK_MS)
      },
      onChanged: (ids) => this.#publish(ids),
    })
  }

  /** What is not there before its records were read would count as removed. */
  begin(): void {
    void this.#ctx.programs.opened().then(() => {
      if (!this.#isEnded) this.#opening = this.#open()
    })
  }

  /** Resolves when all that was decided until now is written. */
  async written(): Promise<void> {
    await this.#ctx.programs.opened()
    await this.#opening
    await this.#console.looked()
    this.#timer.turn()
    await this.#writer.written()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true
    for (const stop of this.#stopHearing) stop()
    clearTimeout(this.#recheckTimer)
    this.#overNotices[Symbol.dispose]()
    this.#timer[Symbol.dispose]()
    // First: what it reads at the start is broken off by that.
    await this.#writer[Symbol.asyncDispose]()
    await this.#opening
    await this.#console[Symbol.asyncDispose]()
  }

  async #open(): Promise<void> {
    const { hosts, board, notices, overrides, log } = this.#ctx
    // What is raised while the open ones are read is heard.
    this.#stopHearing.push(notices.listen((notice) => this.#noticed(notice)))
    try {
      await this.#writer.open()
    } catch (error) {
      if (this.#isEnded) return
      log.error({ err: error }, 'The open alarms could not be read.')
      this.#writer.hear([])
    }
    if (this.#isEnded) return
    this.#stopHearing.push(
      hosts.listen((event) => this.#heard(event)),
      board.followStreams((keys) => {
        for (const key of keys) this.#lookAtChannel(board.streams.known(key)?.channel.id)
      }),
      board.followServers((id) => this.#look({ kind: 'server', id })),
      overrides.listen(() => void this.#lookAtBad()),
    )
    this.#console.begin()
    await this.#lookAtAll()
    this.#askWhatIsOver()
    this.#recheckSoon()
  }

  #noticed(notice: Notice): void {
    if (['gone', 'onAir', 'alarmOverride', 'hostNetwork'].includes(notice.kind)) return
    if (notice.kind === 'alarmsOver') {
      for (const { id, sinceMs } of notice.alarms) this.#ctx.alarms.noteOver(id, sinceMs)
      return
    }
    if (notice.kind === 'alarmsOverAsked') {
      this.#overNotices.tellAgain(this.#overAlarms().mine)
      return
    }
    if (notice.kind !== 'alarms') {
      // What feeds what may be another by now.
      this.#arePathsOld = true
      return
    }
    if (this.#isPublishing) return
    this.#writer.hear(notice.ids)
    if (notice.ids.length === 0) this.#askWhatIsOver()
  }

  /** Notices may have been missed, and what is over is not stored: the processes that see it are asked. */
  #askWhatIsOver(): void {
    const { alarms, notices } = this.#ctx
    alarms.forgetOver(this.#overAlarms().others)
    notices.tell({ kind: 'alarmsOverAsked' })
  }

  /** Open alarms of which what they say is over, by who looks after their objects. */
  #overAlarms() {
    const over = Object.groupBy(this.#ctx.alarms.allOver(), (alarm) =>
      this.#conditions.of(alarm).is === 'foreign' ? 'others' : 'mine',
    )
    return { mine: over.mine ?? [], others: over.others ?? [] }
  }

  async #lookAtAll(): Promise<void> {
    const { hosts, programs, board, alarms } = this.#ctx
    await eachInSlices(hosts.serverRecords(), ({ id }) => this.#look({ kind: 'server', id }))
    await eachInSlices([...programs.allWanted()], ({ kind, id }) => this.#look({ kind, id }))
    await eachInSlices(board.streams.channels(), ({ channel }) => this.#lookAtChannel(channel.id))
    await eachInSlices([...alarms.all()], (alarm) => this.#look(alarm))
  }

  /** After a change of the rules: what is well without any override has nothing to raise. */
  async #lookAtBad(): Promise<void> {
    const open = [...this.#ctx.alarms.all()].map(keyOf)
    const bad = new Set([...open, ...this.#book.keys(), ...this.#conditions.silenced])
    await eachInSlices(bad, (key) => this.#look(objectOf(key)))
  }

  #recheckSoon(): void {
    if (this.#isEnded) return
    this.#recheckTimer = setTimeout(() => void this.#recheck(), RECHECK_MS).unref()
  }

  async #recheck(): Promise<void> {
    await eachInSlices(this.#nextOfRound(), (alarm) => this.#look(alarm))
    this.#writer.recheck(this.#arePathsOld)
    this.#arePathsOld = false
    this.#recheckSoon()
  }

  *#nextOfRound(): Generator<StoredAlarm> {
    for (let count = 0; count < RECHECKED_AT_ONCE; count += 1) {
      const next = this.#round.next()
      if (next.done === true) {
        this.#round = this.#ctx.alarms.all()
        return
      }
      yield next.value
    }
  }

  #heard(event: HostsEvent): void {
    switch (event.type) {
      case 'programs':
        for (const programId of event.programIds) this.#look(kindAndId(programId))
        return
      case 'host':
        // Thousands of encoders may be one host's.
        void eachInSlices([...this.#ctx.hosts.recordsAt(event.address)], ({ kind, id }) =>
          this.#look({ kind, id }),
        )
        return
      case 'scope':
        this.#ctx.alarms.recount()
        for (const { kind, id } of event.hosts)
          if (kind === 'server') this.#look({ kind: 'server', id })
        return
      case 'restart':
      case 'readings':
      case 'transports':
    }
  }

  #lookAtChannel(id: string | undefined): void {
    if (id !== undefined) this.#look({ kind: 'channel', id })
  }

  /** What is not looked at before the end, of a large site that is starting, is found at the next start. */
  #look(object: ObjectKey): void {
    if (this.#isEnded) return
    const key = keyOf(object)
    const seen = this.#conditions.of(object)
    if (seen.is !== 'foreign' && seen.is !== 'gone') {
      this.#act(object, this.#book.see(key, seen, this.#ctx.clock()))
      return this.#overNotices.look(key)
    }
    this.#book.release(key)
    this.#timer.set(key, null)
    const isLeft = seen.is === 'gone' && this.#ctx.alarms.at(key) !== undefined
    if (isLeft) this.#writer.order({ act: 'clear', object })
  }

  #act(object: ObjectKey, decision: Decision): void {
    const key = keyOf(object)
    if (decision.act === null) {
      this.#timer.set(key, decision.againAtMs)
      return
    }
    this.#timer.set(key, null)
    this.#writer.order(
      decision.act === 'clear' ? { act: 'clear', object } : { object, ...decision },
    )
  }

  #written(object: ObjectKey, open: OpenFinding | null, isFirstCause: boolean): void {
    const decision = this.#book.written(keyOf(object), { open, isFirstCause }, this.#ctx.clock())
    if (!this.#isEnded) this.#act(object, decision)
  }

  #publish(ids: readonly string[]): void {
    this.#isPublishing = true
    this.#ctx.notices.tell({ kind: 'alarms', ids })
    this.#isPublishing = false
  }
}
