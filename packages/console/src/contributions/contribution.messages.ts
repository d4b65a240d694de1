/** What the Contributions pages say. The texts of the error catalogue are letter for letter. */

export const ACTION_WORKED = 'Action worked success'
export const ACTION_FAILED = 'Something went wrong'

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
  notRunning: 'It does not run. Start it instead.',
  notRead: 'Its state is not known yet.',
} as const

export const NO_LOG = {
  local: 'A Local input has no program of its own, so it has no log.',
} as const

/** What stopping a link does to what hangs behind it. */
export function stopSentences(kind: 'input' | 'output', title: string, outputs: number): string[] {
  const first = `Stop ${title}.`
  if (kind === 'output') return [first, 'Its destination gets no stream until it is started again.']
  if (outputs === 0) return [first, 'It receives nothing until it is started again.']
  return [
    first,
    outputs === 1 ? 'Its output loses its stream.' : `Its ${outputs} outputs lose their stream.`,
  ]
}
