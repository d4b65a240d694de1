/** Saving an output: against which version, and what its host makes of it. A save restarts nothing (Q178). */
import type { updateOutput } from '@trunkline/contract/contributions/output.calls'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import { changedFields } from '../changed-fields.ts'
import type { Context, Db } from '../context.ts'
import { refused } from '../errors.ts'
import * as portClaimService from '../ports/port-claim.service.ts'
import { outdated, saveVersioned } from '../save-versioned.ts'
import type { Actor } from '../security/actor.ts'
import * as inputService from './inputs/input.service.ts'
import type { InputRecord } from './inputs/input.store.ts'
import { warningsOf } from './link-warnings.service.ts'
import { assertOneReader, prepare, type PreparedOutput } from './outputs/output-draft.service.ts'
import * as outputService from './outputs/output.service.ts'
import type { LoadedOutput } from './outputs/output.service.ts'
import * as outputStore from './outputs/output.store.ts'

type Edit = BodyOf<typeof updateOutput>

export async function update(
  ctx: Context,
  actor: Actor,
  id: string,
  edit: Edit,
  ip: string,
): Promise<ReplyOf<typeof updateOutput>> {
  const before = await saveLatest(ctx, actor, id, edit, ip)
  const after = await outputService.load(ctx, actor, id)
  const groupIds = [...new Set([before.input.groupId, after.input.groupId])]
  ctx.notices.tell({ kind: 'output', id, change: 'changed', groupIds })
  await ctx.hosts.refresh({ by: 'program', kind: 'output', id })
  const warnings = warningsOf(ctx, { ...after.output, kind: 'output' })
  return { status: true, data: outputService.wireOutput(after, actor), warnings }
}

/**
 * Answers the output as it was. What needs the network is looked at before the transaction; when
 * somebody saves meanwhile, that look is of no use and is taken anew.
 */
async function saveLatest(
  ctx: Context,
  actor: Actor,
  id: string,
  edit: Edit,
  ip: string,
): Promise<LoadedOutput> {
  return saveVersioned({
    version: edit.version,
    read: async () => outputService.load(ctx, actor, id),
    versionOf: ({ output }) => output.version,
    write: async (before) => {
      const input = await inputAfter(ctx, actor, before, edit)
      const draft = sentOf(edit)
      const prepared = await prepare(ctx, actor, { draft, input, stored: before.output })
      return ctx.db
        .transaction()
        .execute(async (trx) => save(ctx, trx, actor, { before, input, prepared, edit, ip }))
    },
    outdated: (current) => {
      const wire = outputService.wireOutput(current, actor)
      return outdated('output', wire, changedFields(comparable(sentOf(edit)), comparable(wire)))
    },
  })
}

/** Q157: an output runs on its input's server, and is not moved to another by the way. */
async function inputAfter(
  ctx: Context,
  actor: Actor,
  { input }: LoadedOutput,
  { contributionId }: Edit,
): Promise<InputRecord> {
  if (contributionId === input.id) return input
  const next = await inputService.load(ctx, actor, contributionId)
  if (next.server._id === input.server._id) return next
  throw refused(
    `${next.title} runs on ${next.server.title}, this output on ${input.server.title}. Choose an input of ${input.server.title}, or add an output to ${next.title}.`,
    { field: 'contributionId' },
  )
}

interface Save {
  before: LoadedOutput
  /** That it reads from now on. */
  input: InputRecord
  prepared: PreparedOutput
  edit: Edit
  ip: string
}

/** Answers false when somebody has saved the output since `before` was read. */
async function save(
  ctx: Context,
  trx: Db,
  actor: Actor,
  { before, input, prepared, edit, ip }: Save,
): Promise<boolean> {
  const { id } = before.output
  await outputService.holdPlace(trx, input)
  const current = await outputService.loadFrom(trx, actor, id)
  if (current.output.version !== before.output.version) return false
  if (input.id !== before.input.id) await assertOneReader(ctx, trx, input, id)
  if (!(await outputStore.update(trx, current.output, prepared.content))) return false
  await portClaimService.claim(trx, actor, { kind: 'output', id }, prepared.claims)
  await auditService.record(trx, {
    actor,
    call: 'outputs.update',
    object: { kind: 'output', id },
    before: outputService.wireOutput(current, actor),
    after: sentOf(edit),
    result: 'done',
    ip,
  })
  return true
}

/** Without the read-only fields that a client may echo back. */
function sentOf({
  title,
  inputType,
  contributionId,
  destinationId,
  config,
  encryption,
  advanced,
}: Edit) {
  return { title, inputType, contributionId, destinationId, config, encryption, advanced }
}

type Comparable = Omit<ReturnType<typeof sentOf>, 'config'> & {
  config: Omit<Edit['config'], 'port'> & { port: string | number }
}

/** Ports come as text or number, keys never come back, and what may be left out is told as null. */
function comparable(sent: Comparable) {
  const { title, inputType, contributionId, config, encryption, advanced } = sent
  const { bufferMin = null, reorderBuffer = null, rtl = null, secondPath = null } = config
  return {
    title,
    inputType,
    contributionId,
    destinationId: sent.destinationId ?? null,
    config: { ...config, port: Number(config.port), bufferMin, reorderBuffer, rtl, secondPath },
    encryption: { selection: encryption.selection, type: encryption.type },
    advanced,
  }
}
