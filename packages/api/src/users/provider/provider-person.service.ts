/** People who come from the sign-in provider: made at the first sign-in, brought up to date by each. */
import { randomBytes } from 'node:crypto'
import type { Role } from '@trunkline/contract/roles'
import { belongsToGroups } from '@trunkline/contract/users/user.rules'
import * as auditService from '../../audit/audit.service.ts'
import type { Context, Db } from '../../context.ts'
import { AppError, conflict, notFound, unauthenticated } from '../../errors.ts'
import { newId } from '../../id.ts'
import { hashPassword } from '../../security/password.ts'
import { tellUnassigned, unassign, type Unassigned } from '../assignment.service.ts'
import { assertManagesNone, isIn, join, leave, lockPeople } from '../membership.service.ts'
import * as membershipStore from '../membership.store.ts'
import { actorOf, fullNameOf, summaryOf } from '../user.service.ts'
import * as userStore from '../user.store.ts'
import type { ProviderIdentity, UserRecord } from '../user.store.ts'

/** What the provider says of somebody, and what the settings make of it. */
export interface ProviderPerson {
  provider: ProviderIdentity
  /** As the sign-in page names it. */
  providerName: string
  email: string
  firstName: string
  lastName: string
  role: Role
  /** Null: the provider says nothing of groups, and they stay as they are here. */
  groupTitles: readonly string[] | null
}

interface Followed {
  before: UserRecord | null
  after: UserRecord
  encoders: Unassigned[]
}

/**
 * The account of that person, with role, groups and names as the provider has them. Known by issuer
 * and subject alone: an address never leads to an account that is there already. Throws
 * Unauthenticated with cause and fix.
 */
export async function follow(
  ctx: Context,
  person: ProviderPerson,
  ip: string,
): Promise<UserRecord> {
  // Nobody knows this password. It is a real one, so that a guess at it takes as long as any other.
  const isKnown = (await userStore.findByProvider(ctx.db, person.provider)) !== null
  const passwordHash = isKnown ? '' : await hashPassword(randomBytes(32).toString('base64'))
  const work = ctx.db.transaction().execute(async (trx) => {
    await lockPeople(trx)
    const before = await userStore.findByProvider(trx, person.provider)
    return before === null
      ? add(trx, ctx, person, { passwordHash, ip })
      : update(trx, before, person, ip)
  })
  const followed = await work.catch((error: unknown) => {
    throw error instanceof AppError && error.code === 'conflict'
      ? unauthenticated(error.message)
      : error
  })
  tell(ctx, followed)
  return followed.after
}

async function add(
  trx: Db,
  ctx: Context,
  person: ProviderPerson,
  { passwordHash, ip }: { passwordHash: string; ip: string },
): Promise<Followed> {
  const { email, firstName, lastName, role, provider, providerName } = person
  if ((await userStore.findByEmail(trx, email)) !== null) {
    throw conflict(
      `Another account here already has the address ${email}. Ask an admin to change its address or delete it, then sign in again.`,
    )
  }
  const user: userStore.NewUserRecord = {
    id: newId(),
    firstName,
    lastName,
    email,
    role,
    passwordHash,
    tokenVersion: 1,
    version: 1,
    createdAt: new Date(ctx.clock()).toISOString(),
    provider,
  }
  await userStore.insert(trx, user)
  const groupIds = await wantedGroups(trx, person)
  for (const groupId of groupIds ?? []) await membershipStore.insert(trx, groupId, user.id)
  const after = await reload(trx, user.id)
  await record(trx, 'users.add', null, after, { reason: `first sign-in with ${providerName}`, ip })
  return { before: null, after, encoders: [] }
}

async function update(
  trx: Db,
  before: UserRecord,
  person: ProviderPerson,
  ip: string,
): Promise<Followed> {
  const { firstName, lastName, role } = person
  // An operator must not be locked out because somebody else has their new address here.
  const holder = await userStore.findByEmail(trx, person.email)
  const email = holder === null || holder.id === before.id ? person.email : before.email
  const isSame =
    before.role === role &&
    before.firstName === firstName &&
    before.lastName === lastName &&
    before.email === email
  if (!isSame) {
    if (role !== before.role) await assertManagesNone(trx, before, '')
    const own = userStore.ownSettingsOf(before)
    const content = { firstName, lastName, email, role, ...own, passwordHash: null }
    await userStore.update(trx, before, content)
  }
  const encoders = await moveGroups(trx, before, person, ip)
  const after = await reload(trx, before.id)
  const isChanged = !isSame || idsOf(before).join() !== idsOf(after).join()
  const reason = `as ${person.providerName} has it`
  if (isChanged) await record(trx, 'users.update', before, after, { reason, ip })
  return { before, after, encoders }
}

/** Into the groups of the provider and out of the others; groups that they manage stay theirs. */
async function moveGroups(
  trx: Db,
  before: UserRecord,
  person: ProviderPerson,
  ip: string,
): Promise<Unassigned[]> {
  const by = { actor: actorOf(before, { sessionId: '', ip }) }
  const reason = `${fullNameOf(before)} is no longer an editor`
  const encoders =
    person.role === 'editor' ? [] : await unassign(trx, before.id, 'all', { ...by, reason })
  const wanted = await wantedGroups(trx, person)
  if (wanted === null) return encoders
  const joined = await membershipStore.joinedGroupIds(trx, before.id)
  const others = joined.filter((id) => !wanted.includes(id))
  const left = await leave(trx, others, before, by)
  for (const id of wanted) if (!isIn(before, id)) await join(trx, id, before)
  return [...encoders, ...left]
}

/** Ids, those of admins none; null: they stay as they are. Groups that are not here are passed over. */
async function wantedGroups(
  trx: Db,
  { role, groupTitles }: ProviderPerson,
): Promise<string[] | null> {
  if (!belongsToGroups(role)) return []
  return groupTitles === null ? null : membershipStore.groupIdsByTitle(trx, groupTitles)
}

async function reload(trx: Db, id: string): Promise<UserRecord> {
  const user = await userStore.find(trx, id)
  if (user === null) throw notFound('user')
  return user
}

async function record(
  trx: Db,
  call: string,
  before: UserRecord | null,
  after: UserRecord,
  { reason, ip }: { reason: string; ip: string },
): Promise<void> {
  const summary = (user: UserRecord) => ({ ...summaryOf(user), groupIds: idsOf(user) })
  await auditService.record(trx, {
    actor: null,
    call,
    object: { kind: 'user', id: after.id },
    ...(before === null ? {} : { before: summary(before) }),
    after: summary(after),
    ip,
    reason,
  })
}

function idsOf(user: UserRecord): string[] {
  return user.groups.map((group) => group._id)
}

function tell(ctx: Context, { before, after, encoders }: Followed): void {
  if (before !== null && before.version === after.version && encoders.length === 0) {
    if (idsOf(before).join() === idsOf(after).join()) return
  }
  const groupIds = [...new Set([...(before === null ? [] : idsOf(before)), ...idsOf(after)])]
  const change = before === null ? 'added' : 'changed'
  ctx.notices.tell({ kind: 'user', id: after.id, change, groupIds })
  for (const id of groupIds) {
    ctx.notices.tell({ kind: 'group', id, change: 'changed', groupIds: [id] })
  }
  tellUnassigned(ctx, encoders)
  if (before !== null && before.tokenVersion !== after.tokenVersion) {
    ctx.notices.tell({ kind: 'gone', userId: after.id })
  }
}
