/**
 * Carries an encoder to a server: a feeder, the input that receives it and one output of that, each
 * made as by its own call, in one transaction.
 */
import type { carryEncoder } from '@trunkline/contract/contributions/carry.calls'
import { carriedParts } from '@trunkline/contract/contributions/carry.rules'
import {
  CARRY_PART_WORDS,
  type CarryDraft,
  type CarryPart,
} from '@trunkline/contract/contributions/carry.schema'
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../../audit/audit.service.ts'
import type { Context, Db } from '../../context.ts'
import * as encoderService from '../../encoders/encoder.service.ts'
import type { LoadedEncoder } from '../../encoders/encoder.service.ts'
import * as feederService from '../../encoders/feeders/feeder.service.ts'
import { AppError, refused } from '../../errors.ts'
import { newId } from '../../id.ts'
import * as portClaimService from '../../ports/port-claim.service.ts'
import type { Actor } from '../../security/actor.ts'
import { randomKey } from '../../security/keys.ts'
import type { ServerRecord } from '../../servers/server.service.ts'
import { INPUT, type PreparedInput } from '../inputs/input-kind.service.ts'
import * as inputService from '../inputs/input.service.ts'
import * as linkService from '../link.service.ts'
import * as outputDraftService from '../outputs/output-draft.service.ts'
import { OUTPUT, type PreparedOutput } from '../outputs/output-kind.service.ts'

export async function carry(
  ctx: Context,
  actor: Actor,
  encoderId: string,
  asked: CarryDraft,
): Promise<ReplyOf<typeof carryEncoder>> {
  const encoder = await encoderService.load(ctx, actor, encoderId)
  const draft = withKey(asked)
  const plan = await prepare(ctx, actor, encoder, draft)
  await portClaimService.withRetry(async () =>
    ctx.db.transaction().execute(async (trx) => make(ctx, trx, actor, plan)),
  )
  const tellFeeder = plan.feeder === null ? feederService.read : feederService.announce
  const saved = await tellFeeder(ctx, actor, encoderId, plan.feederName)
  const input = await linkService.announce(ctx, actor, INPUT, plan.input.id)
  const output = await linkService.announce(ctx, actor, OUTPUT, plan.output.id)
  return { status: true, ...saved, input, output }
}

/** Both ends of the feeder's leg are ours: a key that nobody typed is made here. */
function withKey(draft: CarryDraft): CarryDraft {
  const { feeder } = draft
  if (feeder.use === 'keep') return draft
  const { encryption } = feeder
  if (encryption.selection === 'no' || encryption.passphrase !== '') return draft
  const passphrase = randomKey()
  return { ...draft, feeder: { ...feeder, encryption: { ...encryption, passphrase } } }
}

interface Plan {
  draft: CarryDraft
  encoder: LoadedEncoder
  /** Null: the feeder stays as it is. */
  feeder: feederService.PreparedFeeder | null
  feederName: string
  server: ServerRecord
  input: { id: string; found: PreparedInput }
  /** Its input is there by the time that it is made. */
  output: { id: string; found: Omit<PreparedOutput, 'input'> }
}

/** What may ask hosts, before the transaction. Throws at the part that cannot be made. */
async function prepare(
  ctx: Context,
  actor: Actor,
  encoder: LoadedEncoder,
  draft: CarryDraft,
): Promise<Plan> {
  const server = await inputService.loadServer(ctx, actor, draft.serverId, 'serverId')
  const known = knownFeeder(ctx, encoder, draft)
  const { group } = encoder.record
  const parts = carriedParts(draft, { feeder: known?.feeder ?? null, groupId: group._id })
  const { feeder: feederPost } = parts
  const feeder =
    feederPost === null
      ? null
      : await ofPart('feeder', async () =>
          feederService.prepare(ctx, actor, {
            _id: encoder.record.id,
            ...(draft.feeder.use === 'new' ? {} : { version: draft.version }),
            feederPost,
          }),
        )
  const { encryption } = parts.input
  const passphrase = draft.feeder.use === 'keep' ? (known?.passphrase ?? '') : encryption.passphrase
  const inputDraft = { ...parts.input, encryption: { ...encryption, passphrase } }
  const input = await ofPart('input', async () => INPUT.prepare(ctx, actor, inputDraft, null))
  const inputId = newId()
  const { id: _id, title, host, hostKey, port } = server
  const place = { id: inputId, server: { _id, title, host, hostKey, port } }
  const outputDraft = { ...parts.output, contributionId: inputId }
  const output = await ofPart('output', async () =>
    outputDraftService.prepare(ctx, actor, { draft: outputDraft, input: place, stored: null }),
  )
  return {
    draft,
    encoder,
    feeder,
    feederName: feeder?.draft.name ?? known?.feeder.name ?? '',
    server,
    input: { id: inputId, found: input },
    output: { id: newId(), found: { ...output, recorded: outputDraft } },
  }
}

