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
import { isGroupFree, isUdpPortFree } from '../host/free-port.ts'
import { capabilitiesOf } from '../host/host.ts'
import * as programService from '../programs/program.service.ts'

type Handlers = {
  [N in HostCallName]: (
    ctx: Context,
    owner: string,
    params: HostCallParams<N>,
  ) => Promise<HostCallAnswer<N>> | HostCallAnswer<N>
}

const handlers: Handlers = {
  applyProgram: programService.apply,
  controlProgram: programService.control,
  removeProgram: async (ctx, owner, { programId }) => programService.remove(ctx, owner, programId),
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
export async function answer(ctx: Context, owner: string, message: unknown): Promise<Reply | null> {
  const request = HostRequest.safeParse(message)
  if (!request.success) return null
  const { id, call, params } = request.data
  try {
    return { type: 'answer', id, result: await handle(ctx, owner, call, params) }
  } catch (error) {
    const failure = failureOf(error)
    if (failure.code === 'failed') ctx.log.error({ call, reason: String(error) }, 'a call failed')
    return { type: 'failure', id, failure }
  }
}

class InvalidParams extends Error {}

async function handle<N extends HostCallName>(
  ctx: Context,
  owner: string,
  call: N,
  params: unknown,
): Promise<HostCallAnswer<N>> {
  const parsed = hostCalls[call].params.safeParse(params, { error: wording })
  if (!parsed.success) throw new InvalidParams(sentenceOf(parsed.error.issues))
  return handlers[call](ctx, owner, parsed.data as HostCallParams<N>)
}

function sentenceOf(issues: readonly z.core.$ZodIssue[]): string {
  return issues.map((issue) => `${issue.path.join('.') || 'params'} ${issue.message}`).join(' ')
}

function failureOf(error: unknown): Extract<Reply, { type: 'failure' }>['failure'] {
  const message = error instanceof Error ? error.message : 'Unknown.'
  if (error instanceof CommandRefused) return { code: 'refused', message }
  if (error instanceof programService.ProgramUnknown) return { code: 'not_found', message }
  if (error instanceof InvalidParams) return { code: 'invalid', message }
  return { code: 'failed', message: `The host could not do it: ${message}` }
}
