/**
 * The links of this process that are online, in the order of their last sign of life: the host that
 * has been silent for longest is found without a look at the others.
 */
import type { LinkedHost } from '../linked-host.ts'

export class HeardLinks<Link extends Pick<LinkedHost, 'heardAtMs'>> {
  /** The one that was heard longest ago is first. */
  readonly #heard = new Set<Link>()
  /** Taken over from another process, and not heard by this one yet. */
  readonly #takenOver = new Set<Link>()

  /** It has just given a sign of life. */
  noteHeard(link: Link): void {
    this.#takenOver.delete(link)
    this.#heard.delete(link)
    this.#heard.add(link)
  }

  /** It is known to be online from another process. */
  noteTakenOver(link: Link): void {
    this.#takenOver.add(link)
  }

  /**
   * Since when each of them has given a sign of life, API clock; Infinity when there is none.
   * `isOnline`: whether it is still a link of this process, and online; others are forgotten.
   */
  heardAtLeastMs(isOnline: (link: Link) => boolean): number {
    let earliestMs = Infinity
    for (const link of this.#takenOver) {
      if (isOnline(link)) earliestMs = Math.min(earliestMs, link.heardAtMs ?? Infinity)
      else this.#takenOver.delete(link)
    }
    for (const link of this.#heard) {
      if (isOnline(link)) return Math.min(earliestMs, link.heardAtMs ?? Infinity)
      this.#heard.delete(link)
    }
    return earliestMs
  }
}
