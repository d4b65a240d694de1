/** How long a host is waited for, and how often it is called. */

export interface LinkTiming {
  /** How long an answer is waited for (decisions.md 15). */
  callLimitMs: number
  /** A host silent for one is asked, and one silent for two is taken for gone. Longer than SIGN_OF_LIFE_MS. */
  beatMs: number
  retryFirstMs: number
  /** DialPace makes it longer where so many hosts are away that their dials would cost too much. */
  retryLongestMs: number
}

/**
 * A hung agent is lost after 2.2 s, and its alarm is raised within 3 s. A host whose network is
 * repaired is back within 3 s.
 */
export const LINK_TIMING: LinkTiming = {
  callLimitMs: 5000,
  beatMs: 1100,
  retryFirstMs: 200,
  retryLongestMs: 2500,
}

/** How long a host that was there is called at the first pace. */
export const RESTART_MS = 20_000
