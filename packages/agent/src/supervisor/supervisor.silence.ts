/** What supervisord's silence means for whoever waits for it. */

/** How long a command waits for a sign of life: within what its caller waits for an answer. */
export const SIGN_OF_LIFE_MS = 4000

/** Later than any answer of a supervisord that is well; the host is reported silent within 3 s. */
export const SILENCE_MS = 2500

/**
 * A command to a supervisord that does not answer would wait in its socket, and be carried out
 * whenever it goes on: nothing is sent to one. Of one that has ended nothing can be asked until the
 * agent has started it again.
 */
export class SupervisorUnavailable extends Error {
  override readonly name = 'SupervisorUnavailable'

  /** `outcome`: what became of the command. */
  constructor(condition: 'silent' | 'ended', outcome: 'not begun' | 'cut off') {
    super(`${CONDITIONS[condition]} ${outcome === 'cut off' ? CUT_OFF : NOT_BEGUN[condition]}`)
  }
}

const CONDITIONS = {
  silent: 'The supervisor of this host (supervisord) does not answer.',
  ended: 'The supervisor of this host (supervisord) has ended and is being started again.',
}

const CUT_OFF =
  'The command may have been carried out in part: check its state before you try again.'

const NOT_BEGUN = {
  silent: 'The command was not carried out, and will not be. Running streams are not affected.',
  ended: 'The command was not carried out. Try again in a few seconds.',
}
