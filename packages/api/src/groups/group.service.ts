/** Groups: who sees what. Lists are cut to the caller's own groups below admin. */
import type {
  addGroup,
  listGroups,
  removeGroup,
  updateGroup,
} from '@trunkline/contract/groups/group.calls'
import { DESCRIPTION_REQUIRED, type Group } from '@trunkline/contract/groups/group.schema'
import type { BodyOf, QueryOf, ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import { changedFields } from '../changed-fields.ts'
import type { Context, Db } from '../context.ts'
import { conflict, invalid, notFound, refused } from '../errors.ts'
import { outdated, saveVersioned } from '../save-versioned.ts'
import { groupScope, seesGroup, type Actor } from '../security/actor.ts'
import * as membershipService from '../users/membership.service.ts'
import * as userService from '../users/user.service.ts'
import { stillInUse } from './group-content.rules.ts'
import * as groupStore from './group.store.ts'
import type { GroupRecord, Person } from './group.store.ts'

export async function list(
  ctx: Context,
  actor: Actor,
  query: QueryOf<typeof listGroups>,
): Promise<ReplyOf<typeof listGroups>> {
  const { groups, total } = await groupStore.list(ctx.db, {
    scope: groupScope(actor),
    search: query.searchText,
    id: query.id,
    people: query.people,
    page: query.page,
    rows: query.rowsPerPage,
    sort: query.sort,
  })
  return { status: true, data: groups.map(wireGroup), total }
}

/** For other features: the group that an object is put into; 404 when the actor may not see it. */
export async function load(ctx: Context, actor: Actor, id: string): Promise<GroupRecord> {
  return loadFrom(ctx.db, actor, id)
}

export async function loadFrom(db: Db, actor: Actor, id: string): Promise<GroupRecord> {
  const group = seesGroup(actor, id) ? await groupStore.find(db, id) : null
  if (group === null) throw notFound('group')
  return group
}

/** The named manager has the group at once (GRP-14). */
export async function add(
  ctx: Context,
  actor: Actor,
  draft: BodyOf<typeof addGroup>,
  id: string,
): Promise<ReplyOf<typeof addGroup>> {
  const group = {
    id,
    title: draft.title,
    description: draft.description,
    managerId: draft.manager,
    version: 1,
    createdAt: new Date(ctx.clock()).toISOString(),
  }
  await ctx.db.transaction().execute(async (trx) => {
    await membershipService.lockPeople(trx)
    await userService.actingNow(trx, actor)
    await assertManager(trx, draft.manager)
    await groupStore.insert(trx, group)
    await auditService.record(trx, {
      actor,
      call: 'groups.add',
      object: { kind: 'group', id },
      after: draft,
    })
  })
  tellChanged(ctx, id, 'added', [draft.manager])
  return added(ctx, actor, id)
}

/** As the call has answered that added it. */
export async function added(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof addGroup>> {
  return { status: true, data: wireGroup(await load(ctx, actor, id)) }
}

/**
 * A new manager takes the old one's place. The old one stays in the group only if they also belong to
 * it, and sees it no more otherwise.
 */
export async function update(
  ctx: Context,
  actor: Actor,
  id: string,
  change: BodyOf<typeof updateGroup>,
): Promise<ReplyOf<typeof updateGroup>> {
  const saved = await ctx.db.transaction().execute(async (trx) => {
    await membershipService.lockPeople(trx)
    await userService.actingNow(trx, actor)
    const before = await saveVersioned({
      version: change.version,
      read: async () => loadFrom(trx, actor, id),
      versionOf: ({ version }) => version,
      write: async (stored) => write(trx, stored, change),
      outdated: (current) => {
        const { title, description, manager } = change
        const changed = changedFields({ title, description, manager }, contentOf(current))
        return outdated('group', wireGroup(current), changed)
      },
    })
    await auditService.record(trx, {
      actor,
      call: 'groups.update',
      object: { kind: 'group', id },
      before: contentOf(before),
      after: contentOf(contentAfter(before, change)),
    })
    return { before, after: await loadFrom(trx, actor, id) }
  })
  const managerIds = new Set([saved.before.managerId, saved.after.managerId])
  tellChanged(ctx, id, 'changed', managerIds.size === 1 ? [] : [...managerIds])
  return { status: true, data: wireGroup(saved.after) }
}

/** Answers false when somebody has saved it since it was read. */
async function write(trx: Db, before: GroupRecord, change: Change): Promise<boolean> {
  if (change.description?.trim() === '' && before.description !== change.description) {
    throw invalid('description', DESCRIPTION_REQUIRED)
  }
  const content = contentAfter(before, change)
  if (content.managerId !== before.managerId) await assertManager(trx, content.managerId)
  return groupStore.update(trx, before, content)
}

function contentAfter(before: GroupRecord, change: Change): groupStore.GroupContent {
  return {
    title: change.title ?? before.title,
    description: change.description ?? before.description,
    managerId: change.manager ?? before.managerId,
  }
}

/** Until the transaction ends, whoever else holds this group waits. */
export async function hold(trx: Db, id: string): Promise<void> {
  await groupStore.hold(trx, id)
}

/** Empty groups only (Q110): its manager and its templates, which nobody else has, do not keep it. */
export async function remove(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof removeGroup>> {
  const { group, templates } = await ctx.db.transaction().execute(async (trx) => {
    await membershipService.lockPeople(trx)
    await userService.actingNow(trx, actor)
    const found = await loadFrom(trx, actor, id)
    const sentence = stillInUse(found.title, await groupStore.countContent(trx, id))
    if (sentence !== null) throw conflict(sentence)
    const titles = await groupStore.templateTitles(trx, id)
    await groupStore.remove(trx, found)
    await auditService.record(trx, {
      actor,
      call: 'groups.remove',
      object: { kind: 'group', id },
      before: { ...contentOf(found), ...(titles.length === 0 ? {} : { templates: titles }) },
    })
    return { group: found, templates: titles }
  })
  tellChanged(ctx, id, 'removed', [group.managerId])
  if (templates.length > 0) {
    ctx.notices.tell({ kind: 'encoderTemplate', id: '', change: 'removed', groupIds: [id] })
  }
  return { status: true, id }
}

async function assertManager(trx: Db, userId: string): Promise<void> {
  const user = await userService.findFrom(trx, userId)
  if (user?.role === 'manager') return
  throw refused('manager must be a user whose role is manager. Choose one from the list.', {
    field: 'manager',
  })
}

type Change = BodyOf<typeof updateGroup>

/** As the form has it, and a line of audit. */
function contentOf(group: Pick<GroupRecord, 'title' | 'description' | 'managerId'>) {
  return { title: group.title, description: group.description, manager: group.managerId }
}

/** What these users may see changes with it, so their records are notified too. */
function tellChanged(
  ctx: Context,
  groupId: string,
  change: 'added' | 'changed' | 'removed',
  userIds: readonly string[],
): void {
  const groupIds = [groupId]
  ctx.notices.tell({ kind: 'group', id: groupId, change, groupIds })
  for (const id of userIds) ctx.notices.tell({ kind: 'user', id, change: 'changed', groupIds })
}

export function wireGroup(group: GroupRecord): Group {
  const people = group.people.map(wirePerson)
  return {
    _id: group.id,
    id: group.id,
    title: group.title,
    description: group.description,
    users: group.people.map((person) => person.id),
    userInfo: people,
    manager: people[0] ?? null,
    version: group.version,
  }
}

function wirePerson(person: Person) {
  return {
    _id: person.id,
    fullName: userService.fullNameOf(person),
    mode: { name: person.role },
  }
}
