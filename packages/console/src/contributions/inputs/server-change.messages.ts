/** What the dialog 'Change server' says; the texts of the error catalogue are in contribution.messages.ts. */
import { countText } from '../contribution.messages.ts'

export const LEAD =
  'A running input starts on the new server before it stops on the old one. If it cannot start there, it is not moved.'
export const ALREADY_THERE = 'It is already on that server and is not moved.'
export const LOCAL_MOVES = 'Its stream must be on the network of the new server.'
export const NOT_MOVED = 'It was not moved.'
export const NOT_TRIED = 'Not tried, because the inputs before it got no usable answer.'
export const GOES_ON = 'You can close this: the move continues, and a notice shows the result.'
export const AFTER_OTHERS = 'Waiting for the inputs before it.'

/** What an input that is being moved waits for. */
export function startsOn(server: string): string {
  return `Starting on ${server}.`
}

/** `olds`: titles. */
export function stopsOn(server: string, olds: readonly string[]): string {
  return `Moved to ${server}. Waiting until everything has stopped on the old server: ${olds.join(', ')}.`
}

export const CHOOSE_SERVER = 'Choose the new server.'
export function silentServer(title: string): string {
  return `${title} does not answer at the moment. Running inputs are not moved; stopped ones are, and cannot start there until it answers.`
}

export const NO_OTHER_SERVER = 'There is no other server that runs inputs. Add one under Servers.'
/** Of a person who has no page of servers. */
export const NO_OTHER_SERVER_ASK =
  'There is no other server that runs inputs. Ask an admin to add one.'
export const SERVERS_FAILED = 'The list of servers could not be read. Close this and try again.'
export const LABELS = {
  serverId: 'New server',
  adapterId: 'Local IP',
  keepOrDelete: 'On the old server',
} as const

export const RESULT_WORDS = { moved: 'Moved', failed: 'Not moved', moving: 'Moving' } as const

export function moves(outputs: number, from: string, to: string): string {
  const way = to === '' ? `leaves ${from}` : `moves from ${from} to ${to}`
  if (outputs === 0) return `It ${way}. It has no outputs.`
  return `It ${way}, with its ${outputs === 1 ? 'output' : `${outputs} outputs`}.`
}

export function redial(port: string, host: string): string {
  return host === ''
    ? `Its callers must redial, port ${port}.`
    : `Its callers must redial: ${host}, port ${port}.`
}

export function feedersStay(feeders: number, old: string): string {
  const who = feeders === 1 ? '1 feeder still sends' : `${feeders} feeders still send`
  return `${who} to ${old}: change that in the encoder.`
}

/** Second line of the toast. */
export function movedText(moved: number, failed: number, server: string): string {
  if (moved === 0) return `${countText(failed, 'input')} not moved to ${server}`
  const all = `${countText(moved, 'input')} on ${server}`
  return failed === 0 ? all : `${all}, ${failed} not moved`
}
