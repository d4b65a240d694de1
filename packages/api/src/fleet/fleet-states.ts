/** What each program and host of the fleet is now, from what was heard of it and what is wanted of it. */
import type { AlarmRule } from '@trunkline/contract/alarms/open-alarms.schema'
import { defaultThreshold } from '@trunkline/contract/alarms/threshold.rules'
import { HOST_NOT_HEARD } from '@trunkline/contract/program-state'
import type {
  HostProblem,
  HostStatus,
  LiveSnapshot,
  ProgramStatus,
} from '@trunkline/contract/fleet/fleet.schema'
import { disturbancesOf, problemOf } from '../hosts/host-problem.rules.ts'
import type { HostRecord } from '../hosts/host-record.ts'
import type { Hosts } from '../hosts/hosts.ts'
import { mapInParts, type WithParts } from '../in-slices.ts'
import type { Programs } from '../programs/programs.ts'
import { programIdOf, type KnownProgram } from '../programs/wanted-program.ts'
import type { Actor } from '../security/actor.ts'
import type { ObjectKey } from './object-key.ts'
import {
  feedTrouble,
  programStatus,
  withReceiver,
  type ReceiverSwitch,
} from './program-status.rules.ts'
import type { StreamBoard } from './streams/stream-board.ts'
import { forRole, visibleOf } from './visible.rules.ts'

/** Of that alarm rule for that object, in percent; null of a rule without a threshold. */
export type ThresholdOf = (object: ObjectKey, rule: AlarmRule) => number | null

/** Of a program that sends to channels or inputs; null where nothing was switched that matters to it. */
export type ReceiverOf = (programId: string) => ReceiverSwitch | null

interface Heard {
  hosts: Hosts
  programs: Programs
  streams: StreamBoard
  clock: () => number
}

export class FleetStates {
  readonly #hosts: Hosts
  readonly #programs: Programs
  readonly #streams: StreamBoard
  readonly #clock: () => number
  #thresholdOf: ThresholdOf = (_, rule) => defaultThreshold(rule)

  #receiverOf: ReceiverOf = () => null

  constructor({ hosts, programs, streams, clock }: Heard) {
    this.#hosts = hosts
    this.#programs = programs
    this.#streams = streams
    this.#clock = clock
  }

  /** From now on states are judged by these thresholds, not by the defaults. */
  judgeBy(thresholdOf: ThresholdOf): void {
    this.#thresholdOf = thresholdOf
  }

  /** From now on senders are judged by whether their receivers are on. */
  judgeByReceivers(receiverOf: ReceiverOf): void {
    this.#receiverOf = receiverOf
  }

  /** What disturbs programs on the host of that record, worst first, as long as it answers. */
  hostProblems(record: HostRecord): HostProblem[] {
    const health = this.#hosts.health(record.address)
    return health === null ? [] : disturbancesOf(health, this.#diskThresholdOf(record))
  }

  /** null for a program that the database does not have. */
  program(programId: string): ProgramStatus | null {
    const wanted = this.#programs.wanted(programId)
    return wanted === undefined ? null : this.look(wanted)
  }

  /** The status as it is; the trouble of a feeder may be its encoder's, and that of an output its input's. */
  look(wanted: KnownProgram): ProgramStatus {
    const receiver = this.#receiverOf(wanted.programId)
    const own = withReceiver(this.#observed(wanted), receiver, this.#clock())
    const cause = own.cause || this.#feedTrouble(wanted, own)
    return { ...own, cause }
  }

  #feedTrouble({ kind, ownerKind, ownerId }: KnownProgram, own: ProgramStatus): string {
    if (kind !== 'feeder' && kind !== 'output') return ''
    const source = this.#programs.wanted(programIdOf(ownerKind, ownerId))
    const status = source === undefined ? null : this.#observed(source)
    return feedTrouble(own, status, this.#clock())
  }

  #observed(wanted: KnownProgram): ProgramStatus {
    const report = this.#hosts.report(wanted)
    const link = this.#hosts.status(wanted.address)
    const refusal = this.#programs.refusalOf(wanted)
    const thresholdOf = (rule: AlarmRule) => this.#thresholdOf(wanted, rule)
    return programStatus({ wanted, report, link, refusal, thresholdOf })
  }

  #diskThresholdOf({ kind, id }: HostRecord): number {
    return this.#thresholdOf({ kind, id }, 'disk-full') ?? 0
  }

  host(record: HostRecord): HostStatus {
    const isAgent = record.answerer === 'agent'
    const answer = isAgent ? this.#hosts.status(record.address) : this.#streams.server(record.id)
    const heardAtMs = isAgent
      ? this.#hosts.heardAtMs(record.address)
      : (this.#streams.server(record.id)?.heardAtMs ?? null)
    const health = isAgent ? this.#hosts.health(record.address) : null
    const problem = health === null ? undefined : problemOf(health, this.#diskThresholdOf(record))
    return {
      id: record.id,
      kind: record.kind,
      online: answer?.online ?? false,
      sinceMs: answer?.sinceMs ?? this.#clock(),
      heardAtMs,
      fault: answer?.fault?.kind ?? null,
      cause: answer?.fault?.sentence ?? (answer?.online === false ? HOST_NOT_HEARD : ''),
      ...(problem === undefined ? {} : { problem }),
      ...(isAgent ? { isEncrypted: this.#isEncrypted(record) } : {}),
    }
  }

  #isEncrypted({ address }: HostRecord): boolean {
    const security = this.#hosts.identities.find(address)?.security
    return security !== undefined && security !== 'waiting'
  }

  /** Everything this person may see, computed as it is read: others would have to wait for that of a large site. */
  snapshotInParts(actor: Actor): WithParts<LiveSnapshot> {
    const { programs, hosts, streams } = visibleOf(actor, {
      programs: [...this.#programs.allWanted()],
      hosts: this.#hosts.records(),
      streams: this.#streams.channels(),
    })
    return {
      atMs: this.#clock(),
      programs: mapInParts(programs, (wanted) => this.look(wanted)),
      hosts: mapInParts(hosts, (record) => forRole(actor, this.host(record))),
      streams: mapInParts(streams, ({ status }) => status),
    }
  }
}
