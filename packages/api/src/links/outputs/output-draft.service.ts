/** What an operator asks an output to be, made ready to be stored: whole, possible, with its key and ports. */
import { outerPorts, outputFaults } from '@trunkline/contract/contributions/link.rules'
import type { OutputDraft } from '@trunkline/contract/contributions/output.schema'
import { settledOutput } from '@trunkline/contract/contributions/settled-link.rules'
import type { Context, Db } from '../../context.ts'
import { invalid, notFound, refused } from '../../errors.ts'
import { programIdOf } from '../../programs/wanted-program.ts'
import type * as portClaimService from '../../ports/port-claim.service.ts'
import { groupScope, type Actor } from '../../security/actor.ts'
import * as serverService from '../../servers/server.service.ts'
import * as busService from '../bus/bus.service.ts'
import * as destinationStore from '../destinations/destination.store.ts'
import type { DestinationRecord } from '../destinations/destination.store.ts'
import type { InputRecord } from '../inputs/input.store.ts'
import { hostFault, withHostOf } from './output-draft.rules.ts'
import * as outputStore from './output.store.ts'
import type { OutputContent, OutputRecord } from './output.store.ts'

export interface ReadyOutput {
  content: OutputContent
  claims: portClaimService.AskedClaim[]
}

/** The input of an output, as far as it decides what the output may be. */
export type InputPlace = Pick<InputRecord, 'id' | 'server'>

/**
 * Refuses by field what cannot work; may ask the host, so call it before the transaction. `stored`:
 * the output as it is, null for a new output.
 */
export async function prepare(
  ctx: Context,
  actor: Actor,
  { draft, input, stored }: { draft: OutputDraft; input: InputPlace; stored: OutputRecord | null },
): Promise<ReadyOutput> {
  const whole = settledOutput(draft)
  const destination = await destinationOf(ctx, actor, whole.destinationId, stored)
  const clean = destination === null ? whole : withHostOf(whole, destination)
  assertHost(clean, destination, stored)
  const [fault] = outputFaults(clean)
  if (fault !== undefined) throw invalid(fault.field, fault.sentence)
  await busService.assertOffBus(ctx.db, ctx.busRange, clean.config)
  const passphraseSealed = keyOf(ctx, clean, destination, stored)
  await assertAdapters(ctx, actor, input, clean)
  const claims = claimsOf(input, clean)
  if (!mayHoldThemItself(ctx, stored)) {
    const { hostKey: host, port } = input.server
    await busService.assertFreeOnHost(ctx, { host, port }, claims)
  }
  const { title, inputType: outputType, config, encryption, advanced } = clean
  const content = { title, outputType, config, encryption, advanced, passphraseSealed }
  return {
    content: { ...content, inputId: input.id, destinationId: clean.destinationId ?? null },
    claims,
  }
}

function assertHost(
  draft: OutputDraft,
  destination: DestinationRecord | null,
  stored: OutputRecord | null,
): void {
  const sentence = destination === null ? null : hostFault(draft, destination, stored)
  if (sentence !== null) throw invalid('config.host', sentence)
}

/** The ports that an output in this state takes on its server. */
function claimsOf(
  input: InputPlace,
  { inputType, config }: Pick<OutputDraft, 'inputType' | 'config'>,
): portClaimService.AskedClaim[] {
  const { hostKey } = input.server
  return outerPorts(inputType, config).map((outer) => {
    return { ...outer, hostKey, field: 'config.port', isPicked: false }
  })
}

/** Its process still has the ports of older settings, and the host cannot say whose they are. */
function mayHoldThemItself(ctx: Context, stored: OutputRecord | null): boolean {
  if (stored === null) return false
  return ctx.board.program(programIdOf('output', stored.id))?.waitsForRestart === true
}

/**
 * null for none. One of another group stays chosen, without lending its key or telling where it is
 * by now; as a new choice it is not there.
 */
async function destinationOf(
  ctx: Context,
  actor: Actor,
  id: string | null | undefined,
  stored: OutputRecord | null,
): Promise<DestinationRecord | null> {
  if (id === null || id === undefined) return null
  const seen = await destinationStore.find(ctx.db, id, groupScope(actor))
  if (seen !== null) return seen
  const kept = id === stored?.destinationId ? await destinationStore.find(ctx.db, id, 'all') : null
  if (kept === null || stored === null) throw notFound('destination')
  return { ...kept, title: 'of another group', ip: stored.config.host, passphraseSealed: null }
}

/**
 * The key typed; else that of a destination chosen by this save, copied here so that no browser sees
 * it; else the stored key (decisions.md 17).
 */
function keyOf(
  ctx: Context,
  { encryption }: OutputDraft,
  destination: DestinationRecord | null,
  stored: OutputRecord | null,
): string | null {
  if (encryption.selection === 'no') return null
  if (encryption.passphrase !== '') return ctx.keys.seal(encryption.passphrase)
  const kept = stored?.passphraseSealed ?? null
  const lent = destination?.passphraseSealed ?? null
  const isChosenNow = destination !== null && destination.id !== stored?.destinationId
  const key = isChosenNow ? (lent ?? kept) : (kept ?? lent)
  if (key !== null) return key
  throw invalid(
    'encryption.passphrase',
    'must not be empty while encryption is on. Use Generate A Key.',
  )
}

async function assertAdapters(
  ctx: Context,
  actor: Actor,
  input: InputPlace,
  { config }: OutputDraft,
): Promise<void> {
  const asked = [
    { field: 'config.adapterIp', ip: config.adapterIp },
    { field: 'config.secondPath.adapterIp', ip: config.secondPath?.adapterIp ?? '' },
  ].filter(({ ip }) => ip !== '')
  if (asked.length === 0) return
  const { adapters, title } = await serverService.load(ctx, actor, input.server._id)
  const unknown = asked.find(({ ip }) => !adapters.some(({ adapterIp }) => adapterIp === ip))
  if (unknown === undefined) return
  const known = adapters.map(({ adapterIp }) => adapterIp).join(', ')
  throw invalid(unknown.field, `is not an adapter of ${title}. Choose ${known}, or Any.`)
}

/**
 * Without multicast on its host's loopback a bus has one reader (decisions.md 2). `exceptId`: the
 * output that is saved.
 */
export async function assertNoOtherReader(
  ctx: Context,
  trx: Db,
  input: InputRecord,
  exceptId: string,
): Promise<void> {
  const { hostKey, port } = input.server
  const bus = ctx.hosts.capabilities({ host: hostKey, port })?.localBus
  if (bus === undefined || bus.works || input.inputType === 'Local') return
  if ((await outputStore.countOfInput(trx, input.id, exceptId)) === 0) return
  throw refused(
    `${input.title} has an output already, and its server cannot feed a second one: ${bus.reason}`,
    { field: 'contributionId' },
  )
}
