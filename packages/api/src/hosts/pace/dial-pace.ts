/**
 * How often hosts that are away are dialled, all of them together: a dial costs the same for every
 * dead host, so with many of them each has to wait longer for its turn.
 */
export interface AwayLink {
  /** Dials at once if it only waits for its turn. */
  dialNow(): void
}

/** Of hosts that have been away for a while: about a hundredth of a core. */
const DIALS_PER_S = 60
/** Of hosts that may only be starting again. */
const RESTART_DIALS_PER_S = 500
/** Where one host is back, others are too: as after an outage of the network. So many are tried then. */
const TRIED_AFTER_RETURN = 10

export class DialPace {
  /** In the order in which they were dialled last. */
  readonly #away = new Set<AwayLink>()

  /** This one was dialled in vain. Answers how long it waits at least until it is dialled again. */
  failed(link: AwayLink, isRestart: boolean): number {
    this.#away.delete(link)
    this.#away.add(link)
    return (this.#away.size / (isRestart ? RESTART_DIALS_PER_S : DIALS_PER_S)) * 1000
  }

  /** It answers again. */
  returned(link: AwayLink): void {
    if (!this.#away.delete(link)) return
    const tried = [...this.#away].slice(0, TRIED_AFTER_RETURN)
    for (const other of tried) {
      // Behind those that were not tried: whoever fails again waits at the end of the line.
      this.#away.delete(other)
      this.#away.add(other)
      other.dialNow()
    }
  }

  forget(link: AwayLink): void {
    this.#away.delete(link)
  }
}
