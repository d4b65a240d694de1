/** What the command line does to one object: the calls that the console makes. */
import {
  changeStreamStatus,
  restartStream,
  selectInput,
  readStreams,
} from '@trunkline/contract/channels/channel.calls'
import {
  ACTION_TYPE,
  contributionAction,
} from '@trunkline/contract/contributions/contribution.calls'
import { setInputsStatus } from '@trunkline/contract/contributions/input.calls'
import { setOutputsStatus } from '@trunkline/contract/contributions/output.calls'
import type { MakeCall } from '@trunkline/contract/as-text/site.client'
import { controlEncoder, enableEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { configName } from '@trunkline/contract/encoders/encoder-config.schema'
import type { SiteKind } from '@trunkline/contract/fleet/observed-kind.schema'
import type { Listed } from './listed-objects.ts'

const RUNS = ['start', 'stop', 'restart'] as const
type Run = (typeof RUNS)[number]
export type Action = Run | 'enable' | 'disable' | 'switch'

/** In the order of the help page. A feeder is enabled with its encoder; a server is not commanded. */
export const ACTIONS_OF: Readonly<Record<SiteKind, readonly Action[]>> = {
  encoder: [...RUNS, 'enable', 'disable'],
  feeder: RUNS,
  input: [...RUNS, 'enable', 'disable'],
  output: [...RUNS, 'enable', 'disable'],
  channel: ['restart', 'enable', 'disable', 'switch'],
  server: [],
}

/** `source`: of a switch, its place in the channel's list, from 1. Throws an Error with a sentence. */
export async function act(
  call: MakeCall,
  object: Listed,
  action: Action,
  source: number | null,
): Promise<void> {
  const isDisable = action === 'disable'
  if (object.kind === 'channel') return actOnChannel(call, object, action, source)
  if (action === 'enable' || action === 'disable') return setEnabled(call, object, isDisable)
  if (action === 'switch') throw new Error('Only a channel is switched.')
  return run(call, object, action)
}

async function setEnabled(call: MakeCall, object: Listed, isDisable: boolean): Promise<void> {
  if (object.kind === 'encoder') {
    const { id } = object
    await call(enableEncoder, { params: { id }, body: { isEnabled: !isDisable } })
    return
  }
  const route = object.kind === 'input' ? setInputsStatus : setOutputsStatus
  const { failed } = await call(route, { body: { names: [object.id], isDisable } })
  const [failure] = failed
  if (failure !== undefined) throw new Error(failure.error)
}

async function run(call: MakeCall, object: Listed, action: Run): Promise<void> {
  if (object.kind === 'encoder') {
    const { id, wire } = object
    if (wire.config === null)
      throw new Error(`${object.title} has no settings yet. Save them first.`)
    const data = { name: configName(wire.config['card-idx']), command: action }
    const { status, results, error } = await call(controlEncoder, {
      params: { id },
      body: { data },
    })
    if (!status) throw new Error(error ?? results)
    return
  }
  const body =
    object.kind === 'feeder'
      ? { id: object.encoder.id, feederName: object.id, type: ACTION_TYPE.feeder }
      : { id: object.id, type: object.kind === 'input' ? ACTION_TYPE.input : ACTION_TYPE.output }
  const { status, results, error } = await call(contributionAction, {
    body: { ...body, actionType: action },
  })
  if (!status) throw new Error(error ?? results)
}

async function actOnChannel(
  call: MakeCall,
  { wire: { serverId, name: streamName } }: Listed & { kind: 'channel' },
  action: Action,
  source: number | null,
): Promise<void> {
  const stream = { serverId, streamName }
  if (action === 'restart') {
    await call(restartStream, { body: stream })
  } else if (action === 'switch') {
    const index = (source ?? 0) - 1
    const { streamDetail } = await call(readStreams, { query: stream })
    const inputs = streamDetail?.inputs ?? []
    const url = inputs[index]?.url
    if (url === undefined)
      throw new Error(`It has ${inputs.length} sources: name one by its number.`)
    await call(selectInput, { body: { ...stream, index, url } })
  } else {
    const data = { disabled: action === 'disable' }
    await call(changeStreamStatus, { body: { ...stream, data } })
  }
}
