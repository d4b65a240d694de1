/** API tokens: made, listed and revoked, by their owner or by an admin (ADR 0055). */
import { DAY_MS } from '@trunkline/contract/durations'
import { mayDo } from '@trunkline/contract/role-table'
import type { BodyOf, QueryOf, ReplyOf } from '@trunkline/contract/route'
import type { ApiToken } from '@trunkline/contract/users/api-token.schema'
import type {
  addApiToken,
  addServiceToken,
  listApiTokens,
  listOwnApiTokens,
  revokeApiToken,
} from '@trunkline/contract/users/api-token.calls'
import * as auditService from '../../audit/audit.service.ts'
import type { Context, Db } from '../../context.ts'
import { conflict, invalid, notFound, REVOKED, unauthenticated } from '../../errors.ts'
import { newId } from '../../id.ts'
import type { Actor } from '../../security/actor.ts'
import * as postStore from '../post.store.ts'
import { assertPresent } from '../provider/fresh-sign-in.service.ts'
import { actingNow, fullNameOf } from '../user.service.ts'
import * as userStore from '../user.store.ts'
import type { Owner, UserRecord } from '../user.store.ts'
import * as apiTokenStore from './api-token.store.ts'
import type { StoredToken, TokenOwner } from './api-token.store.ts'
import { newTokenText, tokenHash, tokenStart } from './token-text.ts'

const TOKENS_OF_PERSON = 50
const SERVICE_TOKENS = 500
/** An expired token is no longer listed; its row goes when the next is made. */
const EXPIRED_KEPT_MS = 30 * DAY_MS

export async function listOwn(
  ctx: Context,
  actor: Actor,
): Promise<ReplyOf<typeof listOwnApiTokens>> {
  const user = await userStore.find(ctx.db, actor.id)
  // A service has none.
  if (user === null) return { status: true, data: [] }
  const tokens = await apiTokenStore.listOf(ctx.db, user, nowText(ctx))
  return { status: true, data: tokens.map((token) => wire(token, user)) }
}

export async function list(
  ctx: Context,
  actor: Actor,
  { searchText, page, rowsPerPage, sort }: QueryOf<typeof listApiTokens>,
): Promise<ReplyOf<typeof listApiTokens>> {
  const { tokens, total } = await apiTokenStore.list(ctx.db, {
    since: nowText(ctx),
    hasSuperadmins: actor.role === 'superadmin',
    search: searchText,
    sort,
    page,
    rows: rowsPerPage,
  })
  return { status: true, data: await wireAll(ctx.db, tokens), total }
}

export async function add(
  ctx: Context,
  actor: Actor,
  draft: BodyOf<typeof addApiToken>,
): Promise<ReplyOf<typeof addApiToken>> {
  const ownerOf = ({ id, tokenVersion }: UserRecord): TokenOwner => ({
    kind: 'person',
    userId: id,
    tokenVersion,
  })
  return make(ctx, actor, draft, { call: 'apiTokens.add', ownerOf })
}

export async function addService(
  ctx: Context,
  actor: Actor,
  draft: BodyOf<typeof addServiceToken>,
): Promise<ReplyOf<typeof addServiceToken>> {
  const { role } = draft
  const groupIds = [...new Set(draft.groupIds)]
  if (role === 'admin' && groupIds.length > 0) {
    throw invalid('groupIds', 'must be empty: an admin has all groups.')
  }
  if (role !== 'admin' && groupIds.length === 0) {
    throw invalid('groupIds', `must name at least 1 group: a ${role} sees only their groups.`)
  }
  const groups = groupIds.map((_id) => ({ _id, title: '' }))
  const ownerOf = (): TokenOwner => ({ kind: 'service', role, groups })
  return make(ctx, actor, draft, { call: 'apiTokens.addService', ownerOf })
}

interface Making {
  call: 'apiTokens.add' | 'apiTokens.addService'
  /** By who makes it, as they are in the transaction. */
  ownerOf: (maker: UserRecord) => TokenOwner
}

