/** What makes a link an output: it runs on its input's server, and goes to a far end. */
import type { Output, OutputDraft } from '@trunkline/contract/contributions/output.schema'
import { changedFields } from '../../changed-fields.ts'
import type { Context, Db } from '../../context.ts'
import { refused } from '../../errors.ts'
import * as portClaimService from '../../ports/port-claim.service.ts'
import type { Actor } from '../../security/actor.ts'
import { uniqueName } from '../../unique-name.ts'
import * as inputService from '../inputs/input.service.ts'
import type { InputRecord } from '../inputs/input.store.ts'
import type { LoadedLink, Prepared, SavedLinkKind } from '../link-kind.service.ts'
import { outputProgram } from '../link-program.service.ts'
import * as outputDraftService from './output-draft.service.ts'
import * as outputService from './output.service.ts'
import * as outputStore from './output.store.ts'
import type { OutputRecord } from './output.store.ts'

export interface PreparedOutput extends outputDraftService.ReadyOutput, Prepared {
  recorded: OutputDraft
  /** That it reads from now on. */
  input: InputRecord
}

export const OUTPUT: SavedLinkKind<OutputRecord, Output, OutputDraft, PreparedOutput> = {
  name: 'output',
  find: outputStore.find,
  listNamed: outputStore.listNamed,
  withInput: async (db, actor, output) => {
    return { link: output, input: await inputService.load(db, actor, output.inputId) }
  },
  wire: outputService.wireOutput,
  wantedProgram: outputProgram,
  programsOf: (id) => ({ by: 'program', kind: 'output', id }),
  serverIdsOf: async (ctx, outputs) => {
    const inputIds = outputs.map((output) => output.inputId)
    const inputs = await inputService.listByIds(ctx, inputIds)
    return [...inputs.values()].map(({ server }) => server._id)
  },
  draftOf,
  prepare,
  hold: async (trx, { input }) => outputService.holdPlace(trx, input),
  insert,
  update,
  differences: (draft, current) => changedFields(comparable(draft), comparable(current)),
}

/** Without the read-only fields that a client may echo back. */
function draftOf(edit: OutputDraft): OutputDraft {
  const { title, inputType, contributionId, destinationId, config, encryption, advanced } = edit
  return { title, inputType, contributionId, destinationId, config, encryption, advanced }
}

async function prepare(
  ctx: Context,
  actor: Actor,
  draft: OutputDraft,
  stored: LoadedLink<OutputRecord> | null,
): Promise<PreparedOutput> {
  const input = await inputAfter(ctx, actor, draft, stored)
  const asked = { draft, input, stored: stored?.link ?? null }
  const ready = await outputDraftService.prepare(ctx, actor, asked)
  return { ...ready, recorded: draft, input }
}

/** Q157: an output runs on its input's server, and is not moved to another by the way. */
async function inputAfter(
  ctx: Context,
  actor: Actor,
  { contributionId }: OutputDraft,
  stored: LoadedLink<OutputRecord> | null,
): Promise<InputRecord> {
  if (contributionId === stored?.input.id) return stored.input
  const next = await inputService.load(ctx.db, actor, contributionId)
  if (stored === null || next.server._id === stored.input.server._id) return next
  const { title } = stored.input.server
  throw refused(
    `${next.title} runs on ${next.server.title}, this output on ${title}. Choose an input of ${title}, or add an output to ${next.title}.`,
    { field: 'contributionId' },
  )
}

async function insert(
  ctx: Context,
  trx: Db,
  actor: Actor,
  { content, claims, input }: PreparedOutput,
  id: string,
): Promise<void> {
  await outputDraftService.assertNoOtherReader(ctx, trx, input, id)
  await outputStore.insert(trx, {
    ...content,
    id,
    name: uniqueName(content.title),
    isEnabled: true,
    wantedRunning: false,
    version: 1,
    createdAt: new Date(ctx.clock()).toISOString(),
  })
  await portClaimService.claim(trx, actor, { kind: 'output', id }, claims)
}

async function update(
  ctx: Context,
  trx: Db,
  actor: Actor,
  { content, claims, input }: PreparedOutput,
  current: LoadedLink<OutputRecord>,
): Promise<boolean> {
  const { id } = current.link
  if (input.id !== current.input.id) {
    await outputDraftService.assertNoOtherReader(ctx, trx, input, id)
  }
  if (!(await outputStore.update(trx, current.link, content))) return false
  await portClaimService.claim(trx, actor, { kind: 'output', id }, claims)
  return true
}

type Comparable = Omit<OutputDraft, 'config'> & {
  config: Omit<OutputDraft['config'], 'port'> & { port: string | number }
}

/** Ports come as text or number, keys never come back, and optional fields are null. */
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
