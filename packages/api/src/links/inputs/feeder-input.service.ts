/** Inputs that receive a feeder of ours: the feeder's passphrase is copied here, so no browser sees it. */
import type { addInput } from '@trunkline/contract/contributions/input.calls'
import type { NewInput } from '@trunkline/contract/contributions/input.schema'
import type { ReplyOf } from '@trunkline/contract/route'
import type { Context } from '../../context.ts'
import * as encoderService from '../../encoders/encoder.service.ts'
import type { Actor } from '../../security/actor.ts'
import * as linkService from '../link.service.ts'
import { INPUT } from './input-kind.service.ts'

/** A feeder that the actor does not see is not there (404). */
export async function add(
  ctx: Context,
  actor: Actor,
  { feeder, ...draft }: NewInput,
  id: string,
): Promise<ReplyOf<typeof addInput>> {
  const { encryption } = draft
  const isCopied = encryption.selection === 'yes' && encryption.passphrase === ''
  const passphrase =
    isCopied && feeder !== undefined ? await keyOf(ctx, actor, feeder) : encryption.passphrase
  const whole = { ...draft, encryption: { ...encryption, passphrase } }
  return linkService.add(ctx, actor, INPUT, whole, { id, deed: 'add' })
}

/** In clear; '' when the feeder has none. */
async function keyOf(
  ctx: Context,
  actor: Actor,
  { encoderId, name }: NonNullable<NewInput['feeder']>,
): Promise<string> {
  const encoder = await encoderService.load(ctx, actor, encoderId)
  return encoderService.passphraseOf(ctx, encoderService.feederOf(encoder, name))
}
