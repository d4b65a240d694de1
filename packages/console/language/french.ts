/**
 * The French catalogue: one file for each folder of the console and one for what several of them say;
 * in the contract those of the contract, the API, the agents and the messages that the API sends.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { SourceText } from './source-texts.ts'

export interface Words {
  /** French by English. `{0}`, `{1}` may change their order. */
  readonly texts: Readonly<Record<string, string>>
  /** Names, units, texts that the specification gives word for word, and what is no text. */
  readonly kept: readonly string[]
  /** Where a file means something else than the others, or says a word of small letters. */
  readonly in: Readonly<Record<string, Readonly<Record<string, string>>>>
}

const CONSOLE = resolve(import.meta.dirname, '../src')
const CONTRACT = resolve(import.meta.dirname, '../../contract/src')
/** Of the console's own texts, and of those that the API needs too. */
const CATALOGUES = [join(CONSOLE, 'lib/locale/french'), join(CONTRACT, 'language/french')]
const COMMON = 'common'
const IMPORT = /(?:from|import)\s*\(?\s*'((?:\.|@trunkline\/contract\/)[^']*)'/g
const NONE: Words = { texts: {}, kept: [], in: {} }

const read = new Map<string, Words>()

/** @param area the folder in the console's sources, `contract`, or `common` */
export function wordsOf(area: string): Words {
  const known = read.get(area)
  if (known !== undefined) return known
  const file = CATALOGUES.map((folder) => join(folder, `${area}.json`)).find(existsSync)
  const words: Words =
    file === undefined
      ? NONE
      : { ...NONE, ...(JSON.parse(readFileSync(file, 'utf8')) as Partial<Words>) }
  read.set(area, words)
  return words
}

/** The names of all areas, `common` among them. */
export function areas(): string[] {
  const files = CATALOGUES.flatMap((folder) => globSync('*.json', { cwd: folder }))
  return files.map((file) => file.slice(0, -'.json'.length)).toSorted()
}

/** @returns the area of a source file and its path in there, or null for what is not translated */
export function placeOfFile(file: string): { area: string; path: string } | null {
  if (!/\.tsx?$/.test(file) || /\.(test|fixture)\.tsx?$/.test(file)) return null
  if (file.startsWith(`${CONTRACT}/`)) return { area: 'contract', path: relative(CONTRACT, file) }
  if (!file.startsWith(`${CONSOLE}/`)) return null
  const [area = '', ...path] = relative(CONSOLE, file).split('/')
  return path.length === 0 ? { area: COMMON, path: area } : { area, path: path.join('/') }
}

/** @returns the French of a text, the English where it is kept, undefined where neither is known */
export function frenchOf(file: string, { english, isExpected }: SourceText): string | undefined {
  const place = placeOfFile(file)
  if (place === null) return undefined
  const own = wordsOf(place.area)
  const special = own.in[place.path]?.[english]
  if (special !== undefined || !isExpected) return special
  for (const words of [own, wordsOf(COMMON)]) {
    if (Object.hasOwn(words.texts, english)) return words.texts[english]
    if (words.kept.includes(english)) return english
  }
  return undefined
}

/** Every source file that the console is built from, of its own and of the contract. */
export function sourcesOfConsole(): string[] {
  const found = new Set<string>()
  const waiting = [join(CONSOLE, 'main.tsx')]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file) || !existsSync(file)) continue
    found.add(file)
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      waiting.push(resolved(file, path))
    }
  }
  return [...found].filter((file) => placeOfFile(file) !== null).toSorted()
}

function resolved(from: string, path: string): string {
  const contract = '@trunkline/contract/'
  return path.startsWith(contract)
    ? join(CONTRACT, `${path.slice(contract.length)}.ts`)
    : resolve(dirname(from), path)
}
