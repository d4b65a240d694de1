/** Whether a command may still be carried out, asked directly before it changes anything. */

/**
 * Resolves when whoever asked still waits for the answer; throws CallExpired when not. What comes
 * late must not be done: its caller got a failure, and may have done something else since.
 */
export type Confirm = () => Promise<void>

/** For what this host does by itself. */
export const NO_CONFIRMATION: Confirm = async () => undefined

export class CallExpired extends Error {
  override readonly name = 'CallExpired'
  constructor() {
    super('The command reached the host too late and was not carried out.')
  }
}
