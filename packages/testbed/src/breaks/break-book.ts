/** Which breaks are caused now, in a file, so that they are healed after a crash too. */
import { existsSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { writePrivate } from '../site-plan.ts'
import { BREAK_NAMES, BREAKS, type Break, type BreakName } from './break.ts'

/** By name, since when: ISO 8601, UTC. */
const Caused = z.partialRecord(z.enum(BREAK_NAMES), z.string())
type Caused = z.infer<typeof Caused>

/** Its message is for whoever typed the command. */
class BreakRefused extends Error {
  override readonly name = 'BreakRefused'
}

export interface ListedBreak {
  name: BreakName
  title: string
  /** What is broken while it is. */
  sentence: string
  /** ISO 8601, UTC; null: it is well. */
  since: string | null
}

export class BreakBook {
  readonly #file: string
  readonly #breaks: readonly Break[]
  /** One thing after the other. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(file: string, breaks: readonly Break[]) {
    this.#file = file
    this.#breaks = breaks
  }

  list(): ListedBreak[] {
    const caused = this.#read()
    return this.#breaks.map(({ name, sentence }) => {
      return { name, title: BREAKS[name].title, sentence, since: caused[name] ?? null }
    })
  }

  /** Answers a sentence. Throws BreakRefused for a name that is none. */
  async cause(name: string): Promise<string> {
    const meant = this.#find(name)
    return this.#alone(async () => {
      if (this.#read()[meant.name] !== undefined) {
        return `It is broken already. ${meant.sentence}`
      }
      // Before it is done: after a crash in between it is healed all the same.
      this.#note(meant.name, new Date().toISOString())
      await meant.begin()
      return meant.sentence
    })
  }

  /** All when none is named. Answers a sentence for each that was broken. */
  async heal(name: string | null): Promise<string[]> {
    const meant = name === null ? this.#breaks : [this.#find(name)]
    return this.#alone(async () => {
      const caused = this.#read()
      const broken = meant.filter((each) => caused[each.name] !== undefined)
      if (broken.length === 0) {
        return [name === null ? 'Nothing is broken.' : `${name} is not broken.`]
      }
      const sentences: string[] = []
      // Hosts and servers first: what runs on them is healed by calls to them.
      for (const each of broken.toReversed()) {
        await each.repair()
        this.#note(each.name, null)
        sentences.push(`${each.name} is healed. Its alarm clears within seconds.`)
      }
      return sentences
    })
  }

  #find(name: string): Break {
    const found = this.#breaks.find((each) => each.name === name)
    if (found !== undefined) return found
    const names = this.#breaks.map((each) => each.name).join(', ')
    throw new BreakRefused(`There is no break '${name}'. Choose one of ${names}.`)
  }

  async #alone<T>(act: () => Promise<T>): Promise<T> {
    const acting = this.#last.then(act)
    this.#last = acting.catch(() => undefined)
    return acting
  }

  #note(name: BreakName, since: string | null): void {
    const { [name]: _, ...others } = this.#read()
    const caused: Caused = since === null ? others : { ...others, [name]: since }
    writePrivate(this.#file, JSON.stringify(caused, null, 2))
  }

  /** Nothing is broken where the file was damaged or written by another version. */
  #read(): Caused {
    if (!existsSync(this.#file)) return {}
    try {
      return Caused.parse(JSON.parse(readFileSync(this.#file, 'utf8')))
    } catch {
      return {}
    }
  }
}
