/** What makes a link an input: its place on a server, with ports and a group of the local bus. */
import type { Input, InputDraft } from '@trunkline/contract/contributions/input.schema'
import { inputFaults } from '@trunkline/contract/contributions/link.rules'
import { settledInput } from '@trunkline/contract/contributions/settled-link.rules'
import type { Context, Db } from '../../context.ts'
import { invalid, refused } from '../../errors.ts'
import * as groupService from '../../groups/group.service.ts'
import { programIdOf } from '../../programs/wanted-program.ts'
import type { Actor } from '../../security/actor.ts'
import * as serverService from '../../servers/server.service.ts'
import { uniqueName } from '../../unique-name.ts'
import * as busService from '../bus/bus.service.ts'
import type { LoadedLink, Prepared, SavedLinkKind } from '../link-kind.service.ts'
import { inputProgram } from '../link-program.service.ts'
import { differences, draftOf, keyMissing, withBusOf } from './input-draft.rules.ts'
import * as inputService from './input.service.ts'
import * as inputStore from './input.store.ts'
import type { InputRecord } from './input.store.ts'

export interface PreparedInput extends Prepared {
  recorded: InputDraft
  place: busService.Place
  server: Parameters<typeof serverService.hold>[1]
}

export const INPUT: SavedLinkKind<InputRecord, Input, InputDraft, PreparedInput> = {
  name: 'input',
  find: inputStore.find,
  listNamed: inputStore.listNamed,
  withInput: async (_db, _actor, input) => Promise.resolve({ link: input, input }),
  wire: ({ link }) => inputService.wireInput(link),
  wantedProgram: (ctx, { link }) => inputProgram(ctx, link),
  // Its outputs read the place that it may have left.
  programsOf: (id) => ({ by: 'input', id }),
  serverIdsOf: async (_ctx, inputs) => Promise.resolve(inputs.map(({ server }) => server._id)),
  draftOf,
  prepare,
  hold: async (trx, { server }) => serverService.hold(trx, server),
  insert,
  update,
  differences: (draft, current) => differences(settledInput(draft), current),
}

async function prepare(
  ctx: Context,
  actor: Actor,
  asked: InputDraft,
  stored: LoadedLink<InputRecord> | null,
): Promise<PreparedInput> {
  return stored === null
    ? prepareNew(ctx, actor, asked)
    : prepareSaved(ctx, actor, settledInput(withBusOf(stored.link, asked)), stored.link)
}

async function prepareNew(ctx: Context, actor: Actor, asked: InputDraft): Promise<PreparedInput> {
  const server = await inputService.loadServer(ctx, actor, asked.serverId, 'serverId')
  await groupService.load(ctx, actor, asked.groupId)
  assertAdapter(server, asked)
  const draft = settledInput(asked)
  assertNoFaults(draft)
  const { selection, passphrase } = draft.encryption
  if (selection === 'yes' && passphrase === '') throw keyMissing()
  const address = { host: server.hostKey, port: server.port }
  return { recorded: draft, server, place: await busService.placeOn(ctx, address, draft) }
}

async function prepareSaved(
  ctx: Context,
  actor: Actor,
  draft: InputDraft,
  before: InputRecord,
): Promise<PreparedInput> {
  const { _id: id, hostKey } = before.server
  if (draft.serverId !== id) {
    throw refused(
      'The server of an input can only be changed by Change server. Save it with its current server.',
      { field: 'serverId' },
    )
  }
  if (draft.groupId !== before.groupId) await groupService.load(ctx, actor, draft.groupId)
  if (draft.config.adapterIp !== before.config.adapterIp) {
    assertAdapter(await serverService.load(ctx, actor, draft.serverId), draft)
  }
  assertNoFaults(draft)
  keyAfter(ctx, before, draft)
  assertAtMostOneReader(ctx, before, draft)
  return { recorded: draft, server: { id, hostKey }, place: await placeOf(ctx, before, draft) }
}

/** The adapter of the outer leg is one of the server's, or Any. */
function assertAdapter(
  server: serverService.ServerRecord,
  { config }: Pick<InputDraft, 'config'>,
): void {
  const isKnown = server.adapters.some(({ adapterIp }) => adapterIp === config.adapterIp)
  if (config.adapterIp === '' || isKnown) return
  const known = server.adapters.map(({ adapterIp }) => adapterIp).join(', ')
  throw invalid(
    'config.adapterIp',
    `is not an adapter of ${server.title}. Choose ${known}, or Any.`,
  )
}

function assertNoFaults(draft: InputDraft): void {
  const [fault] = inputFaults(draft)
  if (fault !== undefined) throw invalid(fault.field, fault.sentence)
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
function assertAtMostOneReader(ctx: Context, before: InputRecord, draft: InputDraft): void {
  if (before.inputType !== 'Local' || draft.inputType === 'Local') return
  const { hostKey, port } = before.server
  const bus = ctx.hosts.capabilities({ host: hostKey, port })?.localBus
  if (bus === undefined || bus.works || before.outputIds.length < 2) return
  throw refused(
    `This input has ${before.outputIds.length} outputs, and its server can feed only one: ${bus.reason} Delete the others, or leave the input Local.`,
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

async function insert(
  ctx: Context,
  trx: Db,
  actor: Actor,
  { recorded: draft, place }: PreparedInput,
  id: string,
): Promise<void> {
  const { passphrase } = draft.encryption
  const bus = await busService.pick(trx, place, draft)
  await inputStore.insert(trx, {
    ...draft,
    id,
    name: uniqueName(draft.title),
    config: { ...draft.config, multicast: bus.ip, multicastPort: bus.port },
    isEnabled: true,
    wantedRunning: false,
    passphraseSealed: passphrase ? ctx.keys.seal(passphrase) : null,
    version: 1,
    createdAt: new Date(ctx.clock()).toISOString(),
  })
  await busService.take(trx, actor, place, { ...draft, id }, bus)
}

async function update(
  ctx: Context,
  trx: Db,
  actor: Actor,
  { recorded: draft, place }: PreparedInput,
  { link: current }: LoadedLink<InputRecord>,
): Promise<boolean> {
  const bus = await busService.pick(trx, place, draft)
  const config = { ...draft.config, multicast: bus.ip, multicastPort: bus.port }
  const passphraseSealed = keyAfter(ctx, current, draft)
  if (!(await inputStore.update(trx, current, { ...draft, config, passphraseSealed }))) return false
  await busService.take(trx, actor, place, { ...draft, id: current.id }, bus)
  return true
}
