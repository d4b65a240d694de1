/** What every configuration page says about changes that are not saved yet. */

export const NO_CHANGES = 'No changes.'

export function unsavedText(changes: number): string {
  if (changes === 0) return 'No unsaved changes'
  return changes === 1 ? '1 unsaved change' : `${changes} unsaved changes`
}

/** Q89. */
export function leaveSentences(title: string, changes: number): readonly string[] {
  return [
    changes === 1
      ? `1 change to ${title} is not saved. Leaving discards it.`
      : `${changes} changes to ${title} are not saved. Leaving discards them.`,
  ]
}

/** Of a field that somebody else has changed meanwhile. */
export function nowText(label: string, value: string): string {
  return `${label} (now '${value}')`
}

/** Of a dialog (design 5). */
export const ENTERED = {
  sentence: 'What you entered is not saved.',
  stayLabel: 'Keep editing',
  leaveLabel: 'Close without saving',
} as const

/** Of a dialog whose answer shows a token or codes that nobody can read again. */
export const AWAITED = {
  sentence:
    'The console server has not answered yet, and what it answers is shown only once, here. It may be made although you close this.',
  stayLabel: 'Keep waiting',
  leaveLabel: 'Close without seeing it',
} as const

/** The answer to a save was lost. Without a version the same thing could be made twice. */
export const MAY_BE_SAVED =
  'It may have been saved. Save again: what is already saved is not changed twice.'
export const MAY_BE_ADDED = 'It may have been added. Send it again as it is: it is not added twice.'
export const MAY_BE_DONE = 'It may have been carried out. Check the list before you send it again.'

export function discardSentences(title: string, changes: number): readonly string[] {
  return [
    `Discard ${changes === 1 ? '1 change' : `${changes} changes`} to ${title} and show the saved settings.`,
  ]
}

/** Aside of the panel 'On save'. */
export function changesText(count: number): string {
  if (count === 0) return 'no changes'
  return count === 1 ? '1 change' : `${count} changes`
}

export const ONLY_DIGITS = 'Digits only: type a whole number.'

/** decisions.md 16: two operators edit one object. */
export const THEY_SAVED_ONLY = 'Their changes are in the form. Yours are kept.'
export const THEY_CLASH =
  'You both changed the marked fields. Choose theirs or mine for each before you save.'
/** Of a field that only they changed. */
export const AS_THEIRS = 'changed by them'
export const CHOOSE_FIRST = 'Choose theirs or mine first.'

export const VIEW_ONLY = 'View only: your role cannot save these settings.'
