/** What every configuration page says about changes that are not saved yet. */

export const NO_CHANGES = 'Nothing is changed.'

export function unsavedText(changes: number): string {
  if (changes === 0) return 'No unsaved changes'
  return changes === 1 ? '1 unsaved change' : `${changes} unsaved changes`
}

/** Q89. */
export function leaveSentences(title: string, changes: number): readonly string[] {
  return [
    `${changes === 1 ? '1 change' : `${changes} changes`} to ${title} ${changes === 1 ? 'is' : 'are'} not saved. Leaving throws ${changes === 1 ? 'it' : 'them'} away.`,
  ]
}

export function discardSentences(title: string, changes: number): readonly string[] {
  return [
    `Throw away ${changes === 1 ? '1 change' : `${changes} changes`} to ${title}. It shows what is saved again.`,
  ]
}

/** Aside of the panel 'On save'. */
export function changesText(count: number): string {
  if (count === 0) return 'no changes'
  return count === 1 ? '1 change' : `${count} changes`
}

export const ONLY_DIGITS = 'Digits only: type a whole number.'

/** decisions.md 16: two operators edit one object. */
export const THEY_SAVED_ONLY = 'What they changed is in the form. What you typed stays.'
export const THEY_CLASH =
  'You both changed the marked fields. Choose which stand; saving waits for that.'
/** Of a field that only they changed. */
export const AS_THEIRS = 'as theirs'
export const CHOOSE_FIRST = 'Choose theirs or mine first.'

export const VIEW_ONLY = 'You may look at these settings. Saving them needs another role.'
