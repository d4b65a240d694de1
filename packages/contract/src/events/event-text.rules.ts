/** What an event of a timeline says, in the console and in the command line. */
import { DISABLE_WORDS, ENABLE_WORDS, wordsOfCall, wordsOfCommand } from '../audit/call.messages.ts'
import type { ObservedKind } from '../fleet/observed-kind.schema.ts'
import type { TimelineEvent } from './event.schema.ts'

const STATE_WORDS: Readonly<Record<string, string>> = {
  up: 'running',
  down: 'not running',
  off: 'stopped',
}

/** What happened; `lengthText` writes the length of a span. */
export function eventText(
  object: ObservedKind,
  event: TimelineEvent,
  lengthText: (lengthMs: number) => string,
): string {
  const { kind, state } = event
  switch (kind) {
    case 'up':
      return object === 'server' ? 'Reachable' : object === 'channel' ? 'Live' : 'Running'
    case 'down':
      return object === 'channel' ? 'No media' : 'Down'
    case 'off':
      return object === 'channel' ? 'Switched off' : 'Stopped'
    case 'unreachable':
      return object === 'server' ? 'Unreachable' : 'Host unreachable'
    case 'reachable': {
      if (object === 'server') return 'Reachable again'
      const word = object === 'channel' && state === 'up' ? 'live' : STATE_WORDS[state]
      return word === undefined ? 'Host reachable again' : `Host reachable again, ${word}`
    }
    case 'connected':
      return state === '' ? 'Peer connected' : `Peer connected: ${state}`
    case 'disconnected':
      return 'Peer disconnected'
    case 'restarted':
      return `Unexpected restart, ${state} since the last command`
    case 'source':
      return `Switched to source ${state}`
    case 'air':
      return state === 'on' ? 'On air' : 'Off air'
    case 'schedule':
      return `Scheduled ${scheduledText(state)}`
    case 'alarm':
      return `Alarm ${ALARM_WORDS[state] ?? state}`
    case 'unwatched':
      return `Not watched${lengthOf(event, lengthText)}`
    case 'omitted':
      return `${state} more events${lengthOf(event, lengthText)}`
    case 'saved':
    case 'command':
      return deedText(object, event)
  }
}

const ALARM_WORDS: Readonly<Record<string, string>> = {
  raised: 'raised',
  cleared: 'cleared',
  acknowledged: 'acknowledged',
}

const COMMAND_WORDS: Readonly<Record<string, string>> = {
  start: 'start',
  stop: 'stop',
  restart: 'restart',
  switch: 'switch',
}

const OUTCOME_WORDS: Readonly<Record<string, string>> = {
  running: 'running',
  done: 'done',
  failed: 'failed',
  refused: 'refused',
  missed: 'missed',
}

/** 'stop missed': a command and how it went. */
function scheduledText(state: string): string {
  const [command = '', outcome = ''] = state.split(' ')
  return `${COMMAND_WORDS[command] ?? command} ${OUTCOME_WORDS[outcome] ?? outcome}`.trim()
}

function lengthOf({ at, since }: TimelineEvent, lengthText: (lengthMs: number) => string): string {
  if (since === null) return ''
  return ` for ${lengthText(Date.parse(at) - Date.parse(since))}`
}

/** A feeder has no record of its own: its commands are the encoder's. */
function deedText(object: ObservedKind, { state, call, result }: TimelineEvent): string {
  const at = result === 'done' ? 0 : 1
  const enabling = { enable: ENABLE_WORDS, disable: DISABLE_WORDS }[state]
  const words = enabling ?? wordsOfCommand(state) ?? wordsOfCall(call)
  const whose = object === 'encoder' && call === 'contributions.action' ? ' feeder' : ''
  const text = `${words?.[at] ?? call}${whose}`
  return result === 'done' ? text : `${text}: failed`
}

/** Why, or more about it; '' for nothing. */
export function eventDetail({ kind, cause }: TimelineEvent): string {
  if (kind === 'unwatched') return 'Trunkline was not running.'
  if (kind === 'omitted') return 'Only the first events of a minute are kept.'
  return cause
}
