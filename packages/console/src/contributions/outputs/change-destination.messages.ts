/** Texts of the dialog that gives outputs another destination. */
export const CHANGE_DESTINATION_NOTE =
  'The outputs take the address of the destination, and its passphrase if it has one. A running output keeps its settings until it is restarted. Outputs in mode Listen are not changed.'
export const DESTINATIONS_READING = 'Reading the destinations …'
export const DESTINATIONS_FAILED =
  'The destinations could not be read. Close this and open it again.'
export const DESTINATIONS_NONE = 'There is no destination yet. Add one under Destinations first.'
