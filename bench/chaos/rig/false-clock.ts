/** A wall clock of some processes that can jump, by Debian's package faketime; their monotonic clock does not. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'
/** faketime reads its file once a second; readings of programs come every five. */
export const JUMPED_MS = 8000

export class FalseClock implements Disposable {
  readonly #folder: string
  readonly #file: string

  /** Throws a sentence when the package is not there. */
  constructor() {
    if (!existsSync(LIBRARY)) {
      throw new Error(`There is no ${LIBRARY}. Install it: apt-get install faketime.`)
    }
    this.#folder = mkdtempSync(join(tmpdir(), 'trunkline-clock-'))
    this.#file = join(this.#folder, 'clock')
    this.jump(0)
  }

  /** Of the processes that are to have it. */
  get env(): Readonly<Record<string, string>> {
    return {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }
  }

  /** From the true clock. */
  jump(seconds: number): void {
    writeFileSync(this.#file, `${seconds < 0 ? '' : '+'}${seconds}\n`)
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
