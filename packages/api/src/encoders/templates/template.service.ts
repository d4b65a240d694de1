/** Named settings of encoders. They are copied when applied: a change of one changes no encoder. */
import { configFaultList } from '@trunkline/contract/encoders/effective-config.rules'
import type {
  addTemplate,
  listTemplates,
  removeTemplate,
  updateTemplate,
} from '@trunkline/contract/encoders/template.calls'
import type {
  EncoderTemplate,
  TemplateSettings,
} from '@trunkline/contract/encoders/template.schema'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../../audit/audit.service.ts'
import { changedFields } from '../../changed-fields.ts'
import type { Context, Db } from '../../context.ts'
import { notFound, refused } from '../../errors.ts'
import * as groupService from '../../groups/group.service.ts'
import { outdated, saveVersioned } from '../../save-versioned.ts'
import type { Actor } from '../../security/actor.ts'
import * as membershipService from '../../users/membership.service.ts'
import { assertMayChange, templateScope } from './template.policy.ts'
import * as templateStore from './template.store.ts'
import type { TemplateRecord } from './template.store.ts'

type Change = BodyOf<typeof updateTemplate>

export async function list(ctx: Context, actor: Actor): Promise<ReplyOf<typeof listTemplates>> {
  const templates = await templateStore.list(ctx.db, templateScope(actor))
  return { status: true, data: templates.map(wireTemplate) }
}

/** Those of them that the actor may see. */
export async function listByIds(
  ctx: Context,
  actor: Actor,
  ids: readonly string[],
): Promise<EncoderTemplate[]> {
  return (await templateStore.listByIds(ctx.db, ids, templateScope(actor))).map(wireTemplate)
}

export async function add(
  ctx: Context,
  actor: Actor,
  draft: BodyOf<typeof addTemplate>,
  id: string,
): Promise<ReplyOf<typeof addTemplate>> {
  const { title, groupId } = draft
  assertMayChange(actor, groupId)
  const settings = keptSettings(draft.settings)
  await ctx.db.transaction().execute(async (trx) => {
    if (groupId !== '') {
      // Its group must not be deleted meanwhile: no key of the database holds the two together.
      await membershipService.lockPeople(trx)
      await groupService.loadFrom(trx, actor, groupId)
    }
    const createdAt = new Date(ctx.clock()).toISOString()
    await templateStore.insert(trx, { id, title, groupId, settings, version: 1, createdAt })
    await auditService.record(trx, {
      actor,
      call: 'encoderTemplates.add',
      object: { kind: 'encoderTemplate', id },
      after: { title, groupId, settings },
    })
  })
  const answer = await added(ctx, actor, id)
  tell(ctx, answer.data, 'added')
  return answer
}

/** As the call has answered that added it. */
export async function added(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof addTemplate>> {
  return { status: true, data: wireTemplate(await load(ctx.db, actor, id)), id }
}

/** Absent fields stay as they are. */
export async function update(
  ctx: Context,
  actor: Actor,
  id: string,
  change: Change,
): Promise<ReplyOf<typeof updateTemplate>> {
  const data = await ctx.db.transaction().execute(async (trx) => {
    const before = await saveVersioned({
      version: change.version,
      read: async () => loadToChange(trx, actor, id),
      versionOf: ({ version }) => version,
      write: async (stored) => templateStore.update(trx, stored, contentAfter(stored, change)),
      outdated: (current) => {
        const { title, settings } = change
        const changed = changedFields({ title, settings }, contentOf(current))
        return outdated('template', wireTemplate(current), changed)
      },
    })
    await auditService.record(trx, {
      actor,
      call: 'encoderTemplates.update',
      object: { kind: 'encoderTemplate', id },
      before: contentOf(before),
      after: contentAfter(before, change),
    })
    return wireTemplate(await load(trx, actor, id))
  })
  tell(ctx, data, 'changed')
  return { status: true, data }
}

export async function remove(
  ctx: Context,
  actor: Actor,
  id: string,
): Promise<ReplyOf<typeof removeTemplate>> {
  const removed = await ctx.db.transaction().execute(async (trx) => {
    const found = await loadToChange(trx, actor, id)
    if (!(await templateStore.remove(trx, id))) throw notFound('template')
    await auditService.record(trx, {
      actor,
      call: 'encoderTemplates.remove',
      object: { kind: 'encoderTemplate', id },
      before: contentOf(found),
    })
    return found
  })
  tell(ctx, removed, 'removed')
  return { status: true, id }
}

/** 404 when there is none, or none that the actor may see. */
async function load(db: Db, actor: Actor, id: string): Promise<TemplateRecord> {
  const found = await templateStore.find(db, id, templateScope(actor))
  if (found === null) throw notFound('template')
  return found
}

/** As `load`. Throws when the actor may see it, but not change it. */
async function loadToChange(db: Db, actor: Actor, id: string): Promise<TemplateRecord> {
  const found = await load(db, actor, id)
  assertMayChange(actor, found.groupId)
  return found
}

function contentAfter(before: TemplateRecord, { title, settings }: Change) {
  return {
    title: title ?? before.title,
    settings: settings === undefined ? before.settings : keptSettings(settings),
  }
}

/** What can be encoded, without the field that is shown and never stored (CFG-23). */
function keptSettings(settings: TemplateSettings): TemplateSettings {
  const ofEncoder = { title: '', 'card-idx': 0, output: [], feeder: [] }
  const [fault] = configFaultList({ ...settings, ...ofEncoder })
  if (fault !== undefined) throw refused(fault.sentence, { field: `settings.${fault.field}` })
  const { 'pmt-period': _, ...muxer } = settings.muxer
  return { ...settings, muxer }
}

function contentOf({ title, settings }: TemplateRecord) {
  return { title, settings }
}

function tell(
  ctx: Context,
  { id, groupId }: Pick<TemplateRecord, 'id' | 'groupId'>,
  change: 'added' | 'changed' | 'removed',
): void {
  ctx.notices.tell({ kind: 'encoderTemplate', id, change, groupIds: [groupId] })
}

function wireTemplate(record: TemplateRecord): EncoderTemplate {
  const { id, title, groupId, group, settings, version } = record
  return { _id: id, id, title, groupId, groupInfo: group, settings, version }
}
