/** What a schedule does when it is due: through the same services as a person's call, with that person's rights. */
import { changeStreamStatus, selectInput } from '@trunkline/contract/channels/channel.calls'
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { configName } from '@trunkline/contract/encoders/encoder-config.schema'
import { controlEncoder } from '@trunkline/contract/encoders/encoder.calls'
import type { OnAirRefusal } from '@trunkline/contract/on-air/on-air.schema'
import { mayDo } from '@trunkline/contract/role-table'
import type { BodyOf, Route } from '@trunkline/contract/route'
import { rightOf } from '@trunkline/contract/schedules/schedule.rules'
import type { RunOutcome } from '@trunkline/contract/schedules/schedule.schema'
import * as channelService from '../channels/channel.service.ts'
import * as streamCommandService from '../channels/stream-command.service.ts'
import type { Context } from '../context.ts'
import * as encoderCommandService from '../encoders/encoder-command.service.ts'
import * as encoderService from '../encoders/encoder.service.ts'
import { AppError } from '../errors.ts'
import { HostFault } from '../hosts/host-fault.ts'
import * as actionService from '../links/action.service.ts'
import * as onAirGuardService from '../on-air/on-air-guard.service.ts'
import { titlesText } from '../on-air/on-air.rules.ts'
import type { HopDetails } from '../paths/hop-details.store.ts'
import type { Actor } from '../security/actor.ts'
import * as userService from '../users/user.service.ts'
import type { StoredSchedule } from './schedule.store.ts'

export interface RunResult {
  outcome: Exclude<RunOutcome, 'running' | 'missed'>
  /** '' when it was carried out. */
  sentence: string
}

const DONE: RunResult = { outcome: 'done', sentence: '' }

const NOBODY =
  'The account that saved this schedule no longer exists. Save the schedule again to carry it out with your rights.'
const OUR_FAULT = 'Something went wrong on our side. It was noted. Check the object.'

/** A call as a person would make it, and what carries it out; answers why it did not work, '' when it did. */
interface Deed {
  call: Pick<Route, 'name'>
  params: Record<string, string>
  body: unknown
  perform: () => Promise<string>
}

/** With the rights of now; null when their account was deleted. */
export async function actorOf(ctx: Context, { madeBy }: StoredSchedule): Promise<Actor | null> {
  const user = madeBy.userId === null ? null : await userService.find(ctx, madeBy.userId)
  return user === null ? null : userService.actorOf(user)
}

/** Never throws. `details`: of the object, as it is known now. */
export async function carryOut(
  ctx: Context,
  actor: Actor | null,
  schedule: StoredSchedule,
  details: HopDetails,
): Promise<RunResult> {
  if (actor === null) return { outcome: 'refused', sentence: NOBODY }
  const { object, command, alsoOnAir } = schedule
  if (!mayDo(actor.role, rightOf(object.kind, command))) {
    return { outcome: 'refused', sentence: lostRight(actor) }
  }
  try {
    await ctx.programs.opened()
    const deed = await deedOf(ctx, actor, schedule, details)
    const { call, params, body } = deed
    const asked = { call: call.name, params, body, others: [] }
    const { data: onAir } = await onAirGuardService.ask(ctx, actor, asked)
    if (onAir !== null && !(alsoOnAir && mayGoOn(onAir))) {
      return { outcome: 'refused', sentence: onAirSentence(onAir) }
    }
    const refusal = await deed.perform()
    return refusal === '' ? DONE : { outcome: 'failed', sentence: refusal }
  } catch (error) {
    return resultOf(ctx, actor, error)
  }
}

/** As a person who types the titles may: what they do not see only an admin interrupts. */
function mayGoOn({ hidden, mayOverride }: OnAirRefusal): boolean {
  return hidden === 0 || mayOverride
}

