/** What an encoder with feeders answers to its removal: ENC-17, word for word. */
export const FEEDERS_FIRST = 'Please remove first feeder.'
