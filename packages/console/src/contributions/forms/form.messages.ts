/** What the input and output forms say, beside the texts of the error catalogue. */
import { restartEffect } from '../contribution.messages.ts'
import type { LinkKind } from '../link.rules.ts'

export const TITLES: Readonly<Record<LinkKind, string>> = {
  input: 'Contribution Config',
  output: 'Output Configuration',
}

export const ANY = 'Any'
/** What goes over the wire as words, as it is read. */
export const KEY_WORDS = { yes: 'yes', no: 'no' } as const
export const COMPRESSION_WORDS = { Disabled: 'Disabled', Enabled: 'Enabled' } as const

const THE: Readonly<Record<LinkKind, string>> = { input: 'The input', output: 'The output' }
export const THE_NEW: Readonly<Record<LinkKind, string>> = {
  input: 'the new input',
  output: 'the new output',
}
const DELETED_BY_OTHERS: Readonly<Record<LinkKind, string>> = {
  input: 'Somebody has deleted this input.',
  output: 'Somebody has deleted this output.',
}

/** Q161: of an input that calls. */
export const PUSH_CALLS = 'Push (call host)'
export const CHECK_FIELDS = 'Please check required fields'

export const NOT_READ: Readonly<Record<LinkKind, string>> = {
  input: 'This input could not be read.',
  output: 'This output could not be read.',
}
export const NOT_THERE: Readonly<Record<LinkKind, string>> = {
  input: 'This input does not exist.',
  output: 'This output does not exist.',
}
export const NO_FEEDER = 'This feeder does not exist.'
export const NOT_THERE_WHY = 'It was deleted, or it belongs to another group.'
/** While the form of it is open. */
export const DELETED: Readonly<Record<LinkKind, string>> = {
  input:
    'This input was deleted or moved to another group. Your changes cannot be saved; copy what you need, then go back to Contributions.',
  output:
    'This output was deleted or moved to another group. Your changes cannot be saved; copy what you need, then go back to Contributions.',
}
export const DELETED_WHY = 'It was deleted.'

export const SERVER_LOCKED = 'Use Change server to move it.'
export const SERVER_AWAY = 'It does not answer. You can save, but not start.'

export const NO_ENCRYPTION = {
  Local: 'A Local input has no link of its own, so there is nothing to encrypt.',
  Simple: 'RIST Simple has no encryption. Choose profile Main to encrypt.',
} as const

export const KEY_HINT = {
  kept: 'A passphrase is stored. Leave empty to keep it; type one to replace it.',
  fresh: '10 to 79 characters: A-Z a-z 0-9 . _ ~ and -. The other end needs the same passphrase.',
  goes: 'Saving deletes the stored passphrase.',
} as const

/** `from`: the destination, or the feeder. */
export function copiedKey(from: string): string {
  return `Leave empty to use the passphrase of ${from}.`
}

export const NO_PARAMETERS: Readonly<Record<'Local' | 'RIST', string>> = {
  Local: 'A Local input has no link of its own, so it has no parameters.',
  RIST: 'RIST has no advanced parameters.',
}

export function clearParametersSentences(count: number): readonly string[] {
  return [
    `RIST has no advanced parameters: ${count === 1 ? 'the parameter that is set is removed' : `the ${count} parameters that are set are removed`}.`,
  ]
}

export const MULTICAST = {
  bus: 'The local bus: outputs of this input read from it.',
  local: 'The group that already carries the stream.',
} as const
export const LOCAL_PORT_HINT = 'The port of the stream in that group.'
export const LATENCY_RIST_HINT = 'Buffer: lost packets can be retransmitted within this time.'
export const NEXT_FREE = 'Next free on this server.'

export function portTaken(port: string, free: string): string {
  return `${port} is taken on this server; ${free} is free.`
}

export const EVEN_PORT_HINT = 'An even port: RIST Simple also uses the next port.'
export const HOST_PLACEHOLDER = 'Host name or address'
export const NO_DESTINATIONS = 'There are no destinations yet. Type the address instead.'

