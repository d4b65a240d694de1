/**
 * Whether the database file is still where it was opened. Somebody who deletes the data folder of a running API takes
 * its name only: SQLite would go on to write into a file that nobody finds again.
 */
import { statSync } from 'node:fs'
import { DatabaseFileGone } from '../faults.ts'

const LOOK_MS = 1000

export class FilePlace {
  readonly #file: string
  readonly #opened: string

  /** Of a file that has just been opened. */
  constructor(file: string) {
    this.#file = file
    this.#opened = identityOf(file)
  }

  isKept(): boolean {
    return identityOf(this.#file) === this.#opened
  }

  /** Throws DatabaseFileGone. Costs microseconds. */
  assertKept(): void {
    if (!this.isKept()) throw new DatabaseFileGone(this.#file)
  }
}

/** Calls `onChange` within a second after the file is gone, or is back. */
export function watchFilePlace(file: string, onChange: (isKept: boolean) => void): Disposable {
  const place = new FilePlace(file)
  let wasKept = true
  const timer = setInterval(() => {
    const isKept = place.isKept()
    if (isKept === wasKept) return
    wasKept = isKept
    onChange(isKept)
  }, LOOK_MS)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** Another file of the same name, such as a restored one, is another one. */
function identityOf(file: string): string {
  try {
    const { dev, ino } = statSync(file)
    return `${dev}:${ino}`
  } catch {
    return ''
  }
}
