/** Of which roles sign-in requires a second factor (ADR 0070). */
import { ROLES, type Role } from '@trunkline/contract/roles'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import type {
  readRequiredFactor,
  RequiredFactor,
  saveRequiredFactor,
} from '@trunkline/contract/users/required-factor.calls'
import * as auditService from '../../audit/audit.service.ts'
import type { Context, Db } from '../../context.ts'
import { conflict } from '../../errors.ts'
import { outdated, saveVersioned } from '../../save-versioned.ts'
import type { Actor } from '../../security/actor.ts'
import { actingNow } from '../user.service.ts'
import { factorsOf } from './factors.service.ts'
import * as requiredFactorStore from './required-factor.store.ts'

const CALL = 'users.requireFactor'
const LAST =
  'Your role needs a second factor, and this is the last of your account. Add another one first, or ask a superadmin to require none.'

export async function read({ db }: Context): Promise<ReplyOf<typeof readRequiredFactor>> {
  return { status: true, data: await requiredFactorStore.find(db) }
}

/** From the next sign-in of each person: who has no factor sets one up there. */
export async function save(
  ctx: Context,
  caller: Actor,
  { roles, version }: BodyOf<typeof saveRequiredFactor>,
): Promise<ReplyOf<typeof saveRequiredFactor>> {
  const actorIn = async (trx: Db) => actingNow(trx, caller)
  return { status: true, data: await saveRoles(ctx, { roles, version, actorIn }) }
}

/** For the administrator of the machine, whoever has saved it before. */
export async function saveByCommand(ctx: Context, roles: readonly Role[]): Promise<void> {
  await saveRoles(ctx, { roles, version: undefined, actorIn: async () => null })
}

interface RolesSave {
  roles: readonly Role[]
  /** That was read; undefined for none. */
  version: number | undefined
  actorIn: (trx: Db) => Promise<Actor | null>
}

async function saveRoles(
  ctx: Context,
  { roles, version, actorIn }: RolesSave,
): Promise<RequiredFactor> {
  const before = await saveVersioned<RequiredFactor>({
    version,
    read: async () => requiredFactorStore.find(ctx.db),
    versionOf: (required) => required.version,
    write: async (required) =>
      ctx.db.transaction().execute(async (trx) => write(trx, await actorIn(trx), required, roles)),
    outdated: (current) => outdated('setting', current, ['roles']),
  })
  return { roles: inOrder(roles), version: before.version + 1 }
}

export async function isRequired(db: Db, role: Role): Promise<boolean> {
  return (await requiredFactorStore.find(db)).roles.includes(role)
}

/** In the transaction that took a factor away. Throws Conflict when the account needs one and has none left. */
export async function assertMayGoWithout(trx: Db, user: { id: string; role: Role }): Promise<void> {
  const isLast = (await factorsOf(trx, user.id)) === null
  if (isLast && (await isRequired(trx, user.role))) throw conflict(LAST)
}

async function write(
  trx: Db,
  actor: Actor | null,
  before: RequiredFactor,
  roles: readonly Role[],
): Promise<boolean> {
  const next = inOrder(roles)
  if (!(await requiredFactorStore.save(trx, { roles: next, version: before.version }))) return false
  await auditService.record(trx, {
    actor,
    call: CALL,
    // A setting is no object: it stands with whoever changed it.
    object: actor && { kind: 'user', id: actor.id, title: actor.fullName },
    before: { roles: before.roles },
    after: { roles: next },
  })
  return true
}

function inOrder(roles: readonly Role[]): Role[] {
  return ROLES.filter((role) => roles.includes(role))
}