function resultOf(ctx: Context, actor: Actor, error: unknown): RunResult {
  if (error instanceof HostFault) return { outcome: 'failed', sentence: error.message }
  if (!(error instanceof AppError)) {
    ctx.log.error({ err: error }, 'A schedule could not be carried out.')
    return { outcome: 'failed', sentence: OUR_FAULT }
  }
  if (error.code === 'forbidden' || error.code === 'not_found') {
    return { outcome: 'refused', sentence: lostRight(actor) }
  }
  // Read by all who see the object: why a host is away is for admins, in the record of activity.
  return { outcome: 'failed', sentence: error.more.neutral ?? error.message }
}

function lostRight({ fullName }: Actor): string {
  return `${fullName}, who saved this schedule last, may not do this any more. Save it again to carry it out with your rights.`
}

function onAirSentence(refusal: OnAirRefusal): string {
  const { effects, more, hidden } = refusal
  if (hidden > 0) {
    return 'It would have interrupted something in another group that is on air. Ask an admin.'
  }
  const are = effects.length + more === 1 ? 'which was' : 'which were'
  return `It would have interrupted ${titlesText(refusal)}, ${are} on air. To carry it out then too, choose that in the schedule.`
}

async function deedOf(
  ctx: Context,
  actor: Actor,
  schedule: StoredSchedule,
  details: HopDetails,
): Promise<Deed> {
  const { object, command } = schedule
  switch (object.kind) {
    case 'encoder':
      return encoderDeed(ctx, actor, object.id, programCommand(command))
    case 'feeder':
      return linkDeed(ctx, actor, {
        id: details.ownerId,
        type: ACTION_TYPE.feeder,
        feederName: object.id,
        actionType: programCommand(command),
      })
    case 'input':
    case 'output': {
      const type = object.kind === 'input' ? ACTION_TYPE.input : ACTION_TYPE.output
      return linkDeed(ctx, actor, { id: object.id, type, actionType: programCommand(command) })
    }
    case 'channel':
      return channelDeed(ctx, actor, schedule)
  }
}

/** Only a channel is switched: nothing else is stored. */
function programCommand(command: StoredSchedule['command']): 'start' | 'stop' {
  return command === 'stop' ? 'stop' : 'start'
}

async function encoderDeed(
  ctx: Context,
  actor: Actor,
  id: string,
  command: 'start' | 'stop',
): Promise<Deed> {
  const { record } = await encoderService.load(ctx, actor, id)
  const name = record.config === null ? '' : configName(record.config['card-idx'])
  const body = { data: { name, command } }
  return {
    call: controlEncoder,
    params: { id },
    body,
    perform: async () => errorOf(await encoderCommandService.control(ctx, actor, id, body)),
  }
}

async function linkDeed(
  ctx: Context,
  actor: Actor,
  body: BodyOf<typeof contributionAction>,
): Promise<Deed> {
  return Promise.resolve({
    call: contributionAction,
    params: {},
    body,
    perform: async () => errorOf(await actionService.act(ctx, actor, body)),
  })
}

/** In the words of its host; '' when it took the command. */
function errorOf(answer: { status: boolean; error?: string | undefined }): string {
  return answer.status ? '' : (answer.error ?? 'Its host refused the command. Check its log.')
}

async function channelDeed(
  ctx: Context,
  actor: Actor,
  { object, command, source }: StoredSchedule,
): Promise<Deed> {
  const { server, name } = await channelService.load(ctx, actor, object.id)
  const stream = { serverId: server.id, streamName: name }
  if (command === 'switch' && source !== null) {
    const body = { ...stream, ...source }
    const perform = async () => {
      await streamCommandService.select(ctx, actor, body)
      return ''
    }
    return { call: selectInput, params: {}, body, perform }
  }
  const body = { ...stream, data: { disabled: command === 'stop' } }
  const perform = async () => {
    await streamCommandService.changeStatus(ctx, actor, body)
    return ''
  }
  return { call: changeStreamStatus, params: {}, body, perform }
}
