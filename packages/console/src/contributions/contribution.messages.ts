/** What the Contributions pages say. The texts of the error catalogue are letter for letter. */
import { LOCALE } from '../lib/locale/language.ts'

/** ERR-35: one row; ERR-36: several (Q141). */
export const STREAM_DELETED = 'Stream deleted successfully'
export const REMOVED = {
  input: 'Input remove successfully..',
  output: 'Output remove successfully..',
  destination: 'Destination(s) remove successfully..',
} as const
/** ERR-37. */
export const STATUS_UPDATED = 'Input/Output status updated successfully.'
export const STATUS_FAILED = 'Something went wrong. Please try again.'
/** ERR-38 to ERR-42; Q190, Q191: the fallback of an edit is not always its own. */
export const INPUT_ADDED = 'Contribution added successfully'
export const INPUT_ADD_FAILED = 'Failed to create contribution'
export const INPUT_UPDATED = 'Contribution updated successfully'
export const INPUT_UPDATE_FAILED = 'Failed to update contribution'
export const OUTPUT_ADDED = 'Output added successfully'
export const OUTPUT_ADD_FAILED = 'Failed to create output'
export const OUTPUT_UPDATED = 'Output updated successfully'
export const OUTPUT_UPDATE_FAILED = 'Failed to update contribution'
export const DESTINATION_ADDED = 'Destination added successfully'
export const DESTINATION_FAILED = 'Failed to create destination'
/** ERR-43, Q146, Q193: French as documented; the cause follows in English. */
export const SERVER_CHANGED = 'Server changed successfully..'
export const SERVER_CHANGE_FAILED =
  'Une erreur est survenue lors du changement de serveur. Veuillez réessayer ou contacter le support.'
/** ERR-44. */
export const SELECT_DESTINATION = 'Please select destination'
export const SERVER_NOT_SELECTED = 'Server is not selected'
export const INPUT_ADVANCED_INCOMPLETE = 'Advanced params are not configured correctly'
export const OUTPUT_ADVANCED_INCOMPLETE = 'Advanced params are not init'
/** ERR-45. */
export function inputHasOutputs(outputs: number): string {
  return `This input cannot be deleted because it has ${outputs} number of Outputs.`
}
/** CON-IN-31, CON-IN-35: of one row in our dialog, of several in the browser's own (Q209). */
export const DELETE_ONE = 'Are you sure you want to delete?'
export const DELETE_SEVERAL = 'Are you sure you want to delete this item?'
/** DLG-09, DLG-11. */
export const FIELD_REQUIRED = 'This field is required'
export const SELECT_SERVER = 'Select a server'
export const SELECT_GROUP = 'Select a group'
export const SELECT_INPUT = 'Select input'

export const LIST_FAILED = {
  input: 'The list of inputs could not be read.',
  output: 'The list of outputs could not be read.',
  destination: 'The list of destinations could not be read.',
} as const

export const INERT = {
  disabled: 'It is disabled. Enable it first.',
  local: 'A Local input has no program of its own to start or stop.',
} as const

export const NO_LOG = {
  local: 'A Local input has no program of its own, so it has no log.',
} as const

/** What loses the stream when a link is restarted, and for how long. */
export function restartEffect(kind: 'input' | 'output', outputs: number): string {
  return `${whoLoses(kind, outputs)} for a few seconds.`
}

/** What loses the stream while a link does not run. `outputs`: how many read from this input. */
export function whoLoses(kind: 'input' | 'output', outputs: number): string {
  if (kind === 'output') return 'Its destination gets no stream'
  if (outputs === 0) return 'It receives nothing'
  return outputs === 1 ? 'Its output loses the stream' : `Its ${outputs} outputs lose the stream`
}

/* The three tables. */

export const DELETE_FAILED = 'Something went wrong'
export const SHOW_OUTPUTS = 'Show outputs'
export const CLOSE = 'Close'
/** Of an input that cannot be deleted: what to do about it. */
export const DELETE_OUTPUTS_FIRST = 'Delete its outputs first.'
export const RENAMED = 'Renamed'
export const RENAME_FAILED = 'The name could not be changed.'

const COUNTED = {
  input: { single: '1 input', several: (count: string) => `${count} inputs` },
  output: { single: '1 output', several: (count: string) => `${count} outputs` },
  destination: { single: '1 destination', several: (count: string) => `${count} destinations` },
} as const
export type ObjectWord = keyof typeof COUNTED

