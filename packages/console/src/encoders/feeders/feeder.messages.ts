/** What the Feeder tab and its dialogs say; texts of the catalogue word for word. */

/** ERR-13. */
export const UPDATED = 'Feeder updated Successfully'
/** ERR-15. */
export const UPDATE_FAILED = 'Failure update encoder'
/** ERR-16. */
export const DELETE_FAILED = 'An error occurred when deleting feeder'
/** ERR-18. */
export const SAVE_CONFIG_FIRST = 'Please save the encoder config before adding a Feeder'
/** FEED-13. */
export const REQUIRED = 'This is required!'

/** ERR-20. */
export function portTaken(port: string): string {
  return `Input port ${port} is already taken`
}

export const DELETED = 'Success deleted'
export const LIST_FAILED = 'The feeders of this encoder could not be read.'
export const LOG_TITLE = 'Feeder log'
export const FOOT = 'Stop and Restart ask first. An encoder with feeders cannot be removed.'

export const ENCODER_DISABLED = 'Its encoder is disabled. Enable the encoder first.'

/** While it does not run. */
export function getsNoStream(target: string): string {
  return `${target} gets no stream`
}

export function deleteSentences(
  title: string,
  target: string,
  isRunning: boolean,
): readonly string[] {
  return [
    `Delete the feeder '${title}'. This cannot be undone.`,
    ...(isRunning
      ? [`It is running. It is stopped first: ${target} loses the stream at once.`]
      : []),
  ]
}

/** What stands in the way of a feeder, and what to do about it. */
export const TROUBLE = {
  host: {
    title: 'The saved settings wait for the host.',
    fix: 'The host does not answer. It takes them as soon as it is back.',
  },
  older: {
    title: 'It still runs with older settings.',
    fix: 'Restart it to use the saved settings.',
  },
  byHandFix: 'Restart it to restore the saved settings.',
  encoderStopped: {
    title: 'The encoder does not run, so there is nothing to send.',
    fix: 'Start the encoder.',
  },
  passphrase: {
    title: 'The other end refuses our passphrase.',
    fix: 'Enter the same passphrase in this feeder and in the input, then restart the feeder.',
  },
} as const

export function notFed(port: number) {
  return {
    title: `The running encoder does not send to port ${port} yet.`,
    fix: 'It was started with older settings. Restart the encoder: its outputs stop for a few seconds.',
  }
}

export function nobodyThere(address: string, port: number, server: string) {
  return {
    title: `No answer from ${address}.`,
    fix: `Check that ${server} has an aCANFeeder input on port ${port}, and that it is running.`,
  }
}

export function nothingComes(port: number) {
  return {
    title: `The target is connected, but no packets arrive on port ${port}.`,
    fix: 'Check the log of the encoder, then restart the encoder.',
  }
}

export const KEY_HINT = {
  kept: 'Leave empty to keep the passphrase.',
  fresh: 'The input on the server needs the same passphrase.',
  goes: 'Saving deletes the stored passphrase.',
} as const

/** Q102: nothing is made there by itself. */
export function neededInput(port: string, server: string): string {
  return `${server} needs an aCANFeeder input on port ${port}. It is not created with the feeder: choose 'Create the matching input' in the details of the feeder.`
}

export const INPUTS_NOT_READ =
  'The inputs of the server could not be read: an input may already listen on this port.'

/** `server`: '' where the feeder calls the address of no server here. */
export function noInput(port: number, server: string): string {
  if (server === '')
    return 'The target is not the address of a server here. Choose the server in the form.'
  return `No input that you can see listens on port ${port} of ${server}.`
}

export function inputExists(title: string, port: number): string {
  return `Input '${title}' already listens on port ${port}.`
}

export function portTooLow(port: number): string {
  return `An input cannot listen on port ${port}: media tools use ports from 1024. Change the target port of the feeder.`
}

export function fieldsInNeed(count: number): string {
  return count === 1 ? '1 field needs correcting' : `${count} fields need correcting`
}
