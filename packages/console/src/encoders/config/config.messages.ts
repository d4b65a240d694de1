/** What the configuration page says. */

/** ERR-07, Q88: word for word. */
export const TRY_AGAIN = 'Something went wrong, Please try again'
export const UPDATED = 'Success updated'
/** ERR-19. */
export const CHECK_REQUIRED = 'Please check required fields'

export const NOT_READ = 'The configuration of this encoder could not be read.'
export const PMT_PERIOD_HINT = 'Always 100 ms.'
export const NAME_HINT = 'Follows the card index.'

export const HOST_NOT_HEARD =
  'Its host has not answered yet, so its cards are not known. Type the index.'
export const CARD_GONE = 'not on this host'

export function cardTaken(cardIdx: number, owner: string): string {
  const whose = owner === '' ? 'an encoder of another group' : owner
  return `Card ${cardIdx} belongs to ${whose}. Choose another.`
}

export function pidTaken(pid: string, owner: string): string {
  return `${pid} is the ${owner} PID too. Change one of them.`
}

export const PID_FREE = 'free in this mux'
export const NEEDS_LIBFDK = 'needs libfdk_aac, which this host lacks'

export const WOULD_BE = 'would be'
export const BELOW_ZERO = 'would be below 0'
export const NOT_CALCULABLE = 'needs numbers in the other two'

/** Why a field has its value. */
export const BY_PRESET = 'preset'

/** Q90: what saving does to what runs, in plain words. */
export const CONSEQUENCES = {
  first: {
    title: 'Nothing starts by itself.',
    text: 'This is its first configuration. Start it from the dashboard after saving.',
  },
  running: {
    title: 'The running encoder is not touched.',
    text: 'It keeps its present settings until its next start. Save and restart applies them at once, and interrupts the picture for a few seconds.',
  },
  stopped: {
    title: 'The encoder is stopped.',
    text: 'It takes these settings when it is started.',
  },
  away: {
    title: 'Its host does not answer.',
    text: 'The settings are saved, and sent to the host when it answers again.',
  },
  disabled: {
    title: 'The encoder is disabled.',
    text: 'It takes these settings when it is enabled and started.',
  },
} as const
export type Consequence = keyof typeof CONSEQUENCES

export const WAITS_FOR_RESTART =
  'The running encoder still has the settings from before the last save.'
export const WAITS_FOR_HOST =
  'The saved settings wait for the host: it has not answered since they were saved.'

/** `who`: '' where that is not known. */
export function theySaved(who: string): string {
  return who === ''
    ? 'Somebody else has saved this encoder since you opened it.'
    : `${who} has saved this encoder since you opened it.`
}

export const LAST_OUTPUT = 'An encoder needs at least one output.'

/** Q78: a warning, not a refusal. */
export function muxTooSmall(neededBps: string, excessKbps: string): string {
  return `Video and audio need a mux rate of ${neededBps} bit/s; the mux rate is ${excessKbps} kbit/s too small.`
}

export function tooMuch(excessKbps: string): string {
  return `${excessKbps} kbit/s too much for the mux.`
}
