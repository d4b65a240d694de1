/** The look before a move: whether the new server can have the input with its outputs, and as what. */
import type { InputConfig } from '@trunkline/contract/contributions/input.schema'
import { outerPorts } from '@trunkline/contract/contributions/link.rules'
import type { Context } from '../../context.ts'
import { AppError, conflict, forbidden, refused } from '../../errors.ts'
import type { HostAddress } from '../../hosts/host-address.ts'
import type { WantedProgram } from '../../programs/wanted-program.ts'
import * as portClaimService from '../../ports/port-claim.service.ts'
import * as portProbeService from '../../ports/port-probe.service.ts'
import type { Actor } from '../../security/actor.ts'
import * as serverService from '../../servers/server.service.ts'
import * as busService from '../bus/bus.service.ts'
import type { InputRecord } from '../inputs/input.store.ts'
import { inputProgram, outputProgram } from '../link-program.service.ts'
import * as outputStore from '../outputs/output.store.ts'
import type { OutputRecord } from '../outputs/output.store.ts'
import { clashOnSameHost, listeners, movedConfig, outputFault } from './server-change.rules.ts'

type Claim = portClaimService.AskedClaim

/** All inputs of one call go to the same place. */
export interface Destination {
  server: serverService.ServerRecord
  /** '' for Any. */
  adapterIp: string
  /** Ports that inputs of this call take there, and which of them; no two may have the same. */
  reserved: Map<number, string>
}

export interface Plan {
  /** As they are. */
  input: InputRecord
  outputs: readonly OutputRecord[]
  /** As it will be. */
  moved: InputRecord
  from: HostAddress
  to: HostAddress
  place: busService.Place
  bus: busService.PickedBus
  outputClaims: ReadonlyMap<string, readonly Claim[]>
  /** All that have a program, as they will be. */
  programs: readonly WantedProgram[]
  /** Those that are started on the new server before the old ones end. */
  copies: readonly WantedProgram[]
}

/** One look after another, so that two inputs of a call are not given the same ports. */
export async function look(
  ctx: Context,
  actor: Actor,
  input: InputRecord,
  destination: Destination,
): Promise<Plan> {
  const { server, adapterIp, reserved } = destination
  await assertMovable(ctx, actor, input, server)
  const outputs = await outputStore.listForFleet(ctx.db, { inputId: input.id })
  const [from, to] = [addressOf(input.server), addressOf(server)]
  const config = movedConfig(input.config, server, adapterIp)
  assertPossible(ctx, input, outputs, { server, config })
  const outputClaims = new Map(outputs.map((output) => [output.id, claimsOf(output, to)]))
  const given = new Set([...reserved.keys(), ...portsOf(outputClaims)])
  const { place, bus } = await placeFor(ctx, input, config, { from, to, given })
  await assertFree(ctx, actor, { input, place, outputClaims, to })
  reserve(reserved, input, place, bus, outputClaims)
  const { title, host, hostKey, port } = server
  const movedTo = { _id: server.id, title, host, hostKey, port }
  const busConfig = input.inputType === 'Local' ? {} : { multicastPort: bus.port }
  const moved: InputRecord = { ...input, server: movedTo, config: { ...config, ...busConfig } }
  const programs = programsOf(ctx, moved, outputs)
  const copies = programs.filter(({ wanted }) => wanted === 'running')
  assertTwice({ input, outputs, moved, from, to }, copies)
  return { input, outputs, moved, from, to, place, bus, outputClaims, programs, copies }
}

function addressOf(server: { hostKey: string; port: number }): HostAddress {
  return { host: server.hostKey, port: server.port }
}

/** API-58: both servers are the caller's. */
async function assertMovable(
  ctx: Context,
  actor: Actor,
  input: InputRecord,
  server: serverService.ServerRecord,
): Promise<void> {
  if (input.server._id === server.id) {
    throw conflict(`${input.title} is on ${server.title} already. Choose another server.`)
  }
  try {
    await serverService.load(ctx, actor, input.server._id)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
    throw forbidden(
      `${input.title} is on a server that none of your groups has. Ask an admin to move it.`,
    )
  }
}

function assertPossible(
  ctx: Context,
  input: InputRecord,
  outputs: readonly OutputRecord[],
  { server }: { server: serverService.ServerRecord; config: InputConfig },
): void {
  const fault = outputFault(server, outputs)
  if (fault !== null) throw refused(fault)
  const bus = ctx.hosts.capabilities(addressOf(server))?.localBus
  if (bus === undefined || bus.works || input.inputType === 'Local' || outputs.length < 2) return
  throw refused(
    `${input.title} has ${outputs.length} outputs, and ${server.title} cannot feed more than one: ${bus.reason}`,
  )
}

