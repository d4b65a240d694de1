/** What supervisord's silence means for whoever waits for it. */

/** How long a command waits for a sign of life: within what its caller waits for an answer. */
export const SIGN_OF_LIFE_MS = 4000

/** Later than any answer of a supervisord that is well; the host is reported silent within 3 s. */
export const SILENCE_MS = 2500

/**
 * A command to a supervisord that does not answer would wait in its socket, and be carried out
 * whenever it goes on: nothing is sent to one.
 */
export class SupervisorSilent extends Error {
  override readonly name = 'SupervisorSilent'

  /** `outcome`: what became of the command. */
  constructor(outcome: 'not begun' | 'cut off') {
    super(`The supervisor of this host (supervisord) does not answer. ${OUTCOMES[outcome]}`)
  }
}

const OUTCOMES = {
  'not begun':
    'The command was not carried out, and will not be. Running streams are not affected.',
  'cut off': 'The command may have been carried out in part: check its state before you try again.',
}
