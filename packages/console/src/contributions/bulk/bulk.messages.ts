/** What is said of an action of several links, once it is wanted. */
import { LOCALE } from '../../lib/locale/language.ts'
import { countText } from '../contribution.messages.ts'

/** What disabling several that run does. `counted`: '321 inputs'. */
export function disableSeveralSentences(
  kind: 'input' | 'output',
  counted: string,
): readonly string[] {
  return [
    `Disable ${counted}.`,
    kind === 'input'
      ? 'Those that are running stop: they and their outputs lose the stream until they are enabled and started again.'
      : 'Those that are running stop: their destinations get no stream until they are enabled and started again.',
  ]
}

/** `outputs`: how many outputs read from these inputs; 0 for outputs. */
export function severalLose(kind: 'input' | 'output', outputs: number): string {
  if (kind === 'output') return 'Their destinations get no stream'
  if (outputs === 0) return 'They receive nothing'
  return outputs === 1
    ? 'Their output loses the stream'
    : `Their ${countText(outputs, 'output')} lose the stream`
}

/** Title of the list of what failed out of several. */
export function someFailed(failed: number, of: number): string {
  return `${failed.toLocaleString(LOCALE)} of ${of.toLocaleString(LOCALE)} failed`
}

/** Of one of several: nothing was sent for it. */
export const STILL_BUSY = 'Its last command is still being carried out. Try again.'
export const STAYED = 'They are still selected, so you can try again.'
/** Where others are selected too. */
export const STAYED_WITH_OTHERS = 'To try again with these alone, select only these.'
export const SELECT_FAILED = 'Select only these'

/** Why an action of several does nothing now. */
export const NONE_OF_THEM = {
  start: 'No selected item can be started.',
  stop: 'No selected item is running.',
  restart: 'No selected item is running.',
  enable: 'No selected item is disabled.',
  disable: 'All selected items are disabled already.',
} as const