export const SECOND_PATH_HELP =
  'Every packet is sent on two paths to the same receiver. If one path fails, the stream continues without a gap.'

export function destinationMoved(title: string, ip: string): string {
  return `${title} is at ${ip} now; this output still sends to its old address.`
}

/** `who`: '' where that is not known. */
export const THEY_SAVED: Readonly<Record<LinkKind, (who: string) => string>> = {
  input: (who) =>
    who === ''
      ? 'Somebody else has saved this input since you opened it.'
      : `${who} has saved this input since you opened it.`,
  output: (who) =>
    who === ''
      ? 'Somebody else has saved this output since you opened it.'
      : `${who} has saved this output since you opened it.`,
}

export const WAITS_FOR_RESTART =
  'The running link still has the settings from before the last save.'
export const WAITS_FOR_HOST =
  'The saved settings wait for the host: it has not answered since they were saved.'

/** Q190: beside a text that is fixed word for word. */
export function unchanged(kind: LinkKind, title: string, isNew: boolean): string {
  const what = title.trim() === '' ? THE[kind] : title.trim()
  return isNew ? `${what} was not added.` : `${what} was not changed.`
}

/** Q177: a Local input has no program, so a save to that type ends its running program. */
export function becomesLocalSentences(
  title: string,
  outputs: number,
  isKnown: boolean,
): readonly string[] {
  const runs = isKnown ? 'It is running' : 'Its state is not known, and it may be running'
  return [
    `Save ${title} as Local. ${runs}; saving stops it.`,
    outputs === 0
      ? 'It then receives nothing.'
      : `${outputs === 1 ? 'Its output is' : `Its ${outputs} outputs are`} without a stream until restarted.`,
  ]
}

/** Q178: what saving does to what runs. */
export type Consequence =
  | 'first'
  | 'first-local'
  | 'running'
  | 'stopped'
  | 'away'
  | 'unread'
  | 'disabled'
  | 'local'
  | 'becomes-local'
  | 'was-local'
  | 'gone'

export function consequenceOf(
  which: Consequence,
  kind: LinkKind,
  outputs: number,
): { title: string; text: string } {
  switch (which) {
    case 'first':
      return {
        title: 'Nothing starts by itself.',
        text: `Start ${THE_NEW[kind]} from the list after saving.`,
      }
    case 'first-local':
      return {
        title: 'A Local input has no program.',
        text: 'There is nothing to start: its outputs read the group and port of the stream.',
      }
    case 'running':
      return {
        title: 'Saving restarts nothing.',
        text: `The running link keeps its settings until it is restarted. Save and restart applies them at once: ${lowered(restartEffect(kind, outputs))}`,
      }
    case 'stopped':
      return {
        title: `${THE[kind]} is stopped.`,
        text: 'It takes these settings when it is started.',
      }
    case 'away':
      return {
        title: 'Its host does not answer.',
        text: 'The settings are saved, and sent to the host when it answers again.',
      }
    case 'unread':
      return {
        title: 'Saving restarts nothing.',
        text: 'If it is running, it keeps its settings until it is restarted. Its state is not known.',
      }
    case 'disabled':
      return {
        title: `${THE[kind]} is disabled.`,
        text: 'It takes these settings when it is enabled and started.',
      }
    case 'local':
      return {
        title: 'A Local input has no program.',
        text: 'Its outputs read the new group and port after they are restarted.',
      }
    case 'becomes-local':
      return {
        title: 'Saving stops its program at once.',
        text: 'A Local input has no program: its link is closed, and its ports become free. Its outputs read the new group and port after they are restarted.',
      }
    case 'gone':
      return { title: 'It cannot be saved.', text: DELETED_BY_OTHERS[kind] }
    case 'was-local':
      return {
        title: 'Nothing starts by itself.',
        text: 'Start the input from the list after saving, then restart its outputs: they read the local bus from then on.',
      }
  }
}

function lowered(sentence: string): string {
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
}

/** M6: the default cap is below many streams. */
export function capTooLow(cap: string, carried: string): string {
  return `Max bandwidth caps this link at ${cap}; the stream has ${carried}. Packets above the cap are dropped.`
}
