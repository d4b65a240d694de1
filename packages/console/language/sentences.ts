/**
 * The sentences that the API and the agents make: their answers carry them in English, and a console
 * in French reads them by the catalogues `api` and `agent`. Messages of the API are sent in the
 * language of their notification rule, by the catalogue `messages`.
 */
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as texts from '../../api/src/notifications/message-texts.rules.ts'
import { wordsOf } from './french.ts'
import { textsOf } from './source-texts.ts'

export type Speaker = 'api' | 'agent'

const PACKAGES = resolve(import.meta.dirname, '../..')
/** Texts that are looked up whole, each of them: also words. */
const MESSAGE_TEXTS = 'notifications/message-texts.rules.ts'
/**
 * Tests, and what is only printed in a terminal, at start, in the description of the API or by SQL: an
 * alarm has the fault of a backup.
 */
const NOT_SHOWN =
  /\.(test|fixture|bench)\.ts$|(^|\/)(testing|command-line|open-api|db(?!\/backup\/backup-)|metrics|doctor|seals)\/|(^|\/)(config|main|trunkline|settings|context)\.ts$/
const TWO_WORDS = /\p{L}{2}.*\s.*\p{L}{2}/u
const CODE =
  /^(select|insert|update|delete|create|with|drop|alter|pragma|begin|listen|notify|order by|where|values|["#(]|\{0\}\()|[<>=]\s|\bjson_|::|^\w+\.\w+ as \w+$|^\w+_\w+ as \w+$|'self'/i

/** @returns the files of each sentence, by its English text */
export function sentencesOf(speaker: Speaker): Map<string, string[]> {
  const folder = join(PACKAGES, speaker, 'src')
  const found = new Map<string, string[]>()
  for (const path of globSync('**/*.ts', { cwd: folder }).toSorted()) {
    if (NOT_SHOWN.test(path) || path === MESSAGE_TEXTS) continue
    for (const { english, isExpected } of textsOf(path, readFileSync(join(folder, path), 'utf8'))) {
      if (!isExpected || !TWO_WORDS.test(english) || CODE.test(english)) continue
      found.set(english, [...(found.get(english) ?? []), path])
    }
  }
  return found
}

/** The texts of the messages that the API sends, by their English. */
export function messageTexts(): Set<string> {
  return new Set(stringsIn({ ...texts }))
}

function stringsIn(value: object): string[] {
  return Object.values(value).flatMap((each: unknown) => {
    if (typeof each === 'object' && each !== null) return stringsIn(each)
    return typeof each === 'string' ? each : []
  })
}

export function isKnownSentence(area: Speaker | 'messages', english: string): boolean {
  const { texts, kept } = wordsOf(area)
  return Object.hasOwn(texts, english) || kept.includes(english)
}