async function make(
  ctx: Context,
  caller: Actor,
  draft: Pick<BodyOf<typeof addApiToken>, 'title' | 'scope' | 'days' | 'currentPassword'>,
  { call, ownerOf }: Making,
): Promise<ReplyOf<typeof addApiToken>> {
  const user = await userStore.find(ctx.db, caller.id)
  if (user === null) throw unauthenticated(REVOKED)
  await assertPresent(ctx, user, caller, draft.currentPassword)
  const text = newTokenText()
  const nowMs = ctx.clock()
  const data = await ctx.db.transaction().execute(async (trx) => {
    await postStore.lockPeople(trx)
    const actor = await actingNow(trx, caller)
    const maker = await userStore.find(trx, actor.id)
    if (maker === null) throw unauthenticated(REVOKED)
    const token: StoredToken = {
      id: newId(),
      title: draft.title,
      start: tokenStart(text),
      scope: draft.scope,
      owner: ownerOf(maker),
      createdAt: new Date(nowMs).toISOString(),
      createdBy: actor.fullName,
      expiresAt: new Date(nowMs + draft.days * DAY_MS).toISOString(),
      usedAt: null,
      usedAddress: '',
    }
    await apiTokenStore.removeExpired(trx, new Date(nowMs - EXPIRED_KEPT_MS).toISOString())
    await assertRoom(trx, token.owner)
    await apiTokenStore.insert(trx, token, tokenHash(text) ?? '')
    const made = await wireFrom(trx, await load(trx, token.id))
    await auditService.record(trx, {
      actor,
      call,
      object: { kind: 'apiToken', id: token.id },
      after: summaryOf(made),
    })
    return made
  })
  ctx.notices.tell({ kind: 'apiToken', id: data.id, change: 'added', groupIds: [] })
  return { status: true, data, token: text }
}

async function assertRoom(trx: Db, owner: TokenOwner): Promise<void> {
  const [userId, most] =
    owner.kind === 'person' ? [owner.userId, TOKENS_OF_PERSON] : [null, SERVICE_TOKENS]
  if ((await apiTokenStore.count(trx, userId)) < most) return
  throw conflict(`There are ${most} API tokens already. Revoke some that are not needed.`)
}

/** One's own; of others those whose account one may change, and of services (row manageApiTokens). */
export async function revoke(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof revokeApiToken>> {
  const { owner } = await ctx.db.transaction().execute(async (trx) => {
    const found = await load(trx, id)
    const token = await wireFrom(trx, found)
    if (!mayRevoke(actor, token)) throw notFound('API token')
    if (!(await apiTokenStore.remove(trx, id))) throw notFound('API token')
    await auditService.record(trx, {
      actor,
      call: 'apiTokens.revoke',
      object: { kind: 'apiToken', id },
      before: summaryOf(token),
    })
    return found
  })
  // Every process forgets who called with it, and looks again at the live streams of its owner.
  ctx.notices.tell({ kind: 'gone', userId: owner.kind === 'person' ? owner.userId : id })
  ctx.notices.tell({ kind: 'apiToken', id, change: 'removed', groupIds: [] })
  return { status: true, id }
}

function mayRevoke(actor: Actor, { owner }: ApiToken): boolean {
  if (owner.kind === 'person' && owner.id === actor.id) return true
  if (!mayDo(actor.role, 'manageApiTokens')) return false
  return owner.role !== 'superadmin' || actor.role === 'superadmin'
}

async function load(db: Db, id: string): Promise<StoredToken> {
  const token = await apiTokenStore.find(db, id)
  if (token === null) throw notFound('API token')
  return token
}

async function wireFrom(db: Db, token: StoredToken): Promise<ApiToken> {
  const [made] = await wireAll(db, [token])
  if (made === undefined) throw notFound('API token')
  return made
}

/** Tokens go with their person: where somebody is gone meanwhile, theirs are left out. */
async function wireAll(db: Db, tokens: readonly StoredToken[]): Promise<ApiToken[]> {
  const ids = tokens.flatMap(({ owner }) => (owner.kind === 'person' ? [owner.userId] : []))
  const people = await userStore.ownersOf(db, ids)
  return tokens.flatMap((token) => {
    const { owner } = token
    if (owner.kind === 'service') return [{ ...token, owner }]
    const person = people.get(owner.userId)
    return person === undefined ? [] : [wire(token, person)]
  })
}

function wire(token: StoredToken, person: Owner): ApiToken {
  const { id, role } = person
  return { ...token, owner: { kind: 'person', id, fullName: fullNameOf(person), role } }
}

/** Of a line of audit. */
function summaryOf({ title, scope, start, owner, expiresAt }: ApiToken) {
  return { title, scope, start, owner, expiresAt }
}

function nowText(ctx: Context): string {
  return new Date(ctx.clock()).toISOString()
}
