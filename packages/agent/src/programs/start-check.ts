/** What must hold before a program is started: ports are free, names known, its source is there. */
import { lookup } from 'node:dns/promises'
import type { ProgramSpec } from '@trunkline/contract/agent/program.messages'
import { Ipv4, isMulticast } from '@trunkline/contract/text.schema'
import { meetingPoint } from '../commands/local-leg.command.ts'
import { hostsToResolve, withHosts } from '../commands/program.command.ts'
import { CommandRefused } from '../commands/refused.ts'
import type { Context } from '../context.ts'
import { foreignReader, foreignSender, type BusUser } from '../host/bus-use.ts'
import { callerPorts, hasCallerPort } from '../host/caller-port.ts'
import { holderOf, type UdpAddress } from '../host/free-port.ts'
import { mayOpenFiles } from '../host/open-files.ts'
import type { SourceLook } from '../host/source-look.ts'
import { missingFolder, type Layout } from '../supervisor/layout.ts'
import { programNameOf, supervisorOf } from '../supervisor/process-identity.ts'
import type { Program, Wanted } from './program.ts'

const ANY = '0.0.0.0'

/** A program that is to be started: one on the board, or one that is not there yet. */
type Startable = Pick<Program, 'id' | 'spec' | 'ports' | 'bus'>

/** Throws CommandRefused with an operator's sentence when it must not be started now. */
export async function refuseStart(ctx: Context, program: Startable): Promise<void> {
  const taken = portTaken(program, ctx.supervisor.layout.socket)
  if (taken !== '') throw new CommandRefused(taken)
  await refuseWithoutCallerPort(program.spec)
  await refuseUnusableSource(program.spec, ctx.host.sourceLook)
  await refuseSharedBus(ctx, program)
}

/**
 * Throws CommandRefused when the agent itself can start nothing now. Ask before something is stopped to
 * be started again.
 */
export function refuseUnableAgent(layout: Layout): void {
  const missing = missingFolder(layout)
  if (missing !== null) {
    throw new CommandRefused(
      `The folder ${missing} of this host's agent was deleted, so nothing can be started or changed on this host. Running streams continue. Restart the agent on the host: it creates its folders again and gets its streams from the console.`,
    )
  }
  if (!mayOpenFiles()) {
    throw new CommandRefused(
      "The agent of this host has reached its limit of open files, so nothing can be started or changed on this host. Running streams continue. Restart the agent on the host; if this comes back, raise LimitNOFILE in the agent's unit.",
    )
  }
}

/** About the first port that something else than the program itself has; '' when all are free. */
export function portTaken({ id, spec, ports }: Startable, supervisorSocket: string): string {
  for (const port of ports) {
    const holder = holderOf({ ip: listeningIp(spec, port), port })
    if (holder === null) continue
    const program = holder === 'unknown' ? '' : programNameOf(holder.pid)
    const isOurs = holder !== 'unknown' && supervisorOf(holder.pid) === supervisorSocket
    if (program !== id || !isOurs) {
      return `UDP port ${port} of this host is already used by ${nameOf(holder, program)}. Choose another port, or end that process first.`
    }
  }
  return ''
}

/** The tools say of it that the socket cannot be configured, or that the far end does not answer. */
async function refuseWithoutCallerPort(spec: ProgramSpec | null): Promise<void> {
  if (spec === null || spec.kind === 'encoder' || spec.outer.mode !== 'call') return
  if (await hasCallerPort()) return
  throw new CommandRefused(
    `All UDP ports that this host gives to programs that call out are in use (${callerPorts()}). End the program that holds them: ss -uanp lists them all.`,
  )
}

/** Where it will listen at that port: a port is open once on each address. '' for all of them. */
function listeningIp(spec: ProgramSpec | null, port: number): string {
  if (spec === null || spec.kind === 'encoder' || spec.outer.mode !== 'listen') return ''
  if (port === spec.local.port) return ''
  const { host, adapterIp } = spec.outer
  const ip = host === '' || host === ANY ? adapterIp : host
  return Ipv4.safeParse(ip).success ? ip : ''
}

