/**
 * What is wrong with an object, as the process sees it that links its host. Asked by the keeper of
 * alarms, which decides when that is raised and cleared.
 */
import { isConsolePart } from '@trunkline/contract/alarms/console-parts'
import { isUndecided } from '@trunkline/contract/fleet/first-answer.rules'
import type { Context } from '../context.ts'
import { keyOf, type ObjectKey } from '../fleet/object-key.ts'
import { programIdOf } from '../programs/wanted-program.ts'
import { conditionOfStream } from './channel-finding.rules.ts'
import type { ConsoleWatch } from './console/console-watch.service.ts'
import {
  awaySinceMs,
  conditionOfHost,
  conditionOfProgram,
  untilFirstHello,
  withHostProblems,
  type Condition,
  type IsOff,
} from './finding.rules.ts'

export interface ConditionContext extends Pick<Context, 'clock' | 'overrides'> {
  hosts: Pick<Context['hosts'], 'record' | 'isAssigned' | 'status' | 'heardAtMs'>
  programs: Pick<Context['programs'], 'wanted'>
  board: Pick<Context['board'], 'look' | 'host' | 'hostProblems'> & {
    streams: Pick<Context['board']['streams'], 'ofChannel' | 'server'>
  }
}

/** gone: there is no such object; foreign: another process looks after it. */
export type ObjectCondition = Condition | { is: 'gone' } | { is: 'foreign' }

export class ObjectConditions {
  readonly #ctx: ConditionContext
  readonly #console: Pick<ConsoleWatch, 'conditionOf'>
  readonly #silenced = new Set<string>()

  constructor(ctx: ConditionContext, consoleWatch: Pick<ConsoleWatch, 'conditionOf'>) {
    this.#ctx = ctx
    this.#console = consoleWatch
  }

  /** Objects of which something is wrong whose rule is off for them. */
  get silenced(): ReadonlySet<string> {
    return this.#silenced
  }

  of(object: ObjectKey): ObjectCondition {
    const { kind, id } = object
    this.#silenced.delete(keyOf(object))
    if (kind === 'server') return this.#ofServer(id)
    if (kind === 'channel') return this.#ofChannel(id)
    if (kind === 'console') return this.#ofConsole(id)
    return this.#ofProgram(programIdOf(kind, id))
  }

  #ofProgram(programId: string): ObjectCondition {
    const { hosts, programs, board, clock } = this.#ctx
    const wanted = programs.wanted(programId)
    if (wanted === undefined) return { is: 'gone' }
    if (!hosts.isAssigned(wanted.address)) return { is: 'foreign' }
    const link = hosts.status(wanted.address)
    const heardAtMs = hosts.heardAtMs(wanted.address)
    const nowMs = clock()
    if (link === null) return untilFirstHello(nowMs)
    if (isUndecided({ ...link, heardAtMs }, nowMs)) return untilFirstHello(link.sinceMs)
    const isOff = this.#isOff({ kind: wanted.kind, id: wanted.id })
    const own = conditionOfProgram(board.look(wanted), nowMs, isOff)
    const host = wanted.kind === 'encoder' ? hosts.record('encoder', wanted.id) : undefined
    const condition =
      host === undefined ? own : withHostProblems(own, board.hostProblems(host), nowMs, isOff)
    if (condition.is !== 'bad' || link.online) return condition
    const { sinceMs, fault } = link
    return {
      ...condition,
      sinceMs: awaySinceMs({ sinceMs, fault: fault?.kind ?? null, heardAtMs }),
    }
  }

  #ofServer(id: string): ObjectCondition {
    const { hosts, board, clock } = this.#ctx
    const record = hosts.record('server', id)
    if (record === undefined) return { is: 'gone' }
    if (!hosts.isAssigned(record.address)) return { is: 'foreign' }
    const status = board.host(record)
    const { answerer } = record
    const wasAsked = answerer === 'agent' || board.streams.server(id) !== null
    const problems = answerer === 'agent' ? board.hostProblems(record) : []
    const seen = { status, problems, answerer, wasAsked, nowMs: clock() }
    return conditionOfHost(seen, this.#isOff({ kind: 'server', id }))
  }

  #ofChannel(id: string): ObjectCondition {
    const { hosts, board, clock } = this.#ctx
    const known = board.streams.ofChannel(id)
    if (known === null) return { is: 'gone' }
    const record = hosts.record('server', known.channel.serverId)
    if (record === undefined) return { is: 'gone' }
    if (!hosts.isAssigned(record.address)) return { is: 'foreign' }
    return conditionOfStream(
      known.status,
      board.streams.server(record.id),
      clock(),
      this.#isOff({ kind: 'channel', id }),
    )
  }

  #ofConsole(id: string): ObjectCondition {
    if (!isConsolePart(id)) return { is: 'gone' }
    const object: ObjectKey = { kind: 'console', id }
    const { threshold } = this.#ctx.overrides.settingsOf(object, 'disk-full')
    const seen = this.#console.conditionOf(id, threshold ?? 0)
    const isOff = seen.is === 'bad' && this.#isOff(object)(seen.finding.rule)
    return isOff ? { is: 'well' } : seen
  }

  #isOff(object: ObjectKey): IsOff {
    return (rule) => {
      const { isOff } = this.#ctx.overrides.settingsOf(object, rule)
      if (isOff) this.#silenced.add(keyOf(object))
      return isOff
    }
  }
}
