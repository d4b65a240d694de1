/** Feeders of an encoder: saved one at a time, run beside it, watched and commanded like it. */
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import type { EncoderStatusReply } from '@trunkline/contract/program-state'
import type { readFeederStatus, saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import type { BodyOf, ReplyOf } from '@trunkline/contract/route'
import { hostKeyOf } from '@trunkline/contract/servers/server.schema'
import { isMulticast } from '@trunkline/contract/text.schema'
import * as auditService from '../../audit/audit.service.ts'
import type { Context, Db } from '../../context.ts'
import { conflict, forbidden, invalid, refused } from '../../errors.ts'
import {
  runCommand,
  tailProgram,
  type LoadedProgram,
} from '../../programs/program-command.service.ts'
import { programIdOf } from '../../programs/wanted-program.ts'
import { newId } from '../../id.ts'
import { feederPortTaken } from '../../ports/port-claim.rules.ts'
import * as portClaimService from '../../ports/port-claim.service.ts'
import { outdated, saveVersioned } from '../../save-versioned.ts'
import type { Actor } from '../../security/actor.ts'
import * as serverService from '../../servers/server.service.ts'
import { commandReply, statusReply } from '../encoder-command.service.ts'
import { mayOperate } from '../encoder.policy.ts'
import { feederReads } from '../encoder.program.ts'
import * as encoderService from '../encoder.service.ts'
import type { LoadedEncoder } from '../encoder.service.ts'
import * as encoderStateStore from '../encoder-state.store.ts'
import * as encoderStore from '../encoder.store.ts'
import * as feederStore from './feeder.store.ts'
import type { FeederRecord } from './feeder.store.ts'

type Save = BodyOf<typeof saveFeeder>
type Draft = Save['feederPost']

/**
 * Adds a feeder, or changes the feeder that `feederPost` names; the others are not changed (Q92).
 */
export async function save(
  ctx: Context,
  actor: Actor,
  body: Save,
): Promise<ReplyOf<typeof saveFeeder>> {
  const prepared = await prepare(ctx, actor, body)
  await ctx.db.transaction().execute(async (trx) => store(ctx, trx, actor, prepared))
  const { encoder, feeder } = await announce(ctx, actor, body._id, prepared.draft.name)
  return { status: true, data: encoder, encoder, feeder }
}

/** A feeder that may be saved as it is asked for. */
export interface PreparedFeeder {
  body: Save
  draft: Draft & { name: string }
  /** Where it goes from now on; null: where it went before. */
  target: serverService.ServerRecord | null
}

/** Before the transaction: who may, and what can be seen without one. */
export async function prepare(ctx: Context, actor: Actor, body: Save): Promise<PreparedFeeder> {
  const encoder = await encoderService.load(ctx, actor, body._id)
  if (!mayOperate(actor)) throw forbidden()
  assertConfigured(encoder)
  const draft = checked(body.feederPost)
  const known = draft.name === undefined ? null : encoderService.feederOf(encoder, draft.name)
  const isKept = known?.feeder.serverId === draft.serverId
  const target = isKept ? null : await loadTarget(ctx, actor, draft.serverId, 'feederPost.serverId')
  return { body, draft: { ...draft, name: draft.name ?? newId() }, target }
}

/** Tells browsers and the host of a feeder that was saved; answers both as they are now. */
export async function announce(
  ctx: Context,
  actor: Actor,
  encoderId: string,
  name: string,
): Promise<{ encoder: Encoder; feeder: Feeder }> {
  const { record } = await encoderService.load(ctx, actor, encoderId)
  const groupIds = [record.group._id]
  ctx.notices.tell({ kind: 'encoder', id: encoderId, change: 'changed', groupIds })
  await ctx.programs.refresh({ by: 'encoder', id: encoderId })
  return read(ctx, actor, encoderId, name)
}

/** An encoder and one of its feeders, as this actor sees them. */
export async function read(
  ctx: Context,
  actor: Actor,
  encoderId: string,
  name: string,
): Promise<{ encoder: Encoder; feeder: Feeder }> {
  const saved = await encoderService.load(ctx, actor, encoderId)
  const { feeder } = encoderService.feederOf(saved, name)
  return { encoder: encoderService.wireEncoder(saved), feeder }
}

function assertConfigured({ record }: LoadedEncoder): void {
  if (record.config !== null) return
  throw refused('Please save the encoder config before adding a Feeder', { httpStatus: 400 })
}

/** Ports follow from the addresses (Q101). */
function checked(draft: Draft): Draft {
  const [target] = draft.output
  if (target === undefined) throw invalid('feederPost.output', 'must hold exactly one target.')
  const { multicast } = draft.input
  if (multicast !== '' && !isMulticast(multicast)) {
    throw invalid(
      'feederPost.input.multicast',
      'must be a multicast address between 224.0.0.0 and 239.255.255.255, or empty.',
    )
  }
  return {
    ...draft,
    input: { ...draft.input, port: portOf(draft.input.addr) },
    output: [{ ...target, port: portOf(target.addr) }],
  }
}

/** The schema has checked the address. */
function portOf(addr: string): number {
  return Number(addr.split(':')[1])
}

/** Feeders go to servers that take links, and that the actor may see. `field`: what to mend otherwise. */
export async function loadTarget(
  ctx: Context,
  actor: Actor,
  serverId: string,
  field: string,
): Promise<serverService.ServerRecord> {
  const server = await serverService.load(ctx, actor, serverId)
  if (server.serverType === 'acants') return server
  throw refused(
    `${server.title} takes no feeders: it is a channel server. Choose another server.`,
    { field },
  )
}

/** In a transaction. */
export async function store(
  ctx: Context,
  trx: Db,
  actor: Actor,
  { body, draft, target }: PreparedFeeder,
): Promise<void> {
  if (target !== null) await serverService.hold(trx, target)
  const encoder = await saveVersioned({
    version: body.version,
    read: async () => {
      const current = await encoderService.loadFrom(trx, actor, body._id)
      assertConfigured(current)
      return current
    },
    versionOf: ({ record }) => record.version,
    // The encoder first: whoever removes it, or changes its feeders, waits until this is done.
    write: async ({ record }) => encoderStore.bumpVersion(trx, record),
    outdated: outdatedEncoder,
  })
  const { record, feeders } = encoder
  assertPortFree(feeders, draft)
  const isNew = body.feederPost.name === undefined
  const before = isNew ? null : encoderService.feederOf(encoder, draft.name)
  const next = nextRecord(ctx, record.id, draft, before, feeders.length)
  if (before === null) await feederStore.insert(trx, next, new Date(ctx.clock()).toISOString())
  else await feederStore.update(trx, next)
  const hostKey = hostKeyOf(record.ip)
  const { port } = feederReads(draft)
  await portClaimService.claim(trx, actor, { kind: 'feeder', id: draft.name }, [
    { hostKey, port, leg: 'local', field: 'feederPost.input.addr', isPicked: false },
  ])
  await auditService.record(trx, {
    actor,
    call: 'feeders.save',
    object: { kind: 'encoder', id: record.id },
    // The line is about the encoder, so it goes by its title; which feeder it was is said beside it.
    ...(before === null ? {} : { before: { title: record.title, feeder: before.feeder } }),
    after: { title: record.title, feeder: draft },
    reason: draft.input.title,
  })
}

/** In a transaction: the encoder is still as it was read, and so are its feeders. */
export async function assertUnchanged(
  trx: Db,
  actor: Actor,
  { record }: LoadedEncoder,
  version: number | undefined,
): Promise<void> {
  const now = await encoderService.loadFrom(trx, actor, record.id)
  if (now.record.version !== (version ?? record.version)) throw outdatedEncoder(now)
}

function outdatedEncoder(encoder: LoadedEncoder) {
  return outdated('encoder', encoderService.wireEncoder(encoder), ['config.feeder'])
}

/** FEED-14, on edit too, without itself (Q100). */
function assertPortFree(feeders: readonly FeederRecord[], draft: Draft): void {
  const { port } = draft.input
  const isTaken = feeders.some(
    ({ feeder }) => feeder.name !== draft.name && feeder.input.port === port,
  )
  if (!isTaken) return
  throw conflict(feederPortTaken(port), { field: 'feederPost.input.addr' })
}

/** An empty passphrase keeps the stored one (decisions.md 17), unless it is said to be unset. */
function nextRecord(
  ctx: Context,
  encoderId: string,
  draft: Draft & { name: string },
  before: FeederRecord | null,
  count: number,
): FeederRecord {
  return {
    encoderId,
    feeder: draft satisfies Feeder,
    passphraseSealed: passphraseAfter(ctx, draft, before),
    wantedRunning: before?.wantedRunning ?? false,
    position: before?.position ?? count,
  }
}

function passphraseAfter(ctx: Context, draft: Draft, before: FeederRecord | null): string | null {
  const [target] = draft.output
  const passphrase = target?.passphrase ?? ''
  if (passphrase !== '') return ctx.keys.seal(passphrase)
  return target?.passphraseSet === false ? null : (before?.passphraseSealed ?? null)
}

export async function readStatus(
  ctx: Context,
  actor: Actor,
  encoderId: string,
  name: string,
): Promise<ReplyOf<typeof readFeederStatus>> {
  encoderService.feederOf(await encoderService.load(ctx, actor, encoderId), name)
  return statusReply(ctx, name, ctx.board.program(programIdOf('feeder', name)))
}

/** Actions of type 10 (Q40): by right on the encoder. */
export async function act(
  ctx: Context,
  actor: Actor,
  asked: { encoderId: string; name: string; action: 'start' | 'stop' | 'restart' | 'tail' },
): Promise<EncoderStatusReply> {
  const { encoderId, name, action } = asked
  const load = async (): Promise<LoadedProgram> => {
    const encoder = await encoderService.load(ctx, actor, encoderId)
    if (action !== 'tail' && !mayOperate(actor)) throw forbidden()
    const wanted = encoderService.programOf(ctx, encoder, 'feeder', name)
    return { wanted, title: encoder.record.title }
  }
  if (action === 'tail') {
    const { wanted } = await load()
    const results = await tailProgram(ctx, wanted)
    return { ...statusReply(ctx, name, ctx.board.program(wanted.programId)), status: true, results }
  }
  const { status, refusal } = await runCommand(ctx, {
    actor,
    call: 'contributions.action',
    object: { kind: 'encoder', id: encoderId },
    programId: programIdOf('feeder', name),
    load,
    command: action,
    setWanted: async (trx, isWanted) =>
      encoderStateStore.setFeederWantedRunning(trx, encoderId, name, isWanted),
  })
  return commandReply(statusReply(ctx, name, status), refusal)
}
