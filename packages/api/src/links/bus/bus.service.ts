/** Finds and takes places: ports of a host, and groups and ports of its local bus. */
import type { InputConfig, InputType } from '@trunkline/contract/contributions/input.schema'
import type { OutputConfig } from '@trunkline/contract/contributions/output.schema'
import { isMulticast } from '@trunkline/contract/text.schema'
import type { Context, Db } from '../../context.ts'
import { outerPorts } from '@trunkline/contract/contributions/link.rules'
import { conflict, refused } from '../../errors.ts'
import { addressText, type HostAddress } from '../../hosts/host-address.ts'
import * as portClaimService from '../../ports/port-claim.service.ts'
import * as portProbeService from '../../ports/port-probe.service.ts'
import type { Actor } from '../../security/actor.ts'
import * as busGroupStore from './bus-group.store.ts'
import { freeBusPorts, freeGroups, isOwnGroup, type BusRange } from './bus.rules.ts'

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
  const taken = await portProbeService.usedPorts(ctx.db, address.host)
  for (const { port, field } of claims) {
    // One of ours: the claim names its owner, the host could not.
    if (taken.has(port) || (await portProbeService.isFree(ctx, address, port))) continue
    throw conflict(
      `Port ${port} is in use by another program on ${addressText(address)}. Choose another port, or end that program.`,
      { field },
    )
  }
}

/** A host that calls so many ports busy is asked no longer: it looks again before it starts anything. */
const MOST_PROBES = 50

/** The place that an input has on its host: ports of the outer leg, and the local bus. */
export interface Place {
  address: HostAddress
  outer: readonly Claim[]
  range: BusRange
  /** Bus ports and groups that another program of the host has. */
  busyPorts: ReadonlySet<number>
  busyGroups: ReadonlySet<string>
}

interface Settings {
  inputType: InputType
  config: InputConfig
}

/** Asks the host for its own view of the ports, before any transaction: hosts may take seconds. */
export async function placeOn(
  ctx: Context,
  address: HostAddress,
  settings: Settings,
): Promise<Place> {
  const place = placeUnasked(ctx, address, settings)
  if (settings.inputType === 'Local') return place
  const { multicast, multicastPort } = settings.config
  await assertFreeOnHost(ctx, address, [...place.outer, ...namedBus(address, multicastPort)])
  const busyGroups = multicast === '' ? await groupsInUse(ctx, address) : place.busyGroups
  if (multicastPort !== undefined) return { ...place, busyGroups }
  const claimed = await portProbeService.usedPorts(ctx.db, address.host)
  const busyPorts = await busyFirst(freeBusPorts(ctx.busRange, claimed), async (port) =>
    portProbeService.isFree(ctx, address, port),
  )
  return { ...place, busyGroups, busyPorts }
}

/** Those that the host calls busy before the first that it calls free. */
async function busyFirst<T>(
  candidates: Iterable<T>,
  isFree: (candidate: T) => Promise<boolean>,
): Promise<Set<T>> {
  const busy = new Set<T>()
  for (const candidate of candidates) {
    if (busy.size === MOST_PROBES || (await isFree(candidate))) break
    busy.add(candidate)
  }
  return busy
}

/** Groups that no input has, and that another program of the host uses all the same. */
async function groupsInUse(ctx: Context, address: HostAddress): Promise<Set<string>> {
  const free = freeGroups(ctx.busRange, await busGroupStore.taken(ctx.db))
  return busyFirst(free, async (ip) => portProbeService.isGroupFree(ctx, address, ip))
}

/** Offered, not taken: the next group that neither an input nor another program of the host, if one is named, has. */
export async function offerGroup(ctx: Context, address: HostAddress | null): Promise<string> {
  const busy = address === null ? new Set<string>() : await groupsInUse(ctx, address)
  return nextGroup(ctx.db, ctx.busRange, busy)
}

/** The same without asking the host. */
export function placeUnasked(
  { busRange: range }: Context,
  address: HostAddress,
  settings: Settings,
): Place {
  const outer = outerClaims(address, settings)
  return { address, outer, range, busyPorts: new Set(), busyGroups: new Set() }
}

function outerClaims({ host: hostKey }: HostAddress, { inputType, config }: Settings): Claim[] {
  return outerPorts(inputType, config).map(({ port, leg }) => {
    return { hostKey, port, leg, field: 'config.port', isPicked: false }
  })
}

function namedBus({ host: hostKey }: HostAddress, port: number | undefined): Claim[] {
  if (port === undefined) return []
  return [{ hostKey, port, leg: 'bus', field: 'config.multicastPort', isPicked: false }]
}

