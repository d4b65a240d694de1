/** Stands in for the browser's judgement of what is in sight; call before the page is rendered. */
import { vi } from 'vitest'

export function makeFakeSight() {
  const watched = new Map<Element, (isInSight: boolean) => void>()
  class FakeObserver implements Pick<IntersectionObserver, 'observe' | 'unobserve' | 'disconnect'> {
    readonly #callback: IntersectionObserverCallback
    constructor(callback: IntersectionObserverCallback) {
      this.#callback = callback
    }
    observe(target: Element): void {
      const entry = (isIntersecting: boolean) =>
        ({ target, isIntersecting }) as IntersectionObserverEntry
      watched.set(target, (isInSight) =>
        this.#callback([entry(isInSight)], this as unknown as IntersectionObserver),
      )
    }
    unobserve(target: Element): void {
      watched.delete(target)
    }
    disconnect(): void {
      watched.clear()
    }
  }
  vi.stubGlobal('IntersectionObserver', FakeObserver)
  return {
    /** Everything watched that lies in `within`. */
    set(within: Element, isInSight: boolean): void {
      for (const [target, notify] of watched) if (within.contains(target)) notify(isInSight)
    },
    watched,
  }
}
