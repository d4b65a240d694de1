/** Texts of the dialog of a destination. */
export const DESTINATION_KEY = {
  kept: 'A passphrase is stored. Leave empty to keep it.',
  fresh: '10 to 79 characters. Outputs that use this destination also use its passphrase.',
  goes: 'Saving deletes the stored passphrase.',
} as const
/** Q151. */
export const DESTINATION_EDIT_NOTE =
  'Outputs that use this destination are not changed. Use Change destination in the Outputs table to update them.'
