/** What people did, from the record of activity, as events. Pure. */
import type { EventKind, TimelineEvent } from '@trunkline/contract/events/event.schema'

/** Calls that command something; all others of an object save it. */
export const DEED_CALLS: readonly string[] = [
  'encoders.control',
  'encoders.enable',
  'contributions.action',
  'inputs.setStatus',
  'outputs.setStatus',
  'channels.restart',
  'channels.changeStatus',
  'channels.selectInput',
]

/** Their reason begins with the command: 'start', or 'start: the host did not answer'. */
const PROGRAM_CALLS: readonly string[] = ['encoders.control', 'contributions.action']

export interface Deed {
  id: string
  at: string
  actor_name: string
  call: string
  result: string
  reason: string
  /** JSON, or null. */
  after: string | null
}

function deedKind(call: string): EventKind {
  return DEED_CALLS.includes(call) ? 'command' : 'saved'
}

export function eventOfDeed({
  id,
  at,
  actor_name,
  call,
  result,
  reason,
  after,
}: Deed): TimelineEvent {
  const command = PROGRAM_CALLS.includes(call) ? (/^[a-z]+(?=$|:)/.exec(reason)?.[0] ?? '') : ''
  return {
    id,
    at,
    kind: deedKind(call),
    since: null,
    state: command === '' ? enabling(after) : command,
    cause: reason.slice(command.length).replace(/^:\s*/, ''),
    call,
    result: result === 'failed' ? 'failed' : 'done',
    actor: actor_name,
  }
}

/** '' where it is about something else. */
function enabling(after: string | null): string {
  const content: unknown = after === null ? null : JSON.parse(after)
  if (typeof content !== 'object' || content === null || !('isEnabled' in content)) return ''
  const { isEnabled } = content
  return typeof isEnabled === 'boolean' ? (isEnabled ? 'enable' : 'disable') : ''
}
