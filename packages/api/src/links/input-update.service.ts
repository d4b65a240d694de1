/** Saving an input: what may change, against whom, and what its host is told of it. It restarts nothing (Q178). */
import type { updateInput } from '@trunkline/contract/contributions/input.calls'
import type { InputDraft, InputEdit } from '@trunkline/contract/contributions/input.schema'
import { inputFaults } from '@trunkline/contract/contributions/link.rules'
import type { ReplyOf } from '@trunkline/contract/route'
import * as auditService from '../audit/audit.service.ts'
import type { Context, Db } from '../context.ts'
import { invalid, refused } from '../errors.ts'
import * as groupService from '../groups/group.service.ts'
import { programIdOf } from '../hosts/wanted-program.ts'
import * as portClaimService from '../ports/port-claim.service.ts'
import { outdated, saveVersioned } from '../save-versioned.ts'
import type { Actor } from '../security/actor.ts'
import * as serverService from '../servers/server.service.ts'
import * as busService from './bus/bus.service.ts'
import { cleaned, differences, draftOf, keyMissing, withBusOf } from './inputs/input-draft.rules.ts'
import * as inputService from './inputs/input.service.ts'
import * as inputStore from './inputs/input.store.ts'
import type { InputRecord } from './inputs/input.store.ts'
import { warningsOf } from './link-warnings.service.ts'

/** The read-only fields that a client may echo back are ignored. */
export async function update(
  ctx: Context,
  actor: Actor,
  id: string,
  edit: InputEdit,
  ip: string,
): Promise<ReplyOf<typeof updateInput>> {
  const before = await saveLatest(ctx, actor, id, edit, ip)
  const groupIds = [...new Set([before.groupId, edit.groupId])]
  ctx.notices.tell({ kind: 'input', id, change: 'changed', groupIds })
  // Its outputs read the place that it may have left.
  await ctx.hosts.refresh({ by: 'input', id })
  const after = await inputService.load(ctx, actor, id)
  const warnings = after.inputType === 'Local' ? [] : warningsOf(ctx, { ...after, kind: 'input' })
  return { status: true, data: inputService.wireInput(after), warnings }
}

interface Save {
  before: InputRecord
  draft: InputDraft
  place: busService.Place
  ip: string
}

/**
 * Answers the input as it was. What needs the network is looked at before the transaction; when
 * somebody saves meanwhile, that look is of no use and is taken anew.
 */
async function saveLatest(
  ctx: Context,
  actor: Actor,
  id: string,
  edit: InputEdit,
  ip: string,
): Promise<InputRecord> {
  return saveVersioned({
    version: edit.version,
    read: async () => inputService.load(ctx, actor, id),
    versionOf: (before) => before.version,
    write: async (before) => {
      const draft = cleaned(withBusOf(before, draftOf(edit)))
      await assertPossible(ctx, actor, before, draft)
      const place = await placeOf(ctx, before, draft)
      return portClaimService.withRetry(async () =>
        ctx.db
          .transaction()
          .execute(async (trx) => save(ctx, trx, actor, { before, draft, place, ip })),
      )
    },
    outdated: (current) => {
      const wire = inputService.wireInput(current)
      return outdated('input', wire, differences(cleaned(draftOf(edit)), wire))
    },
  })
}

async function assertPossible(
  ctx: Context,
  actor: Actor,
  before: InputRecord,
  draft: InputDraft,
): Promise<void> {
  if (draft.serverId !== before.server._id) {
    throw refused(
      'An input changes its server by Change server alone, so that it never runs on two. Save it with the server that it is on.',
      { field: 'serverId' },
    )
  }
  if (draft.groupId !== before.groupId) await groupService.load(ctx, actor, draft.groupId)
  if (draft.config.adapterIp !== before.config.adapterIp) {
    inputService.assertAdapter(await serverService.load(ctx, actor, draft.serverId), draft)
  }
  const [fault] = inputFaults(draft)
  if (fault !== undefined) throw invalid(fault.field, fault.sentence)
  keyAfter(ctx, before, draft)
  assertOneReader(ctx, before, draft)
}

/** Sealed; null for a link without a key. Throws when there should be one. */
function keyAfter(
  ctx: Context,
  { passphraseSealed }: InputRecord,
  { encryption }: InputDraft,
): string | null {
  if (encryption.selection === 'no') return null
  if (encryption.passphrase !== '') return ctx.keys.seal(encryption.passphrase)
  if (passphraseSealed === null) throw keyMissing()
  return passphraseSealed
}

/** A Local input may have any number of outputs, a bus without multicast has one reader (decisions.md 2). */
function assertOneReader(ctx: Context, before: InputRecord, draft: InputDraft): void {
  if (before.inputType !== 'Local' || draft.inputType === 'Local') return
  const { hostKey, port } = before.server
  const bus = ctx.hosts.capabilities({ host: hostKey, port })?.localBus
  if (bus === undefined || bus.works || before.outputIds.length < 2) return
  throw refused(
    `This input has ${before.outputIds.length} outputs, and its server can feed one only: ${bus.reason} Delete the others, or leave the input Local.`,
    { field: 'inputType' },
  )
}

/**
 * Ports that it has already are its own. A program that still runs with older settings may hold one
 * that it had before: the host looks again before it starts anything.
 */
async function placeOf(
  ctx: Context,
  { id, server }: InputRecord,
  draft: InputDraft,
): Promise<busService.Place> {
  const address = { host: server.hostKey, port: server.port }
  const status = ctx.board.program(programIdOf('input', id))
  return status?.waitsForRestart === true && draft.config.multicastPort !== undefined
    ? busService.placeUnasked(ctx, address, draft)
    : busService.placeOn(ctx, address, draft)
}

/** Answers false when somebody has saved it since `before` was read. */
async function save(ctx: Context, trx: Db, actor: Actor, asked: Save): Promise<boolean> {
  const { before, draft, place, ip } = asked
  await serverService.hold(trx, { id: before.server._id, hostKey: place.address.host })
  const current = await inputService.loadFrom(trx, actor, before.id)
  if (current.version !== before.version) return false
  const bus = await busService.pick(trx, place, draft)
  const config = { ...draft.config, multicast: bus.ip, multicastPort: bus.port }
  const passphraseSealed = keyAfter(ctx, current, draft)
  if (!(await inputStore.update(trx, current, { ...draft, config, passphraseSealed }))) return false
  await busService.take(trx, actor, place, { ...draft, id: before.id }, bus)
  await auditService.record(trx, {
    actor,
    call: 'inputs.update',
    object: { kind: 'input', id: before.id },
    before: inputService.wireInput(current),
    after: draft,
    result: 'done',
    ip,
  })
  return true
}