export interface PickedBus {
  ip: string
  port: number
  /** By us; the operator left it to us. */
  isPicked: { ip: boolean; port: boolean }
}

const NOTHING = { ip: false, port: false }

/** What is not named is picked: the next group and bus port that nobody has. */
export async function pick(
  trx: Db,
  { address, outer, range, busyPorts, busyGroups }: Place,
  { inputType, config }: Settings,
): Promise<PickedBus> {
  // A Local input reads a group that is there already, on the port that its stream has.
  if (inputType === 'Local') return { ip: config.multicast, port: config.port, isPicked: NOTHING }
  const ip = config.multicast || (await nextGroup(trx, range, busyGroups))
  const claimed = await portProbeService.usedPorts(trx, address.host)
  const taken = new Set([...claimed, ...busyPorts, ...outer.map(({ port }) => port)])
  const [free] = freeBusPorts(range, taken)
  const port = config.multicastPort ?? free
  const isPicked = { ip: config.multicast === '', port: config.multicastPort === undefined }
  if (port !== undefined) return { ip, port, isPicked }
  throw conflict(`No port of the local bus of ${address.host} is free. Remove inputs there.`, {
    field: 'config.multicastPort',
  })
}

/** The next group of the range that no input has. Conflict when there is none left. */
async function nextGroup(db: Db, range: BusRange, busy: ReadonlySet<string>): Promise<string> {
  const [ip] = freeGroups(range, new Set([...(await busGroupStore.taken(db)), ...busy]))
  if (ip !== undefined) return ip
  throw conflict('Every group of the local bus is in use. Remove unused inputs.', {
    field: 'config.multicast',
  })
}

/**
 * The input has this place and no other afterwards; a Local one has none. In the transaction that
 * saves the input, after the input.
 */
export async function take(
  trx: Db,
  actor: Actor,
  { address, outer }: Place,
  input: { id: string; inputType: InputType },
  { ip, port, isPicked }: PickedBus,
): Promise<void> {
  const owner = { kind: 'input', id: input.id } as const
  if (input.inputType === 'Local') {
    await assertNoBus(trx, ip, input.id)
    await portClaimService.release(trx, owner)
    return busGroupStore.releaseOthers(trx, input.id, '')
  }
  assertApart(outer, port)
  const field = 'config.multicastPort'
  const bus = { hostKey: address.host, port, leg: 'bus', field, isPicked: isPicked.port }
  await portClaimService.claim(trx, actor, owner, [...outer, bus])
  await busGroupStore.releaseOthers(trx, input.id, ip)
  await takeGroup(trx, input.id, ip, isPicked.ip)
}

/**
 * What is sent to a group of the local bus comes out of every output that reads there: no output may
 * go to one, nor to one that an input may be given tomorrow.
 */
export async function assertOffBus(
  db: Db,
  range: BusRange,
  { mode, host, secondPath }: Pick<OutputConfig, 'mode' | 'host' | 'secondPath'>,
): Promise<void> {
  if (mode !== 'Push') return
  const ways = [
    { field: 'config.host', ip: host },
    { field: 'config.secondPath.host', ip: secondPath?.host ?? '' },
  ].filter(({ ip }) => isMulticast(ip))
  for (const { field, ip } of ways) {
    if (!isOwnGroup(range, ip) && (await busGroupStore.ownerOf(db, ip)) === null) continue
    throw refused(`${ip} is reserved for the local bus of inputs. Choose another group.`, { field })
  }
}

/** By naming it another group's stream could be read. */
async function assertNoBus(trx: Db, ip: string, inputId: string): Promise<void> {
  const owner = await busGroupStore.ownerOf(trx, ip)
  if (owner === null || owner === inputId) return
  throw conflict(
    `${ip} is the local bus of another input, not a stream of the network. Add outputs to that input.`,
    { field: 'config.multicast' },
  )
}

async function takeGroup(trx: Db, inputId: string, ip: string, isPicked: boolean): Promise<void> {
  const owner = await busGroupStore.ownerOf(trx, ip)
  if (owner === inputId) return
  const isLocal = await busGroupStore.isReadLocally(trx, ip, inputId)
  if (!isPicked && (owner !== null || isLocal)) {
    const what = isLocal ? 'is what a Local input reads' : 'is the local bus of another input'
    throw conflict(`${ip} ${what}. Leave multicast empty for a free group.`, {
      field: 'config.multicast',
    })
  }
  if (!(await busGroupStore.take(trx, ip, inputId))) {
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