/** The feeder that the draft names, with its key in clear; null for a new feeder. */
function knownFeeder(
  ctx: Context,
  encoder: LoadedEncoder,
  { feeder, serverId }: CarryDraft,
): { feeder: Feeder; passphrase: string } | null {
  if (feeder.use === 'new') return null
  const record = encoderService.feederOf(encoder, feeder.name)
  if (feeder.use === 'keep' && record.feeder.serverId !== serverId) {
    throw refused(
      `Feeder: '${record.feeder.input.title}' goes to another server. Choose that server, or replace the feeder.`,
      { field: 'serverId' },
    )
  }
  return { feeder: record.feeder, passphrase: encoderService.passphraseOf(ctx, record) }
}

/** All three, or by what it throws none of them. */
async function make(ctx: Context, trx: Db, actor: Actor, plan: Plan): Promise<void> {
  const { feeder, input, output, encoder, draft } = plan
  await ofPart('feeder', async () => {
    if (feeder !== null) await feederService.store(ctx, trx, actor, feeder)
    else await feederService.assertUnchanged(trx, actor, encoder, draft.version)
  })
  const by = 'add'
  await ofPart('input', async () => linkService.insert(ctx, trx, actor, INPUT, input, by))
  await ofPart('output', async () => {
    const received = await inputService.load(trx, actor, input.id)
    const added = { id: output.id, found: { ...output.found, input: received } }
    await linkService.insert(ctx, trx, actor, OUTPUT, added, by)
  })
  const { id, title } = encoder.record
  await auditService.record(trx, {
    actor,
    call: 'encoders.carry',
    object: { kind: 'encoder', id },
    after: { title, carried: draft },
    reason: reasonOf(plan),
  })
}

function reasonOf({ draft, feeder, server }: Plan): string {
  const verb = feeder === null ? 'kept' : draft.feeder.use === 'replace' ? 'replaced' : 'added'
  return `To ${server.title}: feeder ${verb}, input and output '${draft.title}' added`
}

/** What is refused names the part of the plan, in its sentence and in its field. */
async function ofPart<T>(part: CarryPart, does: () => Promise<T>): Promise<T> {
  try {
    return await does()
  } catch (error) {
    // A lost race is tried again, and then says who has the port.
    if (!(error instanceof AppError) || error instanceof portClaimService.ClaimRaceLost) throw error
    throw atPart(part, error)
  }
}

function atPart(part: CarryPart, { code, message, more }: AppError): AppError {
  const say = (sentence: string) => `${CARRY_PART_WORDS[part]}: ${sentence}`
  return new AppError(code, say(message), {
    ...more,
    ...(more.field === undefined ? {} : { field: fieldOf(part, more.field) }),
    ...(more.issues === undefined
      ? {}
      : {
          issues: more.issues.map((issue) => {
            return { field: fieldOf(part, issue.field), message: say(issue.message) }
          }),
        }),
    ...(more.neutral === undefined ? {} : { neutral: say(more.neutral) }),
  })
}

/** The feeder's own call has its fields in `feederPost`. */
function fieldOf(part: CarryPart, field: string): string {
  return `${part}.${field.replace(/^feederPost\./, '')}`
}
