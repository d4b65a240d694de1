/**
 * The sentences that the API and the agents make: their answers carry them in English, and a console
 * in French reads them by the catalogues `api` and `agent`.
 */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { wordsOf } from './french.ts'
import { textsOf } from './source-texts.ts'

export type Speaker = 'api' | 'agent'

const PACKAGES = resolve(import.meta.dirname, '../..')
/** Tests, and what is only printed in a terminal, at start, in the description of the API or by SQL. */
const NOT_SHOWN =
  /\.(test|fixture|bench)\.ts$|(^|\/)(testing|command-line|open-api|db|metrics|doctor|seals)\/|(^|\/)(config|main|trunkline|settings|context)\.ts$/
const TWO_WORDS = /\p{L}{2}.*\s.*\p{L}{2}/u
const CODE =
  /^(select|insert|update|delete|create|with|drop|alter|pragma|begin|listen|notify|order by|where|values|["#(]|\{0\}\()|[<>=]\s|\bjson_|::|^\w+\.\w+ as \w+$|^\w+_\w+ as \w+$|'self'/i

/** @returns the files of each sentence, by its English text */
export function sentencesOf(speaker: Speaker): Map<string, string[]> {
  const folder = join(PACKAGES, speaker, 'src')
  const found = new Map<string, string[]>()
  for (const path of globSync('**/*.ts', { cwd: folder }).toSorted()) {
    if (NOT_SHOWN.test(path)) continue
    for (const { english, isExpected } of textsOf(path, readFileSync(join(folder, path), 'utf8'))) {
      if (!isExpected || !TWO_WORDS.test(english) || CODE.test(english)) continue
      found.set(english, [...(found.get(english) ?? []), path])
    }
  }
  return found
}

export function isKnownSentence(speaker: Speaker, english: string): boolean {
  const { texts, kept } = wordsOf(speaker)
  return Object.hasOwn(texts, english) || kept.includes(english)
}
