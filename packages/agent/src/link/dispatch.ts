/** One request of the link: parsed by its schema, done by the programs, answered or refused in words. */
import {
  hostCalls,
  HostRequest,
  type HostCallAnswer,
  type HostCallName,
  type HostCallParams,
  type HostMessage,
} from '@trunkline/contract/agent/host-link.messages'
import { wording } from '@trunkline/contract/wording'
import type { z } from 'zod'
import { CommandRefused } from '../commands/refused.ts'
import type { Context } from '../context.ts'
import { isDiskFull } from '../host/disk.ts'
import { isGroupFree, isUdpPortFree } from '../host/free-port.ts'
import { capabilitiesOf } from '../host/host.ts'
import { CallExpired, NO_CONFIRMATION, type Confirm } from '../programs/confirm.ts'
import * as programService from '../programs/program.service.ts'
import { SupervisorSilent } from '../supervisor/supervisor.silence.ts'
import type { Confirmations } from './confirmations.ts'

type Handlers = {
  [N in HostCallName]: (
    ctx: Context,
    owner: string,
    params: HostCallParams<N>,
    confirm: Confirm,
  ) => Promise<HostCallAnswer<N>> | HostCallAnswer<N>
}

const handlers: Handlers = {
  applyProgram: programService.apply,
  controlProgram: programService.control,
  removeProgram: async (ctx, owner, { programId }, confirm) =>
    programService.remove(ctx, owner, programId, confirm),
  tailProgram: (ctx, owner, { programId, lines }) => ({
    lines: programService.tail(ctx, owner, programId, lines),
  }),
  readThumbnail: programService.thumbnail,
  readCapabilities: async (ctx) => {
    await ctx.host.sourceLook.look()
    return capabilitiesOf(ctx.host)
  },
  probePort: (_ctx, _owner, { port, group }) => ({
    free: isUdpPortFree(port),
    ...(group === undefined ? {} : { groupFree: isGroupFree(group) }),
  }),
}

type Reply = Extract<HostMessage, { type: 'answer' | 'failure' }>

/** Null when the message is no request at all: the other side does not speak our language. */
export async function answer(
  ctx: Context,
  owner: string,
  message: unknown,
  confirmations: Confirmations,
): Promise<Reply | null> {
  const request = HostRequest.safeParse(message)
  if (!request.success) return null
  const { id, call, params } = request.data
  const confirm =
    request.data.confirm === true ? async () => confirmations.ask(id) : NO_CONFIRMATION
  try {
    return { type: 'answer', id, result: await handle(ctx, owner, call, params, confirm) }
  } catch (error) {
    const failure = failureOf(ctx, error)
    if (error instanceof CallExpired) ctx.log.warn({ call }, 'a call came too late')
    else if (failure.code === 'failed')
      ctx.log.error({ call, reason: String(error) }, 'a call failed')
    return { type: 'failure', id, failure }
  }
}

class InvalidParams extends Error {}

async function handle<N extends HostCallName>(
  ctx: Context,
  owner: string,
  call: N,
  params: unknown,
  confirm: Confirm,
): Promise<HostCallAnswer<N>> {
  const parsed = hostCalls[call].params.safeParse(params, { error: wording })
  if (!parsed.success) throw new InvalidParams(sentenceOf(parsed.error.issues))
  return handlers[call](ctx, owner, parsed.data as HostCallParams<N>, confirm)
}

function sentenceOf(issues: readonly z.core.$ZodIssue[]): string {
  return issues.map((issue) => `${issue.path.join('.') || 'params'} ${issue.message}`).join(' ')
}

function failureOf(ctx: Context, error: unknown): Extract<Reply, { type: 'failure' }>['failure'] {
  const message = error instanceof Error ? error.message : 'Unknown.'
  if (error instanceof CommandRefused || error instanceof CallExpired)
    return { code: 'refused', message }
  if (error instanceof programService.ProgramUnknown) return { code: 'not_found', message }
  if (isDiskFull(error)) {
    const sentence = `The disk of this host is full, so the settings were not taken. Free some space on the disk of ${ctx.config.dataDir}.`
    return { code: 'refused', message: sentence }
  }
  if (error instanceof SupervisorSilent) return { code: 'timeout', message }
  if (error instanceof InvalidParams) return { code: 'invalid', message }
  return { code: 'failed', message: `The host could not do it: ${message}` }
}
