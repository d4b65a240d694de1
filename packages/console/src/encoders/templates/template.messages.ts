/** What the menu and the dialogs of templates say. */

export const MENU_LABEL = 'Templates'
export const READING = 'Reading the templates …'
export const NOT_READ = 'The templates could not be read.'
export const READ_AGAIN = 'The templates could not be read. Retry'
export const LIST_FAILED = 'The templates could not be read. Close this and try again.'
export const NONE =
  'There is no template yet. Save the settings of an encoder as a template, then apply it to others.'

/** Where no encoder is open. */
export const HOW_TO_APPLY =
  'To apply a template, open the settings of an encoder and choose it under Templates.'

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
  'These settings have errors, so they cannot be saved as a template.'

export const ALL_GROUPS = 'All groups'
export const ADMINS_ONLY = 'Only an admin may change a template of all groups.'
export const GROUP_HINT = 'Members of this group can see and apply the template.'
export const ALL_GROUPS_HINT = 'Members of every group can see and apply the template.'
export const WHAT_IS_KEPT =
  'A template has the video, audio and mux settings. Title, card, outputs and feeders belong to each encoder.'

export function replaceSentences(title: string): readonly string[] {
  return [
    `Replace the settings of '${title}' with the settings in the form.`,
    'Encoders that use it are not changed.',
  ]
}

export function deleteSentences(title: string): readonly string[] {
  return [
    `Delete the template '${title}'. This cannot be undone.`,
    'Encoders that use it are not changed.',
  ]
}