/** Two agents on one host that use one group: the streams of each would arrive at the other. */
async function refuseSharedBus(ctx: Context, program: Startable): Promise<void> {
  const wanted = busLegOf(program, ctx.board.all())
  if (wanted === null) return
  const leg = meetingPoint({ ...wanted, ttl: 1 }, { localBusWorks: ctx.host.localBus.works })
  const ours = {
    supervisorSocket: ctx.supervisor.layout.socket,
    pids: ctx.board
      .all()
      .filter(({ spec, bus }) => isSameLeg(spec === null ? bus : legOf(spec), wanted))
      .flatMap(({ pid }) => pid ?? []),
  }
  const user = foreignReader(leg, ours) ?? (await foreignSender(leg, ours))
  if (user) throw new CommandRefused(sharedBus(leg, user))
}

/**
 * Where a program meets others of ours. A program that reads what no input of this host emits reads
 * a stream of the network, which is everybody's.
 */
function busLegOf(
  { spec, bus }: Pick<Program, 'spec' | 'bus'>,
  programs: readonly Pick<Program, 'spec'>[],
): UdpAddress | null {
  if (spec === null) return bus
  const leg = legOf(spec)
  if (leg === null || spec.kind === 'receiver') return leg
  const isFedHere = programs.some(
    (other) => other.spec?.kind === 'receiver' && isSameLeg(other.spec.local, leg),
  )
  return isFedHere ? leg : null
}

function legOf(spec: ProgramSpec): UdpAddress | null {
  return spec.kind === 'encoder' ? null : spec.local
}

function isSameLeg(leg: UdpAddress | null, other: UdpAddress): boolean {
  return leg !== null && leg.ip === other.ip && leg.port === other.port
}

function sharedBus({ ip, port }: UdpAddress, user: BusUser): string {
  const who = nameOf(user.pid === 0 ? 'unknown' : user, user.program)
  const whose = user.program === '' ? '' : ' of another agent on this host'
  const does =
    user.what === 'reads'
      ? `is already read by ${who}${whose}`
      : `already gets packets from ${who}${whose}`
  const what = isMulticast(ip) ? 'Multicast group' : 'Address'
  return `${what} ${ip}, port ${port}, ${does}, and the two streams would mix. Choose another group, or end that process first.`
}

function nameOf(holder: { pid: number; command: string } | 'unknown', program: string): string {
  if (holder === 'unknown') return 'a process of another user'
  return `${holder.command}${program === '' ? '' : ` of program ${program}`} (process ${holder.pid})`
}

/** Throws CommandRefused when nothing can be encoded from the source of an encoder. */
async function refuseUnusableSource(spec: ProgramSpec | null, sources: SourceLook): Promise<void> {
  if (spec?.kind !== 'encoder') return
  const sentence = await sources.faultOf(spec.config['card-idx'])
  if (sentence !== '') throw new CommandRefused(sentence)
}

/**
 * The specification with addresses for the names that its tool cannot look up itself. A name that
 * is unknown today stands in the way of a start, not of keeping a stopped program.
 */
export async function resolveNames(spec: ProgramSpec, wanted: Wanted): Promise<ProgramSpec> {
  const names = hostsToResolve(spec)
  if (names.length === 0) return spec
  const found = await Promise.all(names.map(async (name) => addressOf(name, wanted)))
  const known = found.flatMap((ip, index) => (ip === '' ? [] : [[names[index] ?? '', ip] as const]))
  return withHosts(spec, new Map(known))
}

async function addressOf(name: string, wanted: Wanted): Promise<string> {
  try {
    return (await lookup(name, { family: 4 })).address
  } catch {
    if (wanted === 'stopped') return ''
    throw new CommandRefused(
      `This host cannot find the address of '${name}'. Check the name, or the host's name service.`,
    )
  }
}