/** '1 input', '3 inputs'. */
export function countText(count: number, word: ObjectWord): string {
  const { single, several } = COUNTED[word]
  return count === 1 ? single : several(count.toLocaleString(LOCALE))
}

export const PLURALS: Readonly<Record<ObjectWord, string>> = {
  input: 'inputs',
  output: 'outputs',
  destination: 'destinations',
}

export const DELETE_DO = { input: 'Delete input', output: 'Delete output' } as const
export const DELETE_KEEP = { input: 'Keep input', output: 'Keep output' } as const

/** Of a link, as it is read. */
export const MODE_WORDS = { Listen: 'Listen', Push: 'Push' } as const

/** What deleting one link does, after DELETE_ONE. */
export function deleteSentences(kind: 'input' | 'output', title: string): readonly string[] {
  return [
    DELETE_ONE,
    kind === 'input'
      ? `'${title}' stops receiving and is removed from its server. This cannot be undone.`
      : `'${title}' stops sending and is removed from its server. This cannot be undone.`,
  ]
}

/** What disabling links that run does: their programs stop (Q138). */
export function disableSentences(kind: 'input' | 'output', names: string): readonly string[] {
  return [
    `Disable ${names}.`,
    kind === 'input'
      ? 'If it is running, it stops: it and its outputs lose the stream until it is enabled and started again.'
      : 'If it is running, it stops: its destination gets no stream until it is enabled and started again.',
  ]
}

/** DELETE_ONE, and where the outputs are left that go there. */
export function destinationSentences(
  title: string,
  outputs: readonly string[],
  total: number,
): readonly string[] {
  if (total === 0) return [DELETE_ONE, `Deletes '${title}'. No output uses it.`]
  const rest = total - outputs.length
  const names = outputs.join(', ') + (rest > 0 ? ` and ${rest.toLocaleString(LOCALE)} more` : '')
  const keep =
    total === 1 ? 'keeps its address and keeps running' : 'keep its address and keep running'
  return [
    DELETE_ONE,
    `Deletes '${title}'. ${countText(total, 'output')} that use it ${keep}: ${names}.`,
  ]
}

/** Outputs that have its address already, and refer to no destination. */
export function linkLabel(count: number): string {
  return `Link ${countText(count, 'output')} with this address…`
}

export function linkSentences(
  title: string,
  outputs: readonly string[],
  hasKey: boolean,
): readonly string[] {
  const names = outputs.slice(0, 12).join(', ')
  const rest = outputs.length - 12
  const more = rest > 0 ? ` and ${rest.toLocaleString(LOCALE)} more` : ''
  const key = hasKey ? ' They also use its passphrase after a restart.' : ''
  return [
    `Link these to '${title}'?`,
    `${countText(outputs.length, 'output')} with its address: ${names}${more}.${key}`,
  ]
}

export function linked(count: number): string {
  return `${countText(count, 'output')} linked.`
}
export const LINK_FAILED = 'The outputs could not be linked.'

/** What the bulk bar says first. */
export function selectedText(count: number): string {
  return count === 1 ? '1 selected' : `${count.toLocaleString(LOCALE)} selected`
}

/** What the bulk bar says beside how many are selected. */
export function selectionText(running: number, disabled: number, elsewhere: number): string {
  return [
    running > 0 ? `${running.toLocaleString(LOCALE)} running` : '',
    disabled > 0 ? disabledText(disabled) : '',
    elsewhere > 0 ? `${elsewhere.toLocaleString(LOCALE)} not on this page` : '',
  ]
    .filter(Boolean)
    .join(', ')
}

function disabledText(count: number): string {
  return count === 1 ? '1 disabled' : `${count.toLocaleString(LOCALE)} disabled`
}

/** While an action of several is under way. */
export function progressText({ answered, of }: { answered: number; of: number }): string {
  return `${answered.toLocaleString(LOCALE)} of ${of.toLocaleString(LOCALE)} done`
}

/** `most`: as many as one selection takes. */
export function selectMatchingLabel(total: number, most: number): string {
  return total > most
    ? `Select the first ${most.toLocaleString(LOCALE)} of ${total.toLocaleString(LOCALE)}`
    : `Select all ${total.toLocaleString(LOCALE)}`
}

export const MATCHING_FAILED = 'They could not be selected. Please try again.'
/** Of a dialog that shows what happens to each of them. */
export const CHOOSE_ON_PAGES =
  'Select the inputs on their pages to change their server: what happens to each is shown first.'

/** Of an output whose destination has another address now (Q151). */
export function movedText(address: string): string {
  return `moved to ${address}`
}
