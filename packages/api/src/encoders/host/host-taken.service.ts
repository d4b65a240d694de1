/** What of a host is taken by objects that the caller does not see: asked before a plan is carried out. */
import type {
  askTaken,
  CardPlace,
  PortPlace,
  SeatPlace,
} from '@trunkline/contract/encoders/host-taken.calls'
import { mayDo } from '@trunkline/contract/role-table'
import { isAdminLevel } from '@trunkline/contract/roles'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import { hostKeyOf } from '@trunkline/contract/servers/server.schema'
import type { Context } from '../../context.ts'
import { targetKey } from '../../ports/port-claim.rules.ts'
import * as portClaimService from '../../ports/port-claim.service.ts'
import { type Actor, seesGroup } from '../../security/actor.ts'
import * as serverService from '../../servers/server.service.ts'
import { encoderScope } from '../encoder-scope.ts'
import * as encoderHostStore from './encoder-host.store.ts'
import { unseenEncoder } from './host-claims.rules.ts'
import { hostOfAnotherGroup, keyDiffers, type KeyRefusal } from './host-key.rules.ts'

type Taken = ReplyOf<typeof askTaken>

export async function ask(
  ctx: Context,
  actor: Actor,
  { ports, cards, seats }: BodyOf<typeof askTaken>,
): Promise<Taken> {
  const hosts = await seenHosts(ctx, actor, [...ports, ...cards])
  return {
    status: true,
    ports: await takenPorts(ctx, actor, hosts, ports),
    cards: await takenCards(ctx, actor, hosts, cards),
    seats: await refusedSeats(ctx, actor, seats),
  }
}

/** Nobody learns by this call what is on a host that is no business of theirs. An admin sees everything. */
async function seenHosts(
  ctx: Context,
  actor: Actor,
  places: readonly { host: string }[],
): Promise<ReadonlySet<string>> {
  if (isAdminLevel(actor.role)) return new Set()
  const hosts = [...new Set(places.map(({ host }) => hostKeyOf(host)))]
  // Editors have nothing on servers.
  const ofServers = mayDo(actor.role, 'editInputs')
    ? await serverService.hostsWithServer(ctx, actor, hosts)
    : []
  return new Set([
    ...ofServers,
    ...(await encoderHostStore.hostsWithEncoder(ctx.db, hosts, encoderScope(actor))),
  ])
}

async function takenPorts(
  { db }: Context,
  actor: Actor,
  hosts: ReadonlySet<string>,
  ports: readonly PortPlace[],
): Promise<Taken['ports']> {
  const asked = ports.flatMap(({ host, target, port }, index) => {
    const hostKey = hostKeyOf(host)
    if (!hosts.has(hostKey)) return []
    return [{ index, hostKey: target === '' ? hostKey : targetKey(hostKey, target), port }]
  })
  const taken = await portClaimService.takenByUnseen(db, actor, asked)
  return taken.flatMap(({ index, by }) => {
    const place = asked[index]
    return place === undefined ? [] : [{ index: place.index, by }]
  })
}

async function takenCards(
  { db }: Context,
  actor: Actor,
  hosts: ReadonlySet<string>,
  cards: readonly CardPlace[],
): Promise<Taken['cards']> {
  const scope = encoderScope(actor)
  const taken: Taken['cards'] = []
  const known = new Map<string, Promise<encoderHostStore.UsedCard[]>>()
  for (const [index, { host, port, cardIdx }] of cards.entries()) {
    if (!hosts.has(hostKeyOf(host))) continue
    const seat = `${hostKeyOf(host)}:${port}`
    const used = known.get(seat) ?? encoderHostStore.usedCards(db, host, port, scope)
    known.set(seat, used)
    const isTaken = (await used).some((card) => card.cardIdx === cardIdx && card.title === '')
    if (isTaken) taken.push({ index, by: unseenEncoder(actor.role) })
  }
  return taken
}

/** To those who may add an encoder, which says the same. */
async function refusedSeats(
  ctx: Context,
  actor: Actor,
  seats: readonly SeatPlace[],
): Promise<Taken['seats']> {
  if (!mayDo(actor.role, 'addEncoder')) return []
  const refused: Taken['seats'] = []
  for (const [index, seat] of seats.entries()) {
    const refusal = await seatRefusal(ctx, actor, seat)
    if (refusal === null) continue
    refused.push({ index, field: refusal.field, error: refusal.sentence })
  }
  return refused
}

async function seatRefusal(
  { db, keys }: Context,
  actor: Actor,
  { host, port, apiKey }: SeatPlace,
): Promise<KeyRefusal | null> {
  const neighbours = await encoderHostStore.neighbours(db, host, port)
  const [first] = neighbours
  if (first === undefined) return null
  const isSeen = neighbours.some(({ groupId }) => seesGroup(actor, groupId))
  if (!isSeen) return hostOfAnotherGroup(host, port)
  const isCompared = apiKey !== '' && mayCompareKeys(actor)
  return isCompared && keys.open(first.apiKeySealed) !== apiKey ? keyDiffers(host, port) : null
}

/** Whoever may guess here may replace the key as well. */
function mayCompareKeys({ role, apiToken }: Actor): boolean {
  return mayDo(role, 'setEncoderKey') && (apiToken === undefined || apiToken.scope === 'all')
}
