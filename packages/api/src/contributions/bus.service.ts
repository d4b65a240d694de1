/** Finds and takes places: ports of a host, and groups and ports of its local bus. */
import type { InputConfig, InputType } from '@trunkline/contract/contributions/input.schema'
import type { Context, Db } from '../context.ts'
import { AppError, conflict, refused } from '../errors.ts'
import { addressText, type HostAddress } from '../hosts/host-address.ts'
import { HostFault } from '../hosts/host-fault.ts'
import * as portClaimService from '../ports/port-claim.service.ts'
import type { Actor } from '../security/actor.ts'
import * as busGroupStore from './bus-group.store.ts'
import { freeBusPorts, freeGroup } from './bus.rules.ts'

type Claim = portClaimService.AskedClaim

/**
 * What only the host can tell: another program of it may have the port. A host that does not answer
 * is not waited for; the port is tried again when the link is started.
 */
export async function assertFreeOnHost(
  ctx: Context,
  address: HostAddress,
  claims: readonly Claim[],
): Promise<void> {
  const taken = await portClaimService.takenPorts(ctx.db, address.host)
  for (const { port, field } of claims) {
    // One of ours: the claim names its owner, the host could not.
    if (taken.has(port) || (await isFreeOnHost(ctx, address, port))) continue
    throw conflict(
      `Port ${port} is in use by another program on ${addressText(address)}. Choose another port, or end that program.`,
      { field },
    )
  }
}

async function isFreeOnHost(ctx: Context, address: HostAddress, port: number): Promise<boolean> {
  if (ctx.hosts.status(address)?.online !== true) return true
  try {
    return (await ctx.hosts.call(address, 'probePort', { port })).free
  } catch (error) {
    if (error instanceof AppError || error instanceof HostFault) return true
    throw error
  }
}

/** The place that an input has on its host: ports of the outer leg, and the local bus. */
export interface Place {
  address: HostAddress
  outer: readonly Claim[]
  /** Bus ports that another program of the host has. */
  busyPorts: ReadonlySet<number>
}

/** Asks the host for its own view of the ports, before any transaction: hosts may take seconds. */
export async function placeOn(
  ctx: Context,
  address: HostAddress,
  outer: readonly Claim[],
): Promise<Place> {
  await assertFreeOnHost(ctx, address, outer)
  const busyPorts = new Set<number>()
  const claimed = await portClaimService.takenPorts(ctx.db, address.host)
  for (const port of freeBusPorts(claimed)) {
    if (await isFreeOnHost(ctx, address, port)) break
    busyPorts.add(port)
  }
  return { address, outer, busyPorts }
}

export interface PickedBus {
  ip: string
  port: number
  /** By us; the operator left it to us. */
  isPicked: { ip: boolean; port: boolean }
}

const NOTHING = { ip: false, port: false }

/** What is not named is picked: the lowest group and bus port that nobody has. */
export async function pick(
  trx: Db,
  { address, outer, busyPorts }: Place,
  { inputType, config }: { inputType: InputType; config: InputConfig },
): Promise<PickedBus> {
  // A Local input reads a group that is there already, on the port that its stream has.
  if (inputType === 'Local') return { ip: config.multicast, port: config.port, isPicked: NOTHING }
  const ip = config.multicast || freeGroup(await busGroupStore.taken(trx))
  if (ip === null) {
    throw conflict('Every group of the local bus is in use. Remove inputs that nobody needs.', {
      field: 'config.multicast',
    })
  }
  const claimed = await portClaimService.takenPorts(trx, address.host)
  const taken = new Set([...claimed, ...busyPorts, ...outer.map(({ port }) => port)])
  const [free] = freeBusPorts(taken)
  const port = config.multicastPort ?? free
  const isPicked = { ip: config.multicast === '', port: config.multicastPort === undefined }
  if (port !== undefined) return { ip, port, isPicked }
  throw conflict(`No port of the local bus of ${address.host} is free. Remove inputs there.`, {
    field: 'config.multicastPort',
  })
}

/** In the transaction that saves the input, after the input. */
export async function take(
  trx: Db,
  actor: Actor,
  { address, outer }: Place,
  input: { id: string; inputType: InputType },
  { ip, port, isPicked }: PickedBus,
): Promise<void> {
  if (input.inputType === 'Local') return
  assertApart(outer, port)
  const field = 'config.multicastPort'
  const bus = { hostKey: address.host, port, leg: 'bus', field, isPicked: isPicked.port }
  await portClaimService.claim(trx, actor, { kind: 'input', id: input.id }, [...outer, bus])
  if (!isPicked.ip && (await busGroupStore.ownerOf(trx, ip)) !== null) {
    throw conflict(
      `${ip} is the local bus of another input. Leave multicast empty for a free group.`,
      { field: 'config.multicast' },
    )
  }
  if (!(await busGroupStore.take(trx, ip, input.id))) {
    throw new portClaimService.ClaimRaceLost('config.multicast')
  }
}

/** decisions.md 1: one number on both legs makes every reader of the bus fail. */
function assertApart(outer: readonly Claim[], busPort: number): void {
  if (!outer.some(({ port }) => port === busPort)) return
  throw refused('config.multicastPort must not be a port of the outer leg. Leave it out.', {
    field: 'config.multicastPort',
  })
}