interface Way {
  from: HostAddress
  to: HostAddress
  /** To what goes there with it. */
  given: ReadonlySet<number>
}

function portsOf(claims: Plan['outputClaims']): number[] {
  return [...claims.values()].flat().map(({ port }) => port)
}

/** The input keeps its port of the local bus where nobody has it; both copies must not share one. */
async function placeFor(
  ctx: Context,
  { inputType, config: { multicastPort } }: InputRecord,
  config: InputConfig,
  { from, to, given }: Way,
): Promise<{ place: busService.Place; bus: busService.PickedBus }> {
  const open = { inputType, config: { ...config, multicastPort: undefined } }
  const asked = await busService.placeOn(ctx, to, open)
  const place = { ...asked, busyPorts: new Set([...asked.busyPorts, ...given]) }
  const picked = await busService.pick(ctx.db, place, open)
  if (inputType === 'Local' || multicastPort === undefined) return { place, bus: picked }
  const claimed = await portClaimService.takenPorts(ctx.db, to.host)
  const isTaken =
    claimed.has(multicastPort) ||
    given.has(multicastPort) ||
    place.outer.some(({ port }) => port === multicastPort)
  const isKept =
    from.host !== to.host && !isTaken && (await portProbeService.isFree(ctx, to, multicastPort))
  return { place, bus: isKept ? { ...picked, port: multicastPort } : picked }
}

function claimsOf({ outputType, config }: OutputRecord, { host: hostKey }: HostAddress): Claim[] {
  return outerPorts(outputType, config).map(({ port, leg }) => {
    return { hostKey, port, leg, field: 'config.port', isPicked: false }
  })
}

type Asked = Pick<Plan, 'input' | 'place' | 'outputClaims' | 'to'>

/** Of the database, which names the owner, and of the host, which knows of other programs. */
async function assertFree(
  ctx: Context,
  actor: Actor,
  { input, place, outputClaims, to }: Asked,
): Promise<void> {
  const owner = { kind: 'input', id: input.id } as const
  await portClaimService.assertFree(ctx.db, actor, owner, place.outer)
  for (const [id, claims] of outputClaims) {
    await portClaimService.assertFree(ctx.db, actor, { kind: 'output', id }, claims)
    await busService.assertFreeOnHost(ctx, to, claims)
  }
}

/** Throws Conflict when an input of the same call has one of these ports. */
function reserve(
  reserved: Map<number, string>,
  { title, inputType }: InputRecord,
  place: busService.Place,
  bus: busService.PickedBus,
  outputClaims: Plan['outputClaims'],
): void {
  const outer = [...place.outer.map(({ port }) => port), ...portsOf(outputClaims)]
  const taken = outer.find((port) => reserved.has(port))
  if (taken !== undefined) {
    const other = reserved.get(taken) ?? ''
    throw conflict(
      `Port ${taken} is also used by ${other}, which moves to the same server. Change one of the two first.`,
    )
  }
  const own = inputType === 'Local' ? outer : [...outer, bus.port]
  for (const port of own) reserved.set(port, title)
}

function programsOf(
  ctx: Context,
  moved: InputRecord,
  outputs: readonly OutputRecord[],
): WantedProgram[] {
  const own = inputProgram(ctx, moved)
  const others = outputs.map((output) => outputProgram(ctx, { link: output, input: moved }))
  return own === null ? others : [own, ...others]
}

/** One machine does not open a port twice without a word: one of the two would get nothing. */
function assertTwice(
  {
    input,
    outputs,
    moved,
    from,
    to,
  }: Omit<Plan, 'copies' | 'programs' | 'place' | 'bus' | 'outputClaims'>,
  copies: readonly WantedProgram[],
): void {
  if (from.host !== to.host) return
  const runs = (id: string) => copies.some((copy) => copy.id === id)
  const running = outputs.filter(({ id }) => runs(id))
  const type = runs(input.id) ? input.inputType : 'Local'
  const clash = clashOnSameHost(
    listeners({ ...input, inputType: type }, running),
    listeners({ ...moved, inputType: type }, running),
  )
  if (clash === null) return
  throw conflict(
    `Both servers are one machine, where port ${clash.port} of ${clash.title} cannot be open twice. Choose another Local IP, or stop it first.`,
  )
}
