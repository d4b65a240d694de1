/** What calls about encoders and feeders touch. Saving restarts nothing, but the next restart takes it up. */
import {
  controlEncoder,
  enableEncoder,
  removeEncoder,
  removeEncoderConfig,
  updateEncoder,
} from '@trunkline/contract/encoders/encoder.calls'
import { carryEncoder } from '@trunkline/contract/contributions/carry.calls'
import type { Feeder } from '@trunkline/contract/encoders/encoder-config.schema'
import { removeFeeder, saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import type { ProgramKind } from '@trunkline/contract/fleet/fleet.schema'
import { changedFields } from '../changed-fields.ts'
import type { Context } from '../context.ts'
import * as encoderService from '../encoders/encoder.service.ts'
import { changesStream } from '../encoders/update/encoder-change.ts'
import type { PathKey } from '../paths/path-source.ts'
import { programIdOf } from '../programs/wanted-program.ts'
import { interruption, type Interruption } from './interruption.ts'
import { mayInterrupt } from './running.rules.ts'
import type { Route } from '@trunkline/contract/route'

export function interrupts(
  ctx: Context,
  command: Parameters<typeof mayInterrupt>[0],
  kind: ProgramKind,
  id: string,
): boolean {
  return mayInterrupt(command, ctx.board.program(programIdOf(kind, id))?.state)
}

function encoder(id: string): PathKey[] {
  return [{ kind: 'encoder', id }]
}

export const ENCODER_INTERRUPTIONS: readonly Interruption<Route>[] = [
  interruption(updateEncoder, async (ctx, actor, { body }) => {
    const found = await encoderService.load(ctx, actor, body._id)
    return changesStream(found, body) ? encoder(body._id) : []
  }),
  interruption(removeEncoder, async (ctx, actor, { params: { id } }) => {
    await encoderService.load(ctx, actor, id)
    return encoder(id)
  }),
  interruption(removeEncoderConfig, async (ctx, actor, { params: { id } }) => {
    const { record } = await encoderService.load(ctx, actor, id)
    return record.config === null ? [] : encoder(id)
  }),
  interruption(enableEncoder, async (ctx, actor, { params: { id }, body }) => {
    if (body.isEnabled) return []
    const { feeders } = await encoderService.load(ctx, actor, id)
    const isCut =
      interrupts(ctx, 'disable', 'encoder', id) ||
      feeders.some(({ feeder }) => interrupts(ctx, 'disable', 'feeder', feeder.name))
    return isCut ? encoder(id) : []
  }),
  interruption(controlEncoder, async (ctx, actor, { params: { id }, body }) => {
    const { command } = body.data
    if (command !== 'stop' && command !== 'restart') return []
    await encoderService.load(ctx, actor, id)
    return interrupts(ctx, command, 'encoder', id) ? encoder(id) : []
  }),
  interruption(saveFeeder, async (ctx, actor, { body: { _id, feederPost } }) => {
    const { name } = feederPost
    if (name === undefined) return []
    const stored = encoderService.feederOf(await encoderService.load(ctx, actor, _id), name)
    return changesFeeder(feederPost, stored.feeder) ? [{ kind: 'feeder', id: name }] : []
  }),
  interruption(removeFeeder, async (ctx, actor, { params: { encoderId, feederName } }) => {
    encoderService.feederOf(await encoderService.load(ctx, actor, encoderId), feederName)
    return [{ kind: 'feeder', id: feederName }]
  }),
  interruption(carryEncoder, async (ctx, actor, { params: { id }, body: { feeder } }) => {
    if (feeder.use !== 'replace') return []
    encoderService.feederOf(await encoderService.load(ctx, actor, id), feeder.name)
    return [{ kind: 'feeder', id: feeder.name }]
  }),
]

/** More than its title. An empty passphrase keeps the stored one, unless it is said to be unset. */
function changesFeeder(sent: Omit<Feeder, 'name'>, stored: Omit<Feeder, 'name'>): boolean {
  const [target] = sent.output
  const isSet = stored.output[0]?.passphraseSet === true
  if ((target?.passphrase ?? '') !== '') return true
  if (isSet && target?.passphraseSet === false) return true
  return changedFields(streamOf(sent), streamOf(stored)).length > 0
}

/** Ports follow from the addresses. */
function streamOf({ serverId, input, output }: Omit<Feeder, 'name'>) {
  const { title: _1, port: _2, ...source } = input
  const targets = output.map(({ passphrase: _3, passphraseSet: _4, port: _5, ...rest }) => rest)
  return { serverId, source, targets }
}
