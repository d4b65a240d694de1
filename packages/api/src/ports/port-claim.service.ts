/** Takes UDP ports of a host for an owner, or says who has them. */
import type { Db } from '../context.ts'
import { AppError, conflict } from '../errors.ts'
import { maySeeProgram } from '../fleet/scope.rules.ts'
import { seesGroup, type Actor } from '../security/actor.ts'
import { type ClaimOwner, ownerName, type PortClaim, takenSentence } from './port-claim.rules.ts'
import * as portClaimStore from './port-claim.store.ts'

export interface Owner {
  kind: ClaimOwner
  id: string
}

/** A claim as a service makes it. */
export interface AskedClaim extends PortClaim {
  /** Which field to mend when it is taken. */
  field: string
  /** By us, not named by the operator: when it is taken, another is picked. */
  isPicked: boolean
}

/** Somebody else was faster; PostgreSQL has ended the transaction, so nobody can be named. */
export class ClaimRaceLost extends AppError {
  constructor(field: string) {
    super('conflict', 'Another operator has just taken one of these ports. Try again.', { field })
  }
}

/** Operators who pick at the same moment pick again; each round has a winner. */
const ROUNDS = 20

/** Runs `save` again when what it picked was taken at the same moment. */
export async function withRetry<T>(save: () => Promise<T>): Promise<T> {
  for (let round = 1; ; round++) {
    try {
      return await save()
    } catch (error) {
      if (!(error instanceof ClaimRaceLost) || round === ROUNDS) throw error
    }
  }
}

/**
 * The owner has exactly these ports afterwards. Conflict when another has one of them, naming it
 * when the actor may see it. Call it in the transaction that saves the owner, after the owner.
 */
export async function claim(
  trx: Db,
  actor: Actor,
  owner: Owner,
  claims: readonly AskedClaim[],
): Promise<void> {
  await assertFree(trx, actor, owner, claims)
  if (await portClaimStore.replace(trx, owner, claims)) return
  throw new ClaimRaceLost(claims[0]?.field ?? '')
}

/** Throws as `claim` does when another owner has one of these ports; takes none of them. */
export async function assertFree(
  db: Db,
  actor: Actor,
  owner: Owner,
  claims: readonly AskedClaim[],
): Promise<void> {
  const taken = await portClaimStore.findTaken(db, owner, claims)
  if (taken?.claim.isPicked === true) throw new ClaimRaceLost(taken.claim.field)
  if (taken !== null) throw await takenBy(db, actor, taken)
}

export async function release(trx: Db, owner: Owner): Promise<void> {
  await portClaimStore.release(trx, owner)
}

/** Which of these somebody has whom the actor does not see, by index; who that is, in general words. */
export async function takenByUnseen(
  db: Db,
  actor: Actor,
  claims: readonly Pick<PortClaim, 'hostKey' | 'port'>[],
): Promise<{ index: number; by: string }[]> {
  const taken: { index: number; by: string }[] = []
  for (const { index, by } of await portClaimStore.findHolders(db, claims)) {
    const { isSeen, who } = await ownerSeenBy(db, actor, by)
    if (!isSeen) taken.push({ index, by: who })
  }
  return taken
}

/**
 * What lives on the server has its ports on `hostKey` from now on. Conflict when somebody has one of
 * them there already, naming the owner when the actor may see it.
 */
export async function moveServer(
  trx: Db,
  actor: Actor,
  serverId: string,
  hostKey: string,
): Promise<void> {
  const clash = await portClaimStore.findClash(trx, serverId, hostKey)
  if (clash !== null) {
    const who = await ownerInWords(trx, actor, clash.by)
    throw conflict(
      `Port ${clash.port} of host ${hostKey} is taken by ${who}, and is also used on this server. Change one of the two ports first.`,
      { field: 'host' },
    )
  }
  if (!(await portClaimStore.moveServer(trx, serverId, hostKey))) throw new ClaimRaceLost('host')
}

export async function takenPorts(db: Db, hostKey: string): Promise<ReadonlySet<number>> {
  return new Set(await portClaimStore.takenPorts(db, hostKey))
}

async function takenBy(
  trx: Db,
  actor: Actor,
  { claim: wanted, by }: { claim: AskedClaim; by: portClaimStore.ClaimedBy },
) {
  const who = await ownerInWords(trx, actor, by)
  return conflict(takenSentence(wanted, who), { field: wanted.field })
}

/** By its title to those who see the owner itself: to an editor its group is not enough (Q32). */
async function ownerInWords(trx: Db, actor: Actor, by: portClaimStore.ClaimedBy): Promise<string> {
  return (await ownerSeenBy(trx, actor, by)).who
}

async function ownerSeenBy(
  trx: Db,
  actor: Actor,
  by: portClaimStore.ClaimedBy,
): Promise<{ isSeen: boolean; who: string }> {
  const owner = await portClaimStore.describeOwner(trx, by)
  if (owner !== null && maySeeProgram(actor, { kind: by.ownerKind, ...owner })) {
    return { isSeen: true, who: ownerName(by.ownerKind, owner.title) }
  }
  const isOfOwnGroup = owner !== null && seesGroup(actor, owner.groupId)
  const who = isOfOwnGroup
    ? `another ${by.ownerKind} of your group`
    : `another group's ${by.ownerKind}`
  return { isSeen: false, who }
}
