/** What a run says while it goes on: each failure at once, and every few seconds how far it is. */
import { say } from '../say.mjs'

const TELL_EVERY_MS = 10_000

/**
 * @typedef {object} ProgressEvent one line of JSON that a reporter writes
 * @property {number} [total] how many pieces there are: test files, in the browser tests
 * @property {number} [done] how many more have ended
 * @property {string} [failure] names a test that has just failed
 */

export class Progress {
  #startedMs = performance.now()
  /** @type {Map<string, { done: number, total: number }>} of the kinds that run */
  #running = new Map()
  #lastShown = ''
  #timer = setInterval(() => this.#tell(), TELL_EVERY_MS)

  /** @param {string} kind */
  begin(kind) {
    this.#running.set(kind, { done: 0, total: 0 })
  }

  /** @param {string} kind */
  end(kind) {
    this.#running.delete(kind)
  }

  /**
   * @param {string} kind
   * @param {ProgressEvent} event
   */
  take(kind, { total = 0, done = 0, failure }) {
    const state = this.#running.get(kind)
    if (state !== undefined) {
      state.total += total
      state.done += done
    }
    if (failure !== undefined) say(`  ${this.age()}  FAILED ${kind}  ${failure}`)
  }

  /** @returns {string} since the run began, such as 1:05 */
  age() {
    return clockText(performance.now() - this.#startedMs)
  }

  stop() {
    clearInterval(this.#timer)
  }

  #tell() {
    const text = progressText(this.#running)
    if (text !== this.#lastShown) say(`  ${this.age()}  ${text}`)
    this.#lastShown = text
  }
}

/**
 * Pure.
 * @param {ReadonlyMap<string, { done: number, total: number }>} running
 */
export function progressText(running) {
  return [...running]
    .map(([kind, { done, total }]) => (total === 0 ? kind : `${kind} ${done}/${total}`))
    .join(', ')
}

/**
 * Pure.
 * @param {number} ms
 * @returns {string} minutes and seconds
 */
export function clockText(ms) {
  const seconds = Math.floor(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/**
 * Events of a stream of text that comes in pieces.
 * @param {(event: ProgressEvent) => void} take
 * @returns {(chunk: Buffer) => void}
 */
export function eventReader(take) {
  let rest = ''
  return (chunk) => {
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(/** @type {ProgressEvent} */ (JSON.parse(line)))
  }
}
