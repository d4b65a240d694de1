/** What the menu and the dialogs of templates say. */

export const MENU_LABEL = 'Templates'
export const READING = 'The templates are being read.'
export const LIST_FAILED = 'The templates could not be read. Close this and try again.'
export const NONE =
  'There is no template yet. Save the settings of an encoder as one, then apply it to others.'

export const APPLIED = 'Template applied'
export function appliedDetail(title: string): string {
  return `The form shows the settings of '${title}'. The encoder keeps its own until you save.`
}

export const ADDED = 'Template saved'
export const RENAMED = 'Template renamed'
export const REPLACED = 'Template replaced'
export const DELETED = 'Template deleted'
export const TRY_AGAIN = 'Something went wrong, Please try again'

/** The form holds something that cannot be saved, so it cannot be kept as a template either. */
export const SETTINGS_FAULTY = 'Correct the marked fields first'
export const SETTINGS_FAULTY_DETAIL =
  'A template holds settings that an encoder can take. These have a fault.'

export const ALL_GROUPS = 'All groups'
export const ADMINS_ONLY = 'A template of all groups is an admin’s to change.'
export const GROUP_HINT = 'Its people see the template and may apply it.'
export const WHAT_IS_KEPT =
  'Picture, sound and multiplex are kept. The title, the card, the outputs and the feeders stay each encoder’s own.'

export function replaceSentences(title: string): readonly string[] {
  return [
    `Replace the settings of '${title}' by those that the form shows now.`,
    'Encoders that had it applied stay as they are.',
  ]
}

export function deleteSentences(title: string): readonly string[] {
  return [
    `Delete the template '${title}'. This cannot be undone.`,
    'Encoders that had it applied stay as they are.',
  ]
}
